//! A rule: the part of a policy that weighs the moves left after bans.

use crate::Sheet;
use std::fmt;

/// The rule of a policy. Functions without a comment are documented at [`Policy`](crate::Policy).
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

    /// Judges the moves of a sheet: excludes some of them, weighs the rest, and turns the weights into
    /// probabilities.
    fn weigh(&self, sheet: &mut Sheet<'_>);
}
