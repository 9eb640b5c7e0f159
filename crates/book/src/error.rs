//! What can go wrong with books, and what to do about it.

use std::{
    io,
    path::{Path, PathBuf},
};

use position::Key;

/// Why a book could not be written, opened, read or exported.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The operating system refused.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What it said.
        source: io::Error,
    },
    /// The file does not begin with the magic of a book.
    #[error("{} is not a tabia book (it does not begin with TABIABK); a Polyglot book ends in .bin", path.display())]
    NotABook {
        /// The file.
        path: PathBuf,
    },
    /// The file was made by a later release.
    #[error(
        "{} is a book of format version {got}, this program reads up to {expected}: \
         use a newer tabia, or compact the table again with this one",
        path.display()
    )]
    NewerVersion {
        /// The file.
        path: PathBuf,
        /// The newest version this program reads.
        expected: u32,
        /// The version of the file.
        got: u32,
    },
    /// The file has not the length it says.
    #[error("{} is {got} bytes long, not {expected}: copy it again, or compact its table again", path.display())]
    Length {
        /// The file.
        path: PathBuf,
        /// Bytes the header speaks of; the header's own size if not even that is there.
        expected: u64,
        /// Bytes there are.
        got: u64,
    },
    /// Bytes that no writer wrote.
    #[error("{} is damaged at byte {offset}: {what}; copy it again, or compact its table again", path.display())]
    Corrupt {
        /// The file.
        path: PathBuf,
        /// Where, from the start of the file.
        offset: u64,
        /// What does not fit.
        what: &'static str,
    },
    /// A file that would have been overwritten.
    #[error("{} exists and is not replaced unless asked", path.display())]
    OutputExists {
        /// The file.
        path: PathBuf,
    },
    /// Positions did not come in ascending order of key.
    #[error("positions must come in ascending order of key, each once: {got} came after {previous}")]
    Order {
        /// The key before.
        previous: Key,
        /// The key that is not above it.
        got: Key,
    },
    /// Segments were encoded for a book of another size.
    #[error("a segment with {got} bucket bits does not fit a book with {expected}")]
    ForeignSegment {
        /// Bucket bits of the book.
        expected: u32,
        /// Bucket bits of the segment.
        got: u32,
    },
    /// More positions of neighbouring keys than hashes of that many positions could have.
    #[error("a bucket takes {got} bytes, more than 2^32: its keys are no position hashes")]
    BucketTooLong {
        /// Bytes of the bucket.
        got: u64,
    },
    /// A position that no book can hold.
    #[error("position {key} cannot stand in a book: {what}")]
    Entry {
        /// The position.
        key: Key,
        /// What is wrong with it.
        what: &'static str,
    },
    /// A filter or weight that cannot be read.
    #[error("{text:?} is not {what}")]
    Setting {
        /// What was given.
        text: String,
        /// What was wanted.
        what: &'static str,
    },
    /// A file that cannot be a Polyglot book.
    #[error("{} is not a sound Polyglot book: {what} at byte {offset}", path.display())]
    NotPolyglot {
        /// The file.
        path: PathBuf,
        /// Where, from the start of the file.
        offset: u64,
        /// What does not fit.
        what: &'static str,
    },
}

/// A result of this crate.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// Wraps what the system said about `path`; made for `map_err`.
    pub(crate) fn io(path: &Path) -> impl Fn(io::Error) -> Error + '_ {
        move |source| Error::Io { path: path.to_owned(), source }
    }

    /// What creating or finishing the output at `path` failed with; made for `map_err`.
    pub(crate) fn output(path: &Path) -> impl Fn(io::Error) -> Error + '_ {
        move |source| match source.kind() {
            io::ErrorKind::AlreadyExists => Error::OutputExists { path: path.to_owned() },
            _ => Error::Io { path: path.to_owned(), source },
        }
    }

    pub(crate) fn setting(text: &str, what: &'static str) -> Error {
        Error::Setting { text: text.to_owned(), what }
    }
}

/// What a decoder found wrong, before it is known which file and where.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct Broken(pub(crate) &'static str);
