//! Kinds of failures.

use std::{any::Any, convert::Infallible, error::Error};

/// What a failure is to a caller.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
#[non_exhaustive]
pub enum Kind {
    /// Something that was given makes no sense.
    Usage,
    /// Something is at the place of an output.
    Exists,
    /// The user interrupted the run.
    Interrupted,
    /// A library stopped because its caller asked for it.
    Stopped,
    /// A part of the work ended because another part failed.
    Consequence,
    /// An output would have been empty.
    Empty,
    /// A source would be counted twice.
    Repeated,
    /// Tables share games, which would count twice.
    SharedGames,
    /// Tables are grouped differently.
    OtherGroups,
    /// Weights depend on what counts are not grouped by.
    NotGrouped,
    /// The folder for temporary files is too small.
    TemporarySpace,
    /// Another command writes the same output.
    Locked,
    /// An input needs a longer window to be unpacked than is allowed unless it is asked for.
    LongWindow,
    /// An input needs a longer window to be unpacked than the memory allows.
    WindowBeyondMemory,
    /// Anything else: a file that cannot be read, damage, a value out of range.
    #[default]
    Other,
}

impl Kind {
    /// Whether another command line, with the same files, would work.
    #[must_use]
    pub fn is_usage(self) -> bool {
        matches!(self, Kind::Usage | Kind::Exists | Kind::NotGrouped)
    }

    /// Whether the user or the caller ended the work.
    #[must_use]
    pub fn is_interrupt(self) -> bool {
        matches!(self, Kind::Interrupted | Kind::Stopped)
    }

    /// [`Kind::Usage`] if it is wrong usage, [`Kind::Other`] if not.
    #[must_use]
    pub fn usage_if(is_usage: bool) -> Self {
        if is_usage { Kind::Usage } else { Kind::Other }
    }
}

/// An error that knows its kind.
pub trait Failure: Error + Any + Send + Sync {
    /// What it is to a caller.
    fn kind(&self) -> Kind {
        Kind::Other
    }
}

impl Failure for Infallible {}
