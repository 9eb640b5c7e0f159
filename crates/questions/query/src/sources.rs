//! The sources of a book's experience.

use book::Book;
use experience::ExperienceSource;

use crate::{Error, Result};

/// The sources of a book's experience: row values refer to them by their place in this list.
///
/// # Errors
///
/// [`Error::Sources`] if the book's list is damaged, [`Error::Book`] if it cannot be read.
pub fn sources_of(book: &Book) -> Result<Vec<ExperienceSource>> {
    let sources: Result<_, _> = book.sources()?.into_iter().map(serde_json::from_value).collect();
    sources.map_err(|source| Error::Sources { path: book.path().into(), source })
}
