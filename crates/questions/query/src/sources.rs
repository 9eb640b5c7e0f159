//! The sources of a book's experience.

use book::Book;
use experience::ExperienceSource;

use crate::{Error, Result};

/// The sources of a book's experience. Values in rows refer to a source by its index in this list.
///
/// # Errors
///
/// Fails with [`Error::Sources`] if the book's list is damaged, and with [`Error::Book`] if the book cannot
/// be read.
pub fn sources_of(book: &Book) -> Result<Vec<ExperienceSource>> {
    let sources: Result<_, _> = book.sources()?.into_iter().map(serde_json::from_value).collect();
    sources.map_err(|source| Error::Sources { path: book.path().into(), source })
}
