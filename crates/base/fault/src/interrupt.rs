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
    /// Converts the error of a whole command. The parts of a command stop only when the user interrupts it,
    /// so `Stopped` becomes `Interrupted`.
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
