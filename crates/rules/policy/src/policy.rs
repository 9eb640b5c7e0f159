//! What a policy is: a rule over a position's candidates.

use std::fmt;

use crate::{Judgement, Sheet, Situation};

/// A rule that turns a position's candidates into move probabilities.
pub trait Policy: fmt::Debug + Send + Sync {
    /// Its name in the catalogue.
    fn name(&self) -> &'static str;

    /// Whether it reads [`Candidate::target`](crate::Candidate::target). If so, every legal move that
    /// leads to a known position is a candidate; if not, the caller need not look those positions up.
    fn needs_targets(&self) -> bool {
        false
    }

    /// The value of a setting that was not given and has no default of its own: another setting decides it.
    fn decided(&self, _setting: &str) -> Option<String> {
        None
    }

    /// Whether it reads the values of searches. Some of these belong to the positions that moves lead to.
    fn reads_searches(&self) -> bool {
        false
    }

    /// Fills in a sheet: excludes moves, weighs the others, and turns weights into probabilities.
    fn weigh(&self, sheet: &mut Sheet<'_>);

    /// Judges every candidate of `situation`.
    ///
    /// It is not an error if there are no candidates, or none that can be chosen: all probabilities are 0,
    /// and a note says why.
    fn judge(&self, situation: &Situation<'_>) -> Judgement {
        Sheet::fill(situation, |sheet| self.weigh(sheet)).concluded()
    }
}
