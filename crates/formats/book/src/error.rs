//! The errors of this crate.

use std::{
    io,
    path::{Path, PathBuf},
};

use fault::FileFault;
use position::Key;

/// Why a book could not be written, opened, read or exported. [`Error::is_damage`] distinguishes damaged
/// books from all other errors.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The operating system reported an error.
    #[error(transparent)]
    Io(#[from] FileFault),
    /// The file does not begin with the magic of a book.
    #[error("{path} is not a tabia book (it does not begin with TABIABK); a Polyglot book must be named *.bin", path = .0.display())]
    NotABook(PathBuf),
    /// The file was written by a later release.
    #[error(
        "{path} is a book of format version {got}, but this version reads only up to {expected}: use a \
         newer tabia, or compact the table again with this one"
    )]
    NewerVersion {
        /// The file.
        path: PathBuf,
        /// The newest version that this program reads.
        expected: u32,
        /// The version of the file.
        got: u32,
    },
    /// The file is shorter or longer than its header says.
    #[error("{path} is {got} bytes long, not {expected}: copy it again, or compact its table again")]
    Length {
        /// The file.
        path: PathBuf,
        /// The length given in the header, or the size of a header if the file is too short to have one.
        expected: u64,
        /// The length of the file.
        got: u64,
    },
    /// The file contains bytes that no writer would produce.
    #[error("{path} is damaged at byte {offset}: {what}; copy it again, or compact its table again")]
    Corrupt {
        /// The file.
        path: PathBuf,
        /// Offset from the start of the file.
        offset: u64,
        /// The fault.
        what: &'static str,
    },
    /// The output exists, and replacing it was not allowed.
    #[error("{path} already exists", path = .0.display())]
    OutputExists(PathBuf),
    /// Positions are not in ascending order of key.
    #[error(
        "positions must be added in ascending order of their keys, each once, but {got} came after {previous}"
    )]
    Order {
        /// The previous key.
        previous: Key,
        /// The key that is not above the previous one.
        got: Key,
    },
    /// A segment was encoded for a book with a different number of bucket bits.
    #[error("the segment has {got} bucket bits, but the book has {expected}")]
    ForeignSegment {
        /// The book's number of bucket bits.
        expected: u32,
        /// The segment's number of bucket bits.
        got: u32,
    },
    /// A bucket is too long; the value is its length in bytes. So many keys have the same top bits that they
    /// cannot be hashes of positions.
    #[error(
        "a bucket takes {bytes} bytes, but at most 2^32 - 1 are allowed: so many keys begin with the same bits that they cannot be hashes of positions",
        bytes = .0
    )]
    BucketTooLong(u64),
    /// A position cannot be stored in a book.
    #[error("position {key} cannot be stored in a book: {what}")]
    Entry {
        /// The position.
        key: Key,
        /// The fault.
        what: &'static str,
    },
    /// A filter or weight cannot be parsed.
    #[error("{text:?} is not {what}")]
    Setting {
        /// The text given.
        text: String,
        /// The syntax expected.
        what: &'static str,
    },
    /// A file is not a valid Polyglot book.
    #[error("{path} is not a valid Polyglot book: {what} at byte {offset}")]
    NotPolyglot {
        /// The file.
        path: PathBuf,
        /// Offset from the start of the file.
        offset: u64,
        /// The fault.
        what: &'static str,
    },
    /// The file does not begin with the magic of an Arena book.
    #[error("{path} is not an Arena book (ABK): it does not begin with the byte 3 and `AB`", path = .0.display())]
    NotAnAbk(PathBuf),
    /// The file is not laid out as a ChessBase book.
    #[error("{path} is not a ChessBase book (CTG): {what}")]
    NotACtg {
        /// The file.
        path: PathBuf,
        /// What is wrong with the layout.
        what: &'static str,
    },
    /// A ChessBase book is damaged.
    #[error("{path} is damaged at byte {offset}: {what}; copy it again, or check the book in ChessBase")]
    Ctg {
        /// The file.
        path: PathBuf,
        /// Offset from the start of the file.
        offset: u64,
        /// The fault.
        what: &'static str,
    },
    /// An Arena book is damaged.
    #[error(
        "{path} is damaged at record {record} (byte {offset}): {what}; copy it again, or save it again in \
         Arena"
    )]
    Abk {
        /// The file.
        path: PathBuf,
        /// The number of the record; the header counts as 900 records.
        record: u32,
        /// The offset of the record from the start of the file.
        offset: u64,
        /// The fault.
        what: &'static str,
    },
}

/// A `Result` whose default error is this crate's [`Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;

fault::kinds!(Error { Exists: OutputExists });

impl Error {
    /// Whether the file is a damaged book: its length is wrong, or it contains bytes that no writer would
    /// produce. Files in another format or of a newer version do not count as damaged.
    #[must_use]
    pub fn is_damage(&self) -> bool {
        matches!(self, Error::Length { .. } | Error::Corrupt { .. })
    }

    /// Wraps an I/O error about `path`, for use in `map_err`.
    pub(crate) fn io(path: &Path) -> impl Fn(io::Error) -> Error + '_ {
        move |source| FileFault::new("", path, source).into()
    }

    /// Wraps an I/O error from creating or finishing the output at `path`, for use in `map_err`.
    pub(crate) fn output(path: &Path) -> impl Fn(io::Error) -> Error + '_ {
        move |source| match source.kind() {
            io::ErrorKind::AlreadyExists => Error::OutputExists(path.to_owned()),
            _ => Self::io(path)(source),
        }
    }

    pub(crate) fn setting(text: &str, what: &'static str) -> Error {
        Error::Setting { text: text.to_owned(), what }
    }
}

/// A fault found by a decoder, which does not know which file or offset it is reading.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct DecodeFault(pub(crate) &'static str);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_book_with_wrong_bytes_is_damaged() {
        let path = PathBuf::from("a.tabia");
        let corrupt = Error::Corrupt { path: path.clone(), offset: 9, what: "a fault" };
        assert!(corrupt.is_damage());
        assert!(Error::Length { path: path.clone(), expected: 9, got: 8 }.is_damage());
        assert!(!Error::NotABook(path.clone()).is_damage());
        assert!(!Error::NewerVersion { path: path.clone(), expected: 1, got: 2 }.is_damage());
        assert!(!Error::OutputExists(path).is_damage());
    }
}
