//! The named intermediate values of a judgement.

use position::Score;
use serde::{Serialize, Serializer};

/// The maximum number of values of one move or one judgement.
const CAPACITY: usize = 10;

/// A short list of named values, in the order in which they were found.
///
/// # Memory
///
/// Ten values are stored in the list itself, so that a judgement need not allocate memory for each move.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Scores {
    values: [(&'static str, f64); CAPACITY],
    count: usize,
}

impl Scores {
    /// The names and values, in the order in which they were found.
    #[must_use]
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&'static str, f64)> + '_ {
        self.values[..self.count].iter().copied()
    }

    /// The value with this name; `None` if there is none.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<f64> {
        self.iter().find(|(known, _)| *known == name).map(|(_, value)| value)
    }

    /// Adds a value. Adding more than ten values is a bug in the policy.
    pub(crate) fn push(&mut self, name: &'static str, value: f64) {
        self.values[self.count] = (name, value);
        self.count += 1;
    }

    /// Adds the score of a search, if there is one. It is added in centipawns or, if it is a mate, under the
    /// other name as the number of moves to mate.
    pub(crate) fn push_score(
        &mut self,
        score: Option<Score>,
        (name, mate_name): (&'static str, &'static str),
    ) {
        match score {
            Some(Score::Cp(cp)) => self.push(name, cp.into()),
            Some(Score::Mate(moves)) => self.push(mate_name, moves.into()),
            None => {}
        }
    }
}

/// Serializes the values as an object, by name.
impl Serialize for Scores {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}
