//! A rule: the part of a policy that weighs the moves that are not banned.

use crate::Sheet;
use std::fmt;

/// The rule of a policy. [`Policy`](crate::Policy) documents what the other functions return.
pub(crate) trait Rule: fmt::Debug + Send + Sync {
    fn needs_targets(&self) -> bool {
        false
    }

    fn reads_searches(&self) -> bool {
        false
    }

    fn decided(&self, _setting: &str) -> Option<String> {
        None
    }

    /// Fills in a sheet: excludes moves, weighs the others, and turns weights into probabilities.
    fn weigh(&self, sheet: &mut Sheet<'_>);
}
