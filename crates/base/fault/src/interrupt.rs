//! Errors for work that was stopped early.

use crate::{Error, Kind};

/// The user interrupted the run.
#[derive(Clone, Copy, Debug, Eq, PartialEq, thiserror::Error)]
#[error("interrupted; no output was written")]
pub struct Interrupt;

crate::kinds!(Interrupt: Interrupted);

/// This part of the work stopped because the caller asked it to, or because another part failed. The part
/// that failed reports its own error.
#[derive(Clone, Copy, Debug, Eq, PartialEq, thiserror::Error)]
#[error("stopped")]
pub struct Stop;

crate::kinds!(Stop: Stopped);

impl Error {
    /// Converts the error with which a whole command ended. If its kind is [`Kind::Stopped`], the user
    /// interrupted the command, so the result is an [`Interrupt`]. Any other error is returned unchanged.
    #[must_use]
    pub fn of_run(self) -> Self {
        if self.kind() == Kind::Stopped { Interrupt.into() } else { self }
    }

    /// Whether this part of the work stopped only because of an error elsewhere.
    #[must_use]
    pub fn is_consequence(&self) -> bool {
        matches!(self.kind(), Kind::Stopped | Kind::Consequence)
    }
}
