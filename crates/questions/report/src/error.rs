//! The errors of this crate.

use position::Key;

/// An error of this crate.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The counts begin at a different position from the page, so they have nothing for the positions before
    /// it.
    #[error("the counts begin at the position {0}: give this position")]
    RootDiffers(Key),
    /// The template could not be filled.
    #[error("the page could not be put together: {0}")]
    Template(#[from] askama::Error),
}

fault::kinds!(Error { Usage: RootDiffers });
