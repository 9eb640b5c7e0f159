//! Books, tables, experience files and Polyglot books, recognised by their content.

use std::{io, path::Path, sync::Arc};

use book::{Book, polyglot};
use experience::ExperienceFile;
use table::{GameWeights, Table, Weighing};

use crate::{
    Error, Result,
    foreign::{self, FileKind},
};

/// The maximum number of attempts to run a query. A query is run again if the table was replaced while the
/// query was running.
const ATTEMPTS: u32 = 20;

/// An open file or folder in which positions and moves can be looked up.
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
    /// Opens `path`. A folder is opened as a table, a URL as a table in a store, and a file according to its
    /// content. A Polyglot book has no magic number, so it is recognised by the order of its entries. A
    /// `.tabia` book is memory-mapped (see [`Book::open`]).
    ///
    /// # Errors
    ///
    /// Fails with [`Error::Foreign`] if `path` is none of these, and with [`Error::Missing`] if it does not
    /// exist. Also fails if the artefact cannot be read or is damaged.
    pub fn open(path: &Path) -> Result<Self> {
        Self::open_by(path, Book::open)
    }

    /// Like [`open`](Self::open), but for long-running processes: nothing is memory-mapped, so no other
    /// process can crash this one by truncating a file. See [`Book::open_cached`].
    ///
    /// # Errors
    ///
    /// Fails as [`open`](Self::open) does.
    pub fn open_cached(path: &Path) -> Result<Self> {
        Self::open_by(path, Book::open_cached)
    }

    fn open_by(path: &Path, open_book: impl FnOnce(&Path) -> book::Result<Book>) -> Result<Self> {
        if store::url_of(path).map_err(table::Error::from)?.is_some() {
            return Ok(Self::Table(Table::open(path)?));
        }
        match path.metadata() {
            Ok(metadata) if metadata.is_dir() => {
                return Table::open(path).map(Self::Table).map_err(|error| foreign::folder(path, error));
            }
            Ok(metadata) if !metadata.is_file() => return Err(Error::NotAFile(path.into())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                // While a table is being replaced, there may be nothing at the path for a moment. This second
                // attempt then finds the new table.
                return Table::open(path).map(Self::Table).map_err(|_| Error::Missing(path.into()));
            }
            _ => {}
        }
        match open_book(path) {
            // The path has become a folder since it was checked above.
            Err(_) if path.is_dir() => return Ok(Self::Table(Table::open(path)?)),
            Err(book::Error::NotABook { .. }) => {}
            book => return Ok(Self::Book(book?)),
        }
        match FileKind::of(path)? {
            FileKind::Parquet => Ok(Self::Experience(ExperienceFile::open(path)?)),
            FileKind::Polyglot => Ok(Self::Polyglot(polyglot::Reader::open(path)?)),
            FileKind::Foreign(foreign) => Err(foreign.error(path)),
        }
    }

    /// Opens `path` and runs the query `question` on the artefact. If the artefact is a table that is
    /// replaced while the query is running, the query is run again on the new table.
    ///
    /// # Errors
    ///
    /// Fails in the same cases as [`open`](Self::open), or if `question` fails.
    pub fn ask<T>(path: &Path, mut question: impl FnMut(&Self) -> Result<T>) -> Result<T> {
        for _ in 1..ATTEMPTS {
            match Self::open(path).and_then(|artefact| question(&artefact)) {
                Err(error) if error.is_replaced() => {}
                answer => return answer,
            }
        }
        question(&Self::open(path)?)
    }

    /// The path of the artefact.
    #[must_use]
    pub fn path(&self) -> &Path {
        match self {
            Self::Book(book) => book.path(),
            Self::Table(table) => table.path(),
            Self::Experience(file) => file.path(),
            Self::Polyglot(reader) => reader.path(),
        }
    }

    /// The kind of the artefact with a definite article, such as `the book` or `the table`.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Book(_) => "the book",
            Self::Table(_) => "the table",
            Self::Experience(_) => "the experience file",
            Self::Polyglot(_) => "the Polyglot book",
        }
    }

    /// Whether the artefact is a book with experience: values that were learned or set by hand, in addition
    /// to the counts.
    #[must_use]
    pub fn has_experience(&self) -> bool {
        matches!(self, Self::Book(book) if book.has_experience())
    }

    /// The weights of the artefact's games under these options; `None` if every game counts once.
    ///
    /// # Errors
    ///
    /// Fails with [`Error::WrongKind`] if there are weights and the artefact is not a table, and with
    /// [`table::Error::NotGrouped`] if the table is not grouped by the dimensions that the weights depend on.
    pub fn weighing(&self, weights: GameWeights) -> Result<Option<Arc<Weighing>>> {
        match self {
            Self::Table(table) => Ok(table.weighing(weights)?),
            _ if weights.is_none() => Ok(None),
            other => Err(other
                .refused("which cannot give games different weights; only a table can, so name the table")),
        }
    }

    /// Returns the `.tabia` book if the artefact is one.
    ///
    /// # Errors
    ///
    /// Fails with [`Error::WrongKind`] if the artefact is of another kind.
    pub fn book(&self) -> Result<&Book> {
        match self {
            Self::Book(book) => Ok(book),
            other => Err(other.refused(match other {
                Self::Table(_) => "not a tabia book: make a book from it first, with `tabia compact`",
                Self::Experience(_) => {
                    "not a tabia book: make a book from a table and this file first, with `tabia compact`"
                }
                _ => "not a tabia book: it has weights, but no counts and no sources",
            })),
        }
    }

    /// Returns the Polyglot book if the artefact is one.
    ///
    /// # Errors
    ///
    /// Fails with [`Error::WrongKind`] if the artefact is of another kind.
    pub fn polyglot(&self) -> Result<&polyglot::Reader> {
        match self {
            Self::Polyglot(reader) => Ok(reader),
            other => Err(other.refused(
                "not a Polyglot book: make one from a book with `tabia export polyglot`, or look at this one with \
                 `tabia probe`",
            )),
        }
    }

    /// Returns the table if the artefact is one.
    ///
    /// # Errors
    ///
    /// Fails with [`Error::WrongKind`] if the artefact is of another kind.
    pub fn into_table(self) -> Result<Table> {
        match self {
            Self::Table(table) => Ok(table),
            other => Err(other.not_a_table()),
        }
    }

    /// Returns an [`Error::WrongKind`] that says that the artefact is not a table.
    #[must_use]
    pub fn not_a_table(&self) -> Error {
        self.refused("not a table: only a table holds every count, so name the table")
    }

    /// The error for an operation that needs an artefact of another kind. The message names the kind of this
    /// artefact and ends with `why`.
    fn refused(&self, why: &'static str) -> Error {
        Error::WrongKind { path: self.path().into(), got: self.kind(), why }
    }

    /// The kind of the artefact with an indefinite article, such as `a table`.
    #[must_use]
    pub fn kind(&self) -> &'static str {
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
    use fault::Failure as _;

    use std::{fs, sync::atomic::AtomicBool};

    use shakmaty::Chess;

    use super::*;
    use crate::{verify, why};

    #[test]
    fn a_question_is_put_anew_if_the_table_was_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("book.bin");
        fs::write(&path, "").unwrap();
        let replaced = || Error::from(table::Error::Replaced(path.clone()));
        let mut asked = 0;
        let answer = Artefact::ask(&path, |artefact| {
            asked += 1;
            if asked < 3 { Err(replaced()) } else { Ok(artefact.name()) }
        });
        assert_eq!((answer.unwrap(), asked), ("the Polyglot book", 3));
        let error = Artefact::ask(&path, |_| Err::<(), _>(replaced())).unwrap_err();
        assert!(
            error
                .to_string()
                .ends_with("was replaced by another table while it was being read: run the command again")
        );
        let mut asked = 0;
        let other = Artefact::ask(&path, |_| {
            asked += 1;
            Err::<(), _>(Error::Stopped)
        });
        assert!(matches!(other, Err(Error::Stopped)) && asked == 1);
    }

    #[test]
    fn wrong_arguments_are_usage_and_damage_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("book.bin");
        fs::write(&path, "").unwrap();
        let polyglot = Artefact::open(&path).unwrap();
        assert_eq!((polyglot.name(), polyglot.path()), ("the Polyglot book", path.as_path()));
        let error = why(&polyglot, &Chess::default(), "e4").unwrap_err();
        assert!(
            error.kind().is_usage() && error.to_string().contains("is a Polyglot book, not a tabia book"),
            "{error}"
        );
        let error = verify(&polyglot, 1, &AtomicBool::new(false)).unwrap_err();
        assert!(!error.kind().is_usage() && matches!(error, Error::Empty { .. }), "{error}");
        fs::write(&path, "TABIABK\nand nothing more").unwrap();
        let error = Artefact::open(&path).err().unwrap();
        assert!(!error.kind().is_usage() && matches!(error, Error::Book(_)), "{error}");
        let error = Artefact::open(folder.path()).err().unwrap();
        assert!(!error.kind().is_usage() && matches!(error, Error::Table(_)), "{error}");
    }
}
