//! The errors of making a page.

use position::Key;

/// An error of this crate.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The counts begin at a later position and have nothing before it.
    #[error("the counts begin at the position {0}: give that position")]
    RootDiffers(Key),
    /// The template could not be filled.
    #[error("the page could not be put together: {0}")]
    Template(#[from] askama::Error),
}

fault::kinds!(Error { Usage: RootDiffers });
