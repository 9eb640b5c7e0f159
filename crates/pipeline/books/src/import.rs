//! Imports another program's book into a table or a book.
//!
//! # Flow
//!
//! 1. The reader for the format returns moves, by line or by position, with their games, results and marks.
//! 2. If several lines contain the same move, `join` merges all its occurrences into one; `end_lines` adds
//!    the visits that end at each position, so that each position is counted as often as it was reached. In a
//!    book, moves without games are kept, along with their marks.
//! 3. `Import::write` makes a table or a book from them.
//!
//! # Memory
//!
//! Takes as much memory as the file has bytes, plus 64 bytes for each move of a line.

mod abk;
mod book;
mod ctg;
mod foreign;
mod join;
mod table;

use std::path::{Path, PathBuf};

use ::table::{CountedInput, Counting};
use output::{check_file_or_folder, grouped, is_stdout};
use pgn::{
    input::{BLOCK_BYTES, identity_of_blocks},
    verdict::Reason,
};
use position::{Key, PackedMove, Step, Tally, UnknownResult};
use run::{FileFormat, Result, RunError, RunOptions, SamePath, Summary, check_paths};
use shakmaty::Color;

use self::join::{CountedPer, end_lines, join};
pub use self::{abk::import_abk, ctg::import_ctg};
use crate::{BooksError, item_counts::ItemCounts};

/// A move, or the visits that end at a position.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct ImportedMove {
    pub(crate) key: Key,
    pub(crate) mv: PackedMove,
    pub(crate) step: Step,
    pub(crate) tally: Tally,
    pub(crate) mark: Mark,
}

/// What a book records about a move besides how often it was played.
#[derive(Clone, Copy, Debug, Default, Eq, Ord, PartialEq, PartialOrd)]
pub(crate) struct Mark {
    /// How often the move should be played, 0 to 100.
    pub(crate) value: Option<u8>,
    /// The annotation of the move.
    pub(crate) nag: Option<u8>,
}

/// How often a position was reached.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Visits {
    pub(crate) key: Key,
    pub(crate) turn: Color,
    pub(crate) tally: Tally,
}

/// Another program's book.
pub(crate) struct ForeignBook {
    pub(crate) path: PathBuf,
    /// The name of the book's format: `ABK` or `CTG`.
    pub(crate) format: &'static str,
    pub(crate) bytes: u64,
    /// The hashes of the file's blocks, by which a table can recognise the book.
    pub(crate) blocks: Vec<u64>,
    pub(crate) games: u64,
    /// Games that count.
    pub(crate) accepted: u64,
    /// The length of the book's longest line, in plies.
    pub(crate) plies: u32,
    /// The moves, without repetitions and ordered by position and move, along with the visits that end at
    /// each position.
    pub(crate) moves: Vec<ImportedMove>,
    /// Whether any game in the book has a result.
    pub(crate) has_results: bool,
    /// How many items of each kind were read or left out.
    pub(crate) counted: ItemCounts,
    pub(crate) warnings: Vec<String>,
}

/// An import whose output has been checked.
pub(crate) struct Import<'i> {
    /// Whether the output is a table rather than a book.
    is_table: bool,
    output: &'i Path,
    run: &'i RunOptions,
}

impl<'i> Import<'i> {
    /// Refuses an output that cannot be written, or whose name ends with neither `.table` nor `.tabia`.
    pub(crate) fn new(path: &Path, output: &'i Path, run: &'i RunOptions) -> Result<Self> {
        if is_stdout(output) {
            return Err(BooksError::Stdout.into());
        }
        let format = match output.extension().and_then(|extension| extension.to_str()) {
            Some("table") => FileFormat::Table,
            Some("tabia") => FileFormat::Book,
            _ => return Err(BooksError::Unnamed(output.into()).into()),
        };
        check_paths(&[path], &[(output, format)], SamePath::Refused)?;
        let place = output::recover(output).and_then(|()| check_file_or_folder(output, run.existing()));
        place.map_err(fault::output(output))?;
        Ok(Self { is_table: format == FileFormat::Table, output, run })
    }

    /// Refuses to make a table from games without results.
    pub(crate) fn check_results(&self, path: &Path, has_results: bool) -> Result<()> {
        if self.is_table && !has_results {
            return Err(BooksError::NoResults(path.into()).into());
        }
        Ok(())
    }

    /// Writes the table or the book.
    pub(crate) fn write(&self, imported: &ForeignBook) -> Result<Summary> {
        let named = imported.moves.iter().filter(|mv| !mv.mv.is_terminal());
        let without = named.clone().filter(|mv| mv.tally.games() == 0).count() as u64;
        // A table has no rows for moves without games.
        let moves = named.count() as u64 - if self.is_table { without } else { 0 };
        if moves == 0 && !self.run.allow_empty {
            let path = imported.path.display();
            let why = format!("{path} contains no move that can be played");
            return Err(RunError::NothingKept(why).into());
        }
        let mut summary = Summary::new();
        summary.imported.extend(imported.counted.said());
        summary.imported.insert("moves".into(), moves);
        if without > 0 {
            summary.imported.insert("moves without games".into(), without);
        }
        summary.warnings.clone_from(&imported.warnings);
        let write = if self.is_table { table::write } else { book::write };
        write(imported, self, summary)
    }
}

impl ForeignBook {
    /// The counting options that the book records.
    fn counting(&self) -> Counting {
        let unknown_result = if self.has_results { UnknownResult::Reject } else { UnknownResult::Draw };
        let filters = [format!("imported from {}", self.format)].into();
        Counting { max_ply: self.plies, unknown_result, filters, ..Counting::default() }
    }

    fn source(&self) -> CountedInput {
        let unknown = self.games.saturating_sub(self.accepted);
        let rejected = (unknown > 0).then(|| (Reason::ResultUnknown.to_string(), unknown));
        CountedInput {
            name: self.path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            xxh3: self.identity(),
            bytes: self.bytes,
            games: self.games,
            accepted: self.accepted,
            rejected: rejected.into_iter().collect(),
            ..CountedInput::default()
        }
    }

    fn identity(&self) -> String {
        format!("{:016x}", identity_of_blocks(&self.blocks))
    }
}

/// The warning about moves that are not legal.
pub(crate) fn illegal_moves(count: u64, named: &[String]) -> Option<String> {
    let more = if count > named.len() as u64 { "; …" } else { "" };
    let which = named.join("; ");
    (count > 0).then(|| {
        let moves = grouped(count);
        format!("{moves} illegal moves were left out, along with everything that follows them: {which}{more}")
    })
}

/// The size in bytes of the blocks whose hashes determine a file's identity.
pub(crate) fn block_bytes() -> usize {
    usize::try_from(BLOCK_BYTES).unwrap_or(usize::MAX)
}
