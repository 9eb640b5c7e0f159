//! Errors from merging, editing and converting books.

use std::path::PathBuf;
/// The reason why books could not be merged, edited or converted.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BooksError {
    /// No input was given.
    #[error("no input was given")]
    Nothing,
    /// The output is standard output, but a book must be written to a file.
    #[error("--output: a book cannot be written to standard output; give a file name")]
    Stdout,
    /// The lines have more moves than the number of records that the Arena book may have.
    #[error(
        "there is no room for {missing} moves of the rarest lines, as the book may have {most} records: raise \
         --max-records, or ask for fewer lines with --max-ply or --min-games"
    )]
    NoRoom {
        /// The number of moves left out.
        missing: u64,
        /// The maximum number of records.
        most: u64,
    },
    /// The output's name ends with neither `.table` nor `.tabia`.
    #[error(
        "--output: expected NAME.table (a table of counts) or NAME.tabia (a book with marks), not {path}",
        path = .0.display()
    )]
    Unnamed(PathBuf),
    /// The games have no results, so a table would have nothing to count.
    #[error(
        "{path} has no results to count in a table: the wins and losses of all its moves are 0; write a book (-o \
         NAME.tabia), which keeps its moves, marks and priorities",
        path = .0.display()
    )]
    NoResults(PathBuf),
    /// The file is too large to be imported on this machine.
    #[error(
        "{path} has {bytes} bytes, but this machine can import at most {bytes_max}: an import \
         takes four times as much memory as the file has bytes"
    )]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// Its length in bytes.
        bytes: u64,
        /// The size in bytes of the largest file that can be imported.
        bytes_max: u64,
    },
    /// The file does not need to be imported: commands read it as it is.
    #[error(
        "{path} is {got}, which needs no import: use it with any command that reads books (probe, merge, export, uci, serve)"
    )]
    NeedsNoImport {
        /// The file.
        path: PathBuf,
        /// The kind of the file.
        got: &'static str,
    },
    /// The inputs are of different kinds.
    #[error(
        "{path} is {got}, but {first} is {expected}: all inputs must be of one kind (`tabia compact` and \
         `tabia export polyglot` convert them)"
    )]
    Mixed {
        /// The first input.
        first: PathBuf,
        /// Its kind.
        expected: &'static str,
        /// The input whose kind differs from that of the first.
        path: PathBuf,
        /// The kind of that input.
        got: &'static str,
    },
    /// The file is an experience file, which is merged by another command.
    #[error("{path} is an experience file: merge such files with `tabia experience merge`", path = .0.display())]
    Experience(PathBuf),
    /// A flag was given that applies only to inputs of another kind.
    #[error("--{flag} applies only to {only}, but the inputs are {got}")]
    Flag {
        /// The flag.
        flag: &'static str,
        /// The inputs that the flag applies to.
        only: &'static str,
        /// The kind of inputs that were given.
        got: &'static str,
    },
    /// The number of factors does not match the number of books.
    #[error("--weights has {got} values for {expected} books: give one for each book, in the same order")]
    Factors {
        /// The number of books.
        expected: usize,
        /// The number of factors.
        got: usize,
    },
    /// More than one book was given to be repaired.
    #[error("--repair sorts one Polyglot book, but {books} were given: repair each, then merge the results", books = .0)]
    RepairSeveral(usize),
    /// The book is too large to be sorted in memory.
    #[error(
        "sorting {path} takes {bytes} bytes of memory, but at most a quarter of this machine's memory may be \
         used, {bytes_max} bytes"
    )]
    RepairMemory {
        /// The book.
        path: PathBuf,
        /// The number of bytes of memory needed to sort it.
        bytes: u64,
        /// The maximum number of bytes that may be used.
        bytes_max: u64,
    },
    /// A setting for weights was given, but the strategy does not combine weights.
    #[error(
        "--strategy first does not change the weights of the first book: leave out --weights and --no-scale"
    )]
    FirstHasNoWeights,
    /// A line of the text file cannot be parsed.
    #[error("{path}, line {line}: {why}; nothing was written")]
    Line {
        /// The text.
        path: PathBuf,
        /// The line number, from 1.
        line: u64,
        /// The reason why the line cannot be parsed.
        why: String,
    },
    /// The text describes a book in one format, but the output's name has the extension of the other format.
    #[error("--output: {output} has the wrong ending, because {text} describes {what}: {then}")]
    TextOfAnother {
        /// The text.
        text: PathBuf,
        /// The output.
        output: PathBuf,
        /// The kind of book that the text describes.
        what: &'static str,
        /// Advice for the user.
        then: &'static str,
    },
    /// The new book would have no moves.
    #[error("the new book would be empty: {why}; nothing was written", why = .0)]
    Empty(&'static str),
    /// Artefacts of this kind are edited by other commands.
    #[error(
        "{path} is {got}, but only a book or a Polyglot book can be edited: `tabia compact` makes a book from a \
         table, `tabia learn set` changes experience"
    )]
    NotEditable {
        /// The file.
        path: PathBuf,
        /// Its kind.
        got: &'static str,
    },
    /// No edit was given.
    #[error("no edit was given: write edits, such as \"drop e4 c5\", or name a file of edits with --script")]
    NoEdits,
    /// The text of an edit is not valid.
    #[error("{place} (`{edit}`): {why}")]
    NotAnEdit {
        /// The place where the user wrote it.
        place: String,
        /// The edit as written.
        edit: String,
        /// The reason why the text is not an edit.
        why: String,
    },
    /// The edit cannot be made in this book, or it changes nothing.
    #[error("{place} (`{edit}`): {why}; nothing was written")]
    Edit {
        /// The place where the user wrote it.
        place: String,
        /// The edit as written.
        edit: String,
        /// The reason why the edit cannot be made.
        why: String,
    },
    /// The books' games were counted in different ways.
    #[error(
        "{path}: {option} is {got}, but in {other} it is {expected}, so their counts cannot be added up; count the \
         games of one again with the settings of the other"
    )]
    Disagree {
        /// The book whose option differs from that of the first book.
        path: PathBuf,
        /// The first book.
        other: PathBuf,
        /// The option that differs.
        option: &'static str,
        /// The option's value in the first book.
        expected: String,
        /// The option's value in the book at `path`.
        got: String,
    },
    /// Two of the books contain the games of the same source.
    #[error("{path} and another of the books both contain the games of {name} ({identity})")]
    SourceRepeated {
        /// The second of the two books that contain the source's games.
        path: PathBuf,
        /// The name of the source.
        name: String,
        /// The digest or other value that identifies the source.
        identity: String,
    },
}

fault::kinds!(BooksError {
    Usage: Nothing
        | Stdout
        | Unnamed
        | NeedsNoImport
        | Mixed
        | Experience
        | Flag
        | Factors
        | RepairSeveral
        | FirstHasNoWeights
        | TextOfAnother
        | NotEditable
        | NoEdits
        | NotAnEdit,
    Repeated: SourceRepeated,
});
