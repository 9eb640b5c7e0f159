//! The errors of this crate.

use position::Key;

/// An error of this crate.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The counts begin at another position than the page, and have nothing for positions before it.
    #[error("the counts begin at the position {0}: give that position")]
    RootDiffers(Key),
    /// The template could not be filled.
    #[error("the page could not be put together: {0}")]
    Template(#[from] askama::Error),
}

fault::kinds!(Error { Usage: RootDiffers });
