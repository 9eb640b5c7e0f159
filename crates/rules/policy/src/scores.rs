//! The named intermediate values of a judgement.

use position::Score;
use serde::{Serialize, Serializer};

/// The maximum number of values for a move or a judgement.
const CAPACITY: usize = 10;

/// A short list of named values, in the order in which they were added.
///
/// # Memory
///
/// Up to ten values are stored inline, so that judging does not allocate for every move.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Scores {
    values: [(&'static str, f64); CAPACITY],
    count: usize,
}

impl Scores {
    /// The names and values, in the order in which they were added.
    #[must_use]
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&'static str, f64)> + '_ {
        self.values[..self.count].iter().copied()
    }

    /// The value called `name`; `None` if there is none.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<f64> {
        self.iter().find(|(known, _)| *known == name).map(|(_, value)| value)
    }

    /// Adds a value. Adding more than ten values is a bug in a policy.
    pub(crate) fn push(&mut self, name: &'static str, value: f64) {
        self.values[self.count] = (name, value);
        self.count += 1;
    }

    /// Adds a search score, if there is one: in centipawns under `name`, or as the number of moves to mate
    /// under `mate_name`.
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

/// Serializes the values as an object whose keys are the values' names.
impl Serialize for Scores {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}
