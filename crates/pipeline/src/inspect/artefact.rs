//! What kind of thing a path names, told by its content.

use std::{fs::File, io::Read as _, path::Path};

use crate::Result;

/// Something Tabia can look into, opened.
pub enum Artefact {
    /// A `.tabia` book.
    Book(book::Book),
    /// A table.
    Table(table::Table),
    /// An experience file.
    Experience(table::ExperienceFile),
    /// A Polyglot book.
    Polyglot(book::polyglot::Reader),
}

impl Artefact {
    /// Opens what `path` names.
    ///
    /// # Errors
    ///
    /// If it is none of these, or damaged.
    pub fn open(path: &Path) -> Result<Self> {
        if path.is_dir() {
            return Ok(Self::Table(table::Table::open(path)?));
        }
        match book::Book::open(path) {
            Err(book::Error::NotABook { .. }) if is_parquet(path) => {
                Ok(Self::Experience(table::ExperienceFile::open(path)?))
            }
            Err(book::Error::NotABook { .. }) => Ok(Self::Polyglot(book::polyglot::Reader::open(path)?)),
            book => Ok(Self::Book(book?)),
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
}

/// Whether a file begins as Parquet files do.
fn is_parquet(path: &Path) -> bool {
    let mut magic = [0; 4];
    File::open(path).and_then(|mut file| file.read_exact(&mut magic)).is_ok() && magic == *b"PAR1"
}
