//! The errors of tables.

use std::{
    io,
    path::{Path, PathBuf},
};

use fault::{Failure, Kind};
use parquet::errors::ParquetError;
use position::{Key, PackedMove, Tally};

/// The result type of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error of this crate.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Reading, writing, syncing or renaming failed.
    #[error("{path}: {source}")]
    Io {
        /// The file or directory.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// A file of the table cannot be read from its store.
    #[error(transparent)]
    Store(#[from] store::Error),
    /// A part file could not be written or decoded.
    #[error("{path}: {source}")]
    Parquet {
        /// The part file.
        path: PathBuf,
        /// The Parquet library's error.
        source: ParquetError,
    },
    /// There is no table at the path.
    #[error("{path} is not a table: {what}")]
    NotATable {
        /// What was opened.
        path: PathBuf,
        /// What is missing.
        what: &'static str,
    },
    /// The weights of games depend on a dimension by which the counts are not grouped: `month` or `rating
    /// band`.
    #[error("to weight games by {group}, the counts must be grouped by {group}", group = .0)]
    NotGrouped(&'static str),
    /// The table has a newer format than this version can read.
    #[error("{path} has table format {got}, but this version reads only up to {expected}: use a newer tabia")]
    Version {
        /// The manifest.
        path: PathBuf,
        /// The newest format that this version reads.
        expected: u32,
        /// The table's format.
        got: u32,
    },
    /// The manifest cannot be parsed, or is inconsistent.
    #[error("{path} is not a valid manifest: {what}")]
    Manifest {
        /// The manifest.
        path: PathBuf,
        /// What is wrong, with the line and column if they are known.
        what: String,
    },
    /// A file's checksum differs from the recorded one.
    #[error("{path} is damaged: its checksum is {got}, expected {expected}; write it again")]
    Checksum {
        /// The damaged file.
        path: PathBuf,
        /// The checksum recorded.
        expected: String,
        /// The file's actual checksum.
        got: String,
    },
    /// A part file is longer or shorter than the manifest states.
    #[error("{path} is damaged: it has {got} bytes, expected {expected}; write the table again")]
    Length {
        /// The damaged file.
        path: PathBuf,
        /// The length in bytes that the manifest states.
        expected: u64,
        /// The file's length in bytes.
        got: u64,
    },
    /// The table's files are gone, because another table has taken its place.
    #[error("{path} was replaced by another table while it was being read: run the command again", path = .0.display())]
    Replaced(PathBuf),
    /// The table to be changed was replaced by another table after it had been read.
    #[error(
        "{path} was replaced after it was read, so nothing was changed: run the command again",
        path = .0.display()
    )]
    NotTheOneRead(PathBuf),
    /// The rows are not in strictly ascending order of (key, move, group).
    #[error(
        "{path}, row {row}: rows must be in ascending order without repetition, but {got} follows {previous}"
    )]
    Order {
        /// The part file.
        path: PathBuf,
        /// The row's index in its part, from 0.
        row: u64,
        /// The row before it: key, move and group.
        previous: String,
        /// The row: key, move and group.
        got: String,
    },
    /// A key outside its shard's range.
    #[error("{path}, row {row}: key {key} is outside the range of its shard, {first} to {last}")]
    KeyRange {
        /// The part file.
        path: PathBuf,
        /// The row's index in its part, from 0.
        row: u64,
        /// The key.
        key: Key,
        /// The shard's first key.
        first: Key,
        /// The shard's last key.
        last: Key,
    },
    /// The contents of a part file differ from what its manifest says.
    #[error("{path}: {what}: expected {expected}, got {got}")]
    Mismatch {
        /// The part file.
        path: PathBuf,
        /// What differs.
        what: &'static str,
        /// The value that the manifest states or the format requires.
        expected: String,
        /// The value in the file.
        got: String,
    },
    /// A value that is not allowed in its column.
    #[error("{path}, row {row}: {what}")]
    Value {
        /// The part file.
        path: PathBuf,
        /// The row's index in its part, from 0.
        row: u64,
        /// What is wrong with the value.
        what: String,
    },
    /// A file that is not an experience file.
    #[error("{path} is not an experience file: it was not written by `tabia learn`{then}", path = .0.display(), then = of_engine(.0))]
    NotAnExperience(PathBuf),
    /// The experience file has a newer format than this version can read.
    #[error(
        "{path} has experience format {got}, but this version reads only up to {expected}: use a newer tabia"
    )]
    ExperienceVersion {
        /// The file.
        path: PathBuf,
        /// The newest format that this version reads.
        expected: u32,
        /// The file's format.
        got: u32,
    },
    /// A count that does not fit the signed 64-bit columns.
    #[error("the count of move {mv} in position {key} exceeds 2^63 - 1")]
    CountTooLarge {
        /// The position.
        key: Key,
        /// The move.
        mv: PackedMove,
    },
    /// There is already a file or folder at the output path.
    #[error("{path} already exists", path = .0.display())]
    OutputExists(PathBuf),
    /// Two tables that were counted differently.
    #[error(
        "{path}: {option} is {got}, but in {other} it is {expected}; count the games of one again with the settings of the other"
    )]
    Disagree {
        /// The table that differs.
        path: PathBuf,
        /// The table with which it was compared.
        other: PathBuf,
        /// The option that differs.
        option: &'static str,
        /// The other table's value.
        expected: Box<str>,
        /// This table's value.
        got: Box<str>,
    },
    /// A source would be counted twice in the result.
    #[error("{path}: {name} ({identity}) has already been counted")]
    SourceRepeated {
        /// The second of the two tables that count the source.
        path: PathBuf,
        /// The source's name in the table at `path`.
        name: String,
        /// The identity by which the source is recognised.
        identity: String,
    },
    /// Some games are in more than one of the tables to be joined and would be counted twice.
    #[error("{other} and {path} share {games} games, which would be counted twice; nothing was written")]
    SharedGames {
        /// The second of the tables to be joined.
        path: PathBuf,
        /// The first of the tables to be joined.
        other: PathBuf,
        /// The number of games.
        games: u64,
    },
    /// A table with fingerprints, which cannot be merged shard by shard because the fingerprints of all its
    /// games must be compared.
    #[error(
        "{path} was counted without copies of games, and such tables can be merged only on one machine, because \
         all their games are compared",
        path = .0.display()
    )]
    KnowsGames(PathBuf),
    /// Some of the games to be subtracted are not in the table.
    #[error("{games} of the games to be subtracted are not in {path}; nothing was changed")]
    GamesNotHeld {
        /// The table to subtract from.
        path: PathBuf,
        /// The number of games.
        games: u64,
    },
    /// A subtraction that would make a count negative.
    #[error(
        "{path}: cannot subtract {got:?} from {expected:?} (white, draws, black) at key {key}, move {mv}; nothing was changed"
    )]
    BelowZero {
        /// The table to subtract from.
        path: PathBuf,
        /// The position.
        key: Key,
        /// The move.
        mv: PackedMove,
        /// The counts in the table.
        expected: [u64; 3],
        /// The counts to be subtracted.
        got: [u64; 3],
    },
    /// A subtraction that would leave rating sums that are impossible for the remaining games.
    #[error(
        "{path}: cannot subtract the ratings {got:?} from {expected:?} (mover, opponent, rated games) at key {key}, move {mv}; nothing was changed"
    )]
    RatingsBelowZero {
        /// The table to subtract from.
        path: PathBuf,
        /// The position.
        key: Key,
        /// The move.
        mv: PackedMove,
        /// The sums in the table.
        expected: [u64; 3],
        /// The sums to be subtracted.
        got: [u64; 3],
    },
    /// The caller asked to stop.
    #[error("stopped")]
    Stopped,
}

impl Failure for Error {
    fn kind(&self) -> Kind {
        match self {
            Error::NotGrouped { .. } => Kind::NotGrouped,
            Error::OutputExists { .. } => Kind::Exists,
            Error::SourceRepeated { .. } => Kind::Repeated,
            Error::SharedGames { .. } => Kind::SharedGames,
            Error::Disagree { option, .. } if *option == crate::Counting::GROUP_OPTION => Kind::OtherGroups,
            Error::Stopped => Kind::Stopped,
            Error::Store(error) => error.kind(),
            _ => Kind::Other,
        }
    }
}

impl Error {
    /// Converts an I/O error into the error for creating or finishing the output at `path`, for use in
    /// `map_err`.
    pub fn output(path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| match source.kind() {
            io::ErrorKind::AlreadyExists => Self::OutputExists(path.to_owned()),
            _ => Self::io(path)(source),
        }
    }

    /// Converts an I/O error into the error for reading or writing the file at `path`, for use in `map_err`.
    pub fn io(path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Io { path: path.to_owned(), source }
    }

    /// The error for subtracting more games than the table has; `games` contains the table's tally, then the
    /// tally to be subtracted.
    pub(crate) fn below_zero(path: &Path, (key, mv): (Key, PackedMove), games: [Tally; 2]) -> Self {
        let [expected, got] = games.map(|tally| [tally.white, tally.draws, tally.black]);
        Self::BelowZero { path: path.to_owned(), key, mv, expected, got }
    }

    /// Converts an error of the Parquet library into one of this crate; an I/O error inside it remains an I/O
    /// error.
    pub fn parquet(path: &Path) -> impl FnOnce(ParquetError) -> Self {
        move |error| match system_error(error) {
            Ok(source) => Self::io(path)(source),
            Err(source) => Self::Parquet { path: path.to_owned(), source },
        }
    }
}

/// Returns a hint if the file has the extension `.exp`, which some engines use for their learning files.
fn of_engine(path: &Path) -> &'static str {
    let is_of_engine = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("exp"));
    if is_of_engine { "; `tabia learn exp` makes one from the file of an engine" } else { "" }
}

/// Extracts the I/O error that an error of the Parquet library wraps.
///
/// # Errors
///
/// Returns the Parquet library's own errors unchanged.
pub fn system_error(error: ParquetError) -> Result<io::Error, ParquetError> {
    match error {
        ParquetError::External(inner) => inner.downcast().map(|error| *error).map_err(ParquetError::External),
        error => Err(error),
    }
}

impl From<output::Error> for Error {
    fn from(error: output::Error) -> Self {
        match error {
            output::Error::Store(error) => Self::Store(error),
            output::Error::Exists(path) => Self::OutputExists(path),
            output::Error::NoMarker { path, .. } => {
                Self::NotATable { path, what: "only a table is replaced by one" }
            }
            output::Error::NoName(path) => Self::NotATable { path, what: "the path names no file" },
            output::Error::Io { path, source } => Self::Io { path, source },
        }
    }
}
