//! Errors in inputs and settings. A bad *game* is not an error: see `Rejection`.

mod expression;

use std::{io, path::PathBuf};

use fault::{Failure, Kind};

pub use expression::ExprError;

/// The result type of this crate.
pub type Result<T> = std::result::Result<T, Error>;

/// Why an input could not be read, or a setting could not be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// An input that cannot be read for a reason other than damaged data: the operating system failed to read
    /// it, for example, or the file has changed.
    #[error("cannot read {path} at byte {offset}: {source}")]
    Read {
        /// The input, as the user named it.
        path: PathBuf,
        /// The byte offset in the stored file.
        offset: u64,
        /// The system's error.
        source: io::Error,
    },
    /// A line of moves that cannot be played from the start position.
    #[error("`{text}`, at ply {ply} of the line, is {why}")]
    Line {
        /// The number of the ply that failed; White's first ply has number 1.
        ply: usize,
        /// The text of that ply.
        text: String,
        /// The reason why that text cannot be played.
        why: &'static str,
    },
    /// Text that is not a FEN, or the FEN of an illegal position.
    #[error("`{fen}` is {why}")]
    Fen {
        /// The text.
        fen: String,
        /// The reason why the text is not the FEN of a legal position.
        why: position::FenError,
    },
    /// A setting's value that cannot be read.
    #[error("`{given}` is not a {what}: expected {expected}")]
    Value {
        /// The kind of value, such as `date`.
        what: &'static str,
        /// The value that was given.
        given: String,
        /// The values that are allowed.
        expected: &'static str,
    },
    /// Settings that contradict each other.
    #[error("`{setting}`: expected {expected}, got {got}")]
    Setting {
        /// The setting's name in recipes.
        setting: &'static str,
        /// The values that the other settings allow.
        expected: &'static str,
        /// The value that was given.
        got: String,
    },
    /// A player's name between slashes that is not a valid regular expression.
    #[error("/{pattern}/ is not a valid regular expression: {source}")]
    Pattern {
        /// The text between the slashes.
        pattern: String,
        /// The fault in the regular expression.
        source: regex::Error,
    },
    /// An expression over tags that cannot be used; the message points at the mistake.
    #[error(transparent)]
    Expression(#[from] ExprError),
    /// A name that is not a pattern and matches no file or directory.
    #[error("{name}: no such file or directory", name = .0)]
    NoSuchFile(String),
    /// A file name pattern that matches no file.
    #[error("{pattern}: no file matches this pattern", pattern = .0)]
    NoMatch(String),
    /// A file name pattern that cannot be read.
    #[error("{pattern} is not a valid pattern for file names: {why}")]
    FilePattern {
        /// The pattern as given.
        pattern: String,
        /// The fault in the pattern.
        why: &'static str,
    },
    /// A directory without PGN files.
    #[error("{directory} has no PGN files (*.pgn, plain or compressed, .zip or .7z, at any depth)", directory = .0)]
    NoPgn(String),
    /// A directory without learning files.
    #[error(
        "{directory} has no learning files: no file in it, plain or compressed, is named *.lrn or begins like a learning file",
        directory = .0
    )]
    NoLearned(String),
    /// A directory without lists of evaluated positions.
    #[error(
        "{directory} has no lists of evaluated positions: no file in it, plain or compressed, is named *.jsonl or begins like such a list",
        directory = .0
    )]
    NoEvals(String),
    /// An input that is not a list of evaluated positions.
    #[error("{name} is not a list of evaluated positions: {why}")]
    NotEvals {
        /// The input.
        name: String,
        /// The reason why the input is not such a list.
        why: String,
    },
    /// An input that cannot be cut into sections, or an input other than the file from which the given
    /// sections were cut.
    #[error("several machines cannot share {name}: {why}")]
    NoSections {
        /// The input.
        name: String,
        /// The reason why machines cannot share the input.
        why: &'static str,
    },
    /// An input that is not PGN.
    #[error("{name} is not PGN: {why}")]
    NotPgn {
        /// The input, or `archive!member`.
        name: String,
        /// What the input is, or seems to be.
        why: String,
    },
    /// Compressed data that is damaged or cut short.
    #[error("{name} is damaged or cut short at byte {offset}{text}; copy or download it again ({packing}: {source})",
        text = text_offset.map(|offset| format!(" (byte {offset} of the text)")).unwrap_or_default())]
    Damaged {
        /// The input, or `archive!member`.
        name: String,
        /// How it is compressed.
        packing: &'static str,
        /// The approximate offset of the fault in the stored file, or the file's length if it ends too early.
        offset: u64,
        /// How many bytes of text were decompressed before the fault, if that is known.
        text_offset: Option<u64>,
        /// The decoder's error.
        source: io::Error,
    },
    /// Compressed data that takes more memory to decompress than is allowed.
    #[error("decompressing {name} ({packing}) needs a window of {needed} MiB, but {limit} allows only {allowed} MiB",
        needed = window_bytes.map_or_else(|| format!("more than {}", allowed_bytes >> 20), |bytes| bytes.div_ceil(1 << 20).to_string()),
        allowed = allowed_bytes >> 20, limit = if *by_length { "the default" } else { "the memory limit" })]
    LongWindow {
        /// The input.
        name: String,
        /// How it is compressed.
        packing: &'static str,
        /// The size of the window, if it is known.
        window_bytes: Option<u64>,
        /// The largest window that is allowed.
        allowed_bytes: u64,
        /// Whether the user can raise the limit; if not, there is too little memory.
        by_length: bool,
    },
    /// An archive, or a member of one, that needs a password.
    #[error("{name} is encrypted: decrypt it first", name = .0)]
    Encrypted(String),
    /// An archive that comes from a stream. Archives of this kind can be read only from a file.
    #[error("{name} is a {packing} archive, which cannot be read from a stream: give a file instead")]
    NeedsFile {
        /// The stream.
        name: String,
        /// How it is compressed.
        packing: &'static str,
    },
    /// The caller asked to stop. The request need not come from the user.
    #[error("interrupted")]
    Stopped,
}

impl Failure for Error {
    fn kind(&self) -> Kind {
        match self {
            Error::LongWindow { by_length: true, .. } => Kind::LongWindow,
            Error::LongWindow { by_length: false, .. } => Kind::WindowBeyondMemory,
            Error::Stopped => Kind::Stopped,
            _ => Kind::Other,
        }
    }
}
