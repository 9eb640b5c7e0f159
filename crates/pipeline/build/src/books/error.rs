//! Why finished books could not be put together.

use std::path::PathBuf;

use fault::{Failure, Kind};

/// What was wrong with the books or the settings.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BooksError {
    /// Nothing to read.
    #[error("no input was named")]
    Nothing,
    /// An output that cannot be a stream.
    #[error("--output: a book cannot be standard output: name a file")]
    Stdout,
    /// More moves than an Arena book may have records.
    #[error(
        "{missing} moves that lines lead to have no room in {most} records, the rarest lines: raise --max-records, \
         or ask for fewer lines with --max-ply or --min-games"
    )]
    NoRoom {
        /// Moves that are left out.
        missing: u64,
        /// Records.
        most: u64,
    },
    /// An output whose name does not say what it is to be.
    #[error(
        "--output: {} is neither NAME.table (a table of counts) nor NAME.tabia (a book with marks)",
        output.display()
    )]
    Unnamed {
        /// The output.
        output: PathBuf,
    },
    /// Games without results, of which a table would be made.
    #[error(
        "{} has no results: the wins and losses of all its moves are 0, and a table counts results; name a book \
         (-o NAME.tabia), which takes its moves and what is said of them",
        path.display()
    )]
    NoResults {
        /// The file.
        path: PathBuf,
    },
    /// A file that is too large to be imported on this machine.
    #[error(
        "{} has {bytes} bytes, and the most that this machine can import are {bytes_max}: an import takes four times \
         the memory of the file",
        path.display()
    )]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// Its length.
        bytes: u64,
        /// The most bytes.
        bytes_max: u64,
    },
    /// A file that needs no import.
    #[error("{} is {got}, which needs no import: name it where a book is read (probe, merge, export, uci, serve)", path.display())]
    NeedsNoImport {
        /// The file.
        path: PathBuf,
        /// What it is.
        got: &'static str,
    },
    /// Inputs of several kinds.
    #[error(
        "{} is {got}, and {} is {expected}: inputs must be of one kind (`tabia compact` and `tabia export \
         polyglot` make one of the other)",
        path.display(), first.display()
    )]
    Mixed {
        /// The first input.
        first: PathBuf,
        /// Its kind.
        expected: &'static str,
        /// The input of another kind.
        path: PathBuf,
        /// That kind.
        got: &'static str,
    },
    /// An experience file, which another command merges.
    #[error("{} is an experience file: `tabia experience merge` merges those", path.display())]
    Experience {
        /// The file.
        path: PathBuf,
    },
    /// A flag for inputs of another kind.
    #[error("--{flag} is for {only}, and the inputs are {got}")]
    Flag {
        /// The flag.
        flag: &'static str,
        /// Inputs that it is for.
        only: &'static str,
        /// The inputs.
        got: &'static str,
    },
    /// Factors for another number of books.
    #[error("--weights names {got}, and there are {expected} books: give one a book, in their order")]
    Factors {
        /// Books.
        expected: usize,
        /// Factors.
        got: usize,
    },
    /// Several books to be mended.
    #[error(
        "--repair sorts one Polyglot book, and {got} were named: repair each, then merge what comes of it"
    )]
    RepairSeveral {
        /// Books.
        got: usize,
    },
    /// A book that is too large to be sorted in memory.
    #[error(
        "{}: to sort it takes {bytes} bytes of memory, and a quarter of this machine's are {bytes_max}",
        path.display()
    )]
    RepairMemory {
        /// The book.
        path: PathBuf,
        /// What it takes.
        bytes: u64,
        /// The limit.
        bytes_max: u64,
    },
    /// Settings for weights where none are combined.
    #[error(
        "--strategy first takes the weights of the first book as they are: leave out --weights and --no-scale"
    )]
    FirstHasNoWeights,
    /// A line of a text that makes no sense.
    #[error("{}, line {line}: {why}; nothing was written", path.display())]
    Line {
        /// The text.
        path: PathBuf,
        /// The line, from 1.
        line: u64,
        /// What is wrong.
        why: String,
    },
    /// A text of a book of another format than the output's name says.
    #[error("--output: {} is asked for, and {} is the text of {what}: {then}", output.display(), text.display())]
    TextOfAnother {
        /// The text.
        text: PathBuf,
        /// The output.
        output: PathBuf,
        /// What the text is of.
        what: &'static str,
        /// What to do.
        then: &'static str,
    },
    /// A book that would have no move.
    #[error("the new book would be empty: {why}; nothing was written")]
    Empty {
        /// Why.
        why: &'static str,
    },
    /// An artefact that is edited by other commands.
    #[error(
        "{} is {got}, and only a book or a Polyglot book is edited: `tabia compact` makes a book of a table, \
         `tabia learn set` changes experience",
        path.display()
    )]
    NotEditable {
        /// The file.
        path: PathBuf,
        /// Its kind.
        got: &'static str,
    },
    /// Nothing to do.
    #[error("no edit was given: name edits, as \"drop e4 c5\", or a file of them with --script")]
    NoEdits,
    /// A text that is no edit.
    #[error("{place} (`{edit}`): {why}")]
    NotAnEdit {
        /// Where it was given.
        place: String,
        /// As written.
        edit: String,
        /// What is wrong with it.
        why: String,
    },
    /// An edit that this book does not take, or that changes nothing.
    #[error("{place} (`{edit}`): {why}; nothing was written")]
    Edit {
        /// Where it was given.
        place: String,
        /// As written.
        edit: String,
        /// Why not.
        why: String,
    },
    /// Books that were counted differently.
    #[error(
        "{}: {option} is {got}, and {} has {expected}: their counts mean different things and cannot be added up; \
         count the games of one again as the other's",
        path.display(), other.display()
    )]
    Disagree {
        /// The book that differs.
        path: PathBuf,
        /// The first book.
        other: PathBuf,
        /// The option that differs.
        option: &'static str,
        /// Its value in the first book.
        expected: String,
        /// Its value in the book that differs.
        got: String,
    },
    /// A source that two books count.
    #[error("{} counts {name} ({identity}), and another of the books does too", path.display())]
    SourceRepeated {
        /// The second book that counts it.
        path: PathBuf,
        /// The name of the source.
        name: String,
        /// By what it is known.
        identity: String,
    },
}

impl Failure for BooksError {
    fn kind(&self) -> Kind {
        match self {
            Self::SourceRepeated { .. } => Kind::Repeated,
            Self::Disagree { .. }
            | Self::Line { .. }
            | Self::NoResults { .. }
            | Self::TooLarge { .. }
            | Self::RepairMemory { .. }
            | Self::Empty { .. }
            | Self::Edit { .. }
            | Self::NoRoom { .. } => Kind::Other,
            _ => Kind::Usage,
        }
    }
}
