//! The errors of this crate.

use position::Key;

/// An error of this crate.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The page's first position has no counts, and the counts begin at a different position.
    #[error(
        "this position has no counts, and the counts begin at the position with key {key}: begin the report \
         there", key = .0
    )]
    RootDiffers(Key),
    /// The template could not be filled.
    #[error("the page could not be rendered: {source}", source = .0)]
    Template(#[from] askama::Error),
}

fault::kinds!(Error { Usage: RootDiffers });
