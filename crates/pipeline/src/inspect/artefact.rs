//! What kind of thing a path names, told by its content.

use std::path::Path;

use crate::Result;

/// Something Tabia can look into, opened.
pub enum Artefact {
    /// A `.tabia` book.
    Book(book::Book),
    /// A table.
    Table(table::Table),
    /// A Polyglot book.
    Polyglot(book::polyglot::Reader),
}

impl Artefact {
    /// Opens what `path` names.
    ///
    /// # Errors
    ///
    /// If it is none of the three, or damaged.
    pub fn open(path: &Path) -> Result<Self> {
        if path.is_dir() {
            return Ok(Self::Table(table::Table::open(path)?));
        }
        match book::Book::open(path) {
            Err(book::Error::NotABook { .. }) => Ok(Self::Polyglot(book::polyglot::Reader::open(path)?)),
            book => Ok(Self::Book(book?)),
        }
    }
}
