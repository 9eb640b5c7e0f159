//! Who taught what a book knows.

use book::Book;
use table::ExperienceSource;

use crate::{Error, Result};

/// The sources of a book's experience, in the order in which its rows count them.
pub(crate) fn sources_of(book: &Book) -> Result<Vec<ExperienceSource>> {
    let read = |source| serde_json::from_value(source);
    let sources: std::result::Result<_, _> = book.sources()?.into_iter().map(read).collect();
    sources.map_err(|error| {
        let path = book.path().display();
        Error::Recipe(format!("{path}: its list of who taught it cannot be read: {error}"))
    })
}
