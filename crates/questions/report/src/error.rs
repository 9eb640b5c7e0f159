//! The errors of making a page.

use fault::{Failure, Kind};
use position::Key;

/// An error of this crate.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The rows could not be read.
    #[error(transparent)]
    Rows(fault::Error),
    /// The table could not be read.
    #[error(transparent)]
    Table(#[from] table::Error),
    /// The counts begin at a later position and have nothing before it.
    #[error("the counts begin at the position {0}: give that position")]
    RootDiffers(Key),
    /// The template could not be filled.
    #[error("the page could not be put together: {0}")]
    Template(#[from] askama::Error),
    /// The caller asked to stop.
    #[error("stopped")]
    Stopped,
}

impl Failure for Error {
    fn kind(&self) -> Kind {
        match self {
            Self::Rows(error) => error.kind(),
            Self::Table(error) => error.kind(),
            Self::RootDiffers { .. } => Kind::Usage,
            Self::Template(_) => Kind::Other,
            Self::Stopped => Kind::Stopped,
        }
    }
}
