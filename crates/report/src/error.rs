//! Why a page could not be made.

use position::Key;

/// An error of this crate. `E` is why rows cannot be read: the error of the
/// [`SortedRows`](table::SortedRows) the page is about.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error<E> {
    /// The rows could not be read.
    #[error(transparent)]
    Rows(E),
    /// The table could not be read.
    #[error(transparent)]
    Table(#[from] table::Error),
    /// The counts begin at another position, and have nothing before it.
    #[error("the counts begin at the position {root}: give that position")]
    RootDiffers {
        /// The position the counts begin at.
        root: Key,
    },
    /// The template could not be filled.
    #[error("the page could not be put together: {0}")]
    Template(#[from] askama::Error),
    /// The caller asked to stop.
    #[error("stopped")]
    Stopped,
}

impl<E> Error<E> {
    /// Whether an argument was wrong: another position has a page.
    #[must_use]
    pub fn is_usage(&self) -> bool {
        matches!(self, Self::RootDiffers { .. })
    }
}
