//! What a policy returns: the probability of each move, and why.

use std::fmt;

use position::PackedMove;
use serde::Serialize;

use crate::{Rng, Scores};

/// The rule that excludes a move, and the source of that rule.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize)]
pub struct Reason {
    /// The rule, in words.
    pub rule: &'static str,
    /// Where the rule comes from: a section of `docs/sources.md`, a function of a program, or `ours`.
    pub source: &'static str,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.rule, self.source)
    }
}

/// The judgement of one move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MoveJudgement {
    /// The move.
    pub mv: PackedMove,
    /// The probability that the move is chosen, 0 to 1; 0 if it is excluded.
    pub probability: f64,
    /// The rule that excludes the move; `None` if it may be chosen.
    pub excluded: Option<Reason>,
    /// The group of moves (not of games) that the move belongs to, if the policy first chooses a group.
    pub group: Option<&'static str>,
    /// All intermediate values of the judgement, by name.
    pub scores: Scores,
}

impl MoveJudgement {
    pub(crate) fn new(mv: PackedMove) -> Self {
        Self { mv, probability: 0.0, excluded: None, group: None, scores: Scores::default() }
    }

    pub(crate) fn exclude(&mut self, reason: Reason) {
        self.excluded = Some(reason);
        self.probability = 0.0;
    }
}

/// The judgement of a position's moves.
///
/// The probabilities sum to 1. If no move can be chosen, all of them are 0, and [`Self::notes`] says why.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Judgement {
    /// Every candidate, sorted by move.
    pub moves: Vec<MoveJudgement>,
    /// Named values that concern the whole position rather than a single move.
    pub figures: Scores,
    /// Remarks, such as which fallback was used, or why there is nothing to choose.
    pub notes: Vec<&'static str>,
}

impl Judgement {
    /// Adds a note if there is no move to choose.
    pub(crate) fn concluded(mut self) -> Self {
        if self.moves.is_empty() {
            self.notes.push("there is no candidate");
        } else if self.moves.iter().all(|judged| judged.excluded.is_some()) {
            self.notes.push("every move is excluded");
        }
        self
    }

    /// Chooses a move at random, according to the probabilities; `None` if no move can be chosen.
    ///
    /// Takes one 64-bit number from `rng`, or none if no move can be chosen.
    pub fn pick(&self, rng: &mut Rng) -> Option<PackedMove> {
        draw(self.moves.iter().map(|judged| (judged.mv, judged.probability)), rng)
    }

    /// The moves that can be chosen and their probabilities, sorted by move.
    pub fn chances(&self) -> impl Iterator<Item = (PackedMove, f64)> + '_ {
        let chances = self.moves.iter().map(|judged| (judged.mv, judged.probability));
        chances.filter(|&(_, probability)| probability > 0.0)
    }

    /// The judgement of the move `mv`; `None` if it is not a candidate.
    #[must_use]
    pub fn of(&self, mv: PackedMove) -> Option<&MoveJudgement> {
        self.moves.iter().find(|judged| judged.mv == mv)
    }
}

/// Chooses a move from `chances` in the same way as [`Judgement::pick`]. `chances` contains moves with their
/// probabilities, which sum to 1. Leaving out moves with probability 0 does not change which move is chosen.
/// This function is for callers that store the chances of many positions.
pub fn draw(
    chances: impl DoubleEndedIterator<Item = (PackedMove, f64)> + Clone,
    rng: &mut Rng,
) -> Option<PackedMove> {
    let (last, _) = chances.clone().rfind(|(_, probability)| *probability > 0.0)?;
    let drawn = rng.unit();
    let mut reached = 0.0;
    let mut chances = chances;
    let hit = chances.find(|(_, probability)| {
        reached += probability;
        drawn < reached
    });
    // Rounding may leave the sum of the chances slightly below 1. If the random number is above that sum, the
    // last move whose chance is not zero is chosen.
    Some(hit.map_or(last, |(mv, _)| mv))
}
