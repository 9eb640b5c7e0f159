//! Books, tables, experience files and Polyglot books, recognized by their content.

use std::path::Path;

use book::{Book, polyglot};
use table::{ExperienceFile, Table};

use crate::{Error, Result};

/// A file or folder that questions are put to, opened.
pub enum Artefact {
    /// A `.tabia` book.
    Book(Book),
    /// A table.
    Table(Table),
    /// An experience file.
    Experience(ExperienceFile),
    /// A Polyglot book.
    Polyglot(polyglot::Reader),
}

impl Artefact {
    /// Opens `path`: a folder as a table, a file by its first bytes. A file that neither begins as a book nor
    /// begins or ends as Parquet is taken for a Polyglot book, which has no mark of its own.
    ///
    /// # Errors
    ///
    /// If it is none of these, cannot be read or is damaged.
    pub fn open(path: &Path) -> Result<Self> {
        if path.is_dir() {
            return Ok(Self::Table(Table::open(path)?));
        }
        match Book::open(path) {
            Err(book::Error::NotABook { .. }) if ExperienceFile::is_likely(path) => {
                Ok(Self::Experience(ExperienceFile::open(path)?))
            }
            Err(book::Error::NotABook { .. }) => Ok(Self::Polyglot(polyglot::Reader::open(path)?)),
            book => Ok(Self::Book(book?)),
        }
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        match self {
            Self::Book(book) => book.path(),
            Self::Table(table) => table.path(),
            Self::Experience(file) => file.path(),
            Self::Polyglot(reader) => reader.path(),
        }
    }

    /// What it is, in words: `the book`, `the table` …
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Book(_) => "the book",
            Self::Table(_) => "the table",
            Self::Experience(_) => "the experience file",
            Self::Polyglot(_) => "the Polyglot book",
        }
    }

    /// The `.tabia` book it is.
    ///
    /// # Errors
    ///
    /// [`Error::NotABook`] if it is something else.
    pub fn book(&self) -> Result<&Book> {
        let got = match self {
            Self::Book(book) => return Ok(book),
            Self::Table(_) => "a table",
            Self::Experience(_) => "an experience file",
            Self::Polyglot(_) => "a Polyglot book",
        };
        Err(Error::NotABook { path: self.path().into(), got })
    }
}

#[cfg(test)]
mod tests {
    use std::{fs, sync::atomic::AtomicBool};

    use shakmaty::Chess;

    use super::*;
    use crate::{verify, why};

    #[test]
    fn wrong_arguments_are_usage_and_damage_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("book");
        fs::write(&path, "").unwrap();
        let polyglot = Artefact::open(&path).unwrap();
        assert_eq!((polyglot.name(), polyglot.path()), ("the Polyglot book", path.as_path()));
        let error = why(&polyglot, &Chess::default(), "e4").unwrap_err();
        assert!(
            error.is_usage() && error.to_string().contains("is a Polyglot book, not a tabia book"),
            "{error}"
        );
        let error = verify(&polyglot, 1, &AtomicBool::new(false)).unwrap_err();
        assert!(!error.is_usage() && matches!(error, Error::Empty { .. }), "{error}");
        fs::write(&path, "TABIABK\nand nothing more").unwrap();
        let error = Artefact::open(&path).err().unwrap();
        assert!(!error.is_usage() && matches!(error, Error::Book(_)), "{error}");
        let error = Artefact::open(folder.path()).err().unwrap();
        assert!(!error.is_usage() && matches!(error, Error::Table(_)), "{error}");
    }
}
