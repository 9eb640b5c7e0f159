//! Kinds of failures.

use std::{any::Any, convert::Infallible, error::Error};

/// The kind of a failure, which tells callers what to do about it.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
#[non_exhaustive]
pub enum Kind {
    /// An argument is invalid.
    Usage,
    /// An output would replace something that must not be replaced.
    Exists,
    /// The user interrupted the run.
    Interrupted,
    /// The work stopped because the caller asked it to.
    Stopped,
    /// A part of the work ended because another part failed.
    Consequence,
    /// An output would have been empty.
    Empty,
    /// A source would be counted twice.
    Repeated,
    /// Tables share games, which would be counted twice.
    SharedGames,
    /// Tables are grouped differently.
    OtherGroups,
    /// The counts are not grouped by a dimension that the weights depend on.
    NotGrouped,
    /// There is not enough space in the folder for temporary files.
    TemporarySpace,
    /// Another command is writing the same output.
    Locked,
    /// Decompressing an input needs a larger window than is allowed by default.
    LongWindow,
    /// Decompressing an input needs a larger window than the memory allows.
    WindowBeyondMemory,
    /// Anything else, such as a file that cannot be read or is damaged, or a value that is out of range.
    #[default]
    Other,
}

impl Kind {
    /// Whether a different command line could succeed with the same files.
    #[must_use]
    pub fn is_usage(self) -> bool {
        matches!(self, Kind::Usage | Kind::Exists | Kind::NotGrouped)
    }

    /// Whether the user or the caller ended the work.
    #[must_use]
    pub fn is_interrupt(self) -> bool {
        matches!(self, Kind::Interrupted | Kind::Stopped)
    }
}

/// An error that has a kind.
pub trait Failure: Error + Any + Send + Sync {
    /// The kind of the failure, for callers.
    fn kind(&self) -> Kind {
        Kind::Other
    }
}

impl Failure for Infallible {}

/// Implements [`Failure`] for an error type, either with one kind for the whole type or with a kind for each
/// listed variant.
///
/// Each variant listed after `as` wraps another failure, and has the kind of that failure. All variants that
/// are not listed have the kind [`Kind::Other`].
///
/// ```
/// use fault::{Exists, Failure as _, Kind};
///
/// #[derive(Debug, thiserror::Error)]
/// enum Error {
///     #[error("no move was given")]
///     NoMove,
///     #[error("the file is damaged")]
///     Damaged,
///     #[error(transparent)]
///     Output(#[from] Exists),
/// }
///
/// fault::kinds!(Error { Usage: NoMove } as Output);
///
/// assert_eq!((Error::NoMove.kind(), Error::Damaged.kind()), (Kind::Usage, Kind::Other));
/// assert_eq!(Error::from(Exists { path: "a.tabia".into() }).kind(), Kind::Exists);
/// ```
#[macro_export]
macro_rules! kinds {
    ($error:ty: $kind:ident) => {
        impl $crate::Failure for $error {
            fn kind(&self) -> $crate::Kind {
                $crate::Kind::$kind
            }
        }
    };
    ($error:ty { $($kind:ident: $($variant:ident)|+),* $(,)? } $(as $($inner:ident)|+)?) => {
        impl $crate::Failure for $error {
            fn kind(&self) -> $crate::Kind {
                match self {
                    $($(Self::$variant { .. })|+ => $crate::Kind::$kind,)*
                    $($(Self::$inner(error) => $crate::Failure::kind(error),)+)?
                    _ => $crate::Kind::Other,
                }
            }
        }
    };
}
