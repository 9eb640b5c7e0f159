//! Work that ends before it is done, because somebody asked for it.

use crate::{Error, Failure, Kind};

/// The user interrupted the run.
#[derive(Clone, Copy, Debug, Eq, PartialEq, thiserror::Error)]
#[error("interrupted; no output was written")]
pub struct Interrupt;

impl Failure for Interrupt {
    fn kind(&self) -> Kind {
        Kind::Interrupted
    }
}

/// Another part of the work failed, and its error is the cause.
#[derive(Clone, Copy, Debug, Eq, PartialEq, thiserror::Error)]
#[error("stopped")]
pub struct Stop;

impl Failure for Stop {
    fn kind(&self) -> Kind {
        Kind::Stopped
    }
}

impl Error {
    /// The error of a whole run: its parts stop only when the user interrupts it.
    #[must_use]
    pub fn of_run(self) -> Self {
        if self.kind() == Kind::Stopped { Interrupt.into() } else { self }
    }

    /// Whether another error is its cause: a part of the work was stopped because of that one.
    #[must_use]
    pub fn is_consequence(&self) -> bool {
        matches!(self.kind(), Kind::Stopped | Kind::Consequence)
    }
}
