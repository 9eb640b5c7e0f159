//! Books, tables, experience files and Polyglot books, recognized by their content.

use std::{io, path::Path};

use book::{Book, polyglot};
use table::{ExperienceFile, Table};

use crate::{
    Error, Result,
    foreign::{self, Kind},
};

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
    /// Opens `path`: a folder as a table, a file by its content. A Polyglot book has no mark of its own: it
    /// is recognized by the order of its entries.
    ///
    /// # Errors
    ///
    /// [`Error::Foreign`] if it is none of these, [`Error::Missing`]; if it cannot be read or is damaged.
    pub fn open(path: &Path) -> Result<Self> {
        match path.metadata() {
            Ok(metadata) if metadata.is_dir() => {
                return Table::open(path).map(Self::Table).map_err(|error| foreign::folder(path, error));
            }
            Ok(metadata) if !metadata.is_file() => return Err(Error::NotAFile { path: path.into() }),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                // A table that is just being replaced is found again.
                return Table::open(path).map(Self::Table).map_err(|_| Error::Missing { path: path.into() });
            }
            _ => {}
        }
        match Book::open(path) {
            Err(book::Error::NotABook { .. }) => {}
            book => return Ok(Self::Book(book?)),
        }
        match Kind::of(path)? {
            Kind::Parquet => Ok(Self::Experience(ExperienceFile::open(path)?)),
            Kind::Polyglot => Ok(Self::Polyglot(polyglot::Reader::open(path)?)),
            Kind::Foreign(foreign) => Err(foreign.error(path)),
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
        match self {
            Self::Book(book) => Ok(book),
            other => Err(Error::NotABook { path: other.path().into(), got: other.kind() }),
        }
    }

    /// The table it is.
    ///
    /// # Errors
    ///
    /// [`Error::NotATable`] if it is something else.
    pub fn into_table(self) -> Result<Table> {
        match self {
            Self::Table(table) => Ok(table),
            other => Err(Error::NotATable { path: other.path().into(), got: other.kind() }),
        }
    }

    /// What it is, with an article: `a table`.
    fn kind(&self) -> &'static str {
        match self {
            Self::Book(_) => "a book",
            Self::Table(_) => "a table",
            Self::Experience(_) => "an experience file",
            Self::Polyglot(_) => "a Polyglot book",
        }
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
