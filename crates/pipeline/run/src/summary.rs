//! The result of a run: the summary, which is printed as JSON with `--json` and otherwise as text.

use std::{collections::BTreeMap, fs, path::Path, time::Instant};

use craft::{MinimaxReport, RefineReport, Review, SuiteReport};
use experience::WrittenFile;
use fault::Failure;
use serde::Serialize;
use table::CountedInput;

use crate::status::InputStatus;

/// The version of the summary object.
pub(crate) const FORMAT: u32 = 1;

/// The key in [`Summary::exported`] for the moves in a page's tree.
pub const DRAWN: &str = "moves drawn";
/// The key in [`Summary::exported`] for positions that no line of exported moves leads to.
pub const WITHOUT_FEN: &str = "positions without a FEN";
/// The key in [`Summary::exported`] for moves left out of a Polyglot book because they may not be played.
pub const LEFT_OUT_MOVES: &str = "moves left out";
/// The key in [`Summary::exported`] for positions whose moves were all left out of a Polyglot book.
pub const LEFT_OUT_POSITIONS: &str = "positions left out";
/// The key in [`Summary::exported`] for moves left out because the mover never won or drew with them.
pub const UNSCORED_MOVES: &str = "unscored moves left out";
/// The key in [`Summary::exported`] for moves left out because the policy never plays them.
pub const NEVER_PLAYED_MOVES: &str = "moves never played";
/// The key in [`Summary::exported`] for positions where the policy plays no move.
pub const NEVER_PLAYED_POSITIONS: &str = "positions never played";
/// The key in [`Summary::exported`] for positions that have `PostBook` moves but are not in the book.
pub const POSTBOOK_POSITIONS: &str = "PostBook positions";
/// The key in [`Summary::exported`] for positions that a policy could not judge because no line leads to
/// them.
pub const UNREACHED_POSITIONS: &str = "positions not reached";
/// The key in [`Summary::exported`] for the moves of positions that a policy could not judge.
pub const UNREACHED_MOVES: &str = "moves not reached";

/// The summary of a run. Keys are stable within a format version.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Summary {
    /// Version of this object.
    pub format: u32,
    /// The inputs, in the order given.
    pub inputs: Vec<InputReport>,
    /// Games read.
    pub games: u64,
    /// Games counted.
    pub accepted: u64,
    /// Games that a filter refused, by filter.
    pub filtered: BTreeMap<String, u64>,
    /// Games rejected, by reason.
    pub rejected: BTreeMap<String, u64>,
    /// Games left out because they are copies of other games (`--dedup-games`); absent if the run did not
    /// look for copies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub copies: Option<u64>,
    /// Accepted games that were cut at an illegal move (`--illegal-move keep-prefix`).
    pub cut: u64,
    /// Deviations from the standard that were tolerated in games that count, by kind; empty with
    /// `--strict-san`.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub lenient: BTreeMap<String, u64>,
    /// The work that this run took over from earlier runs; absent if there was none. The other numbers in the
    /// summary include this work.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resumed: Option<ResumedReport>,
    /// The rejected games, if there are only a few and no list of them is written.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub few_rejected: Vec<RejectedGame>,
    /// Observations sorted.
    pub observations: u64,
    /// The number of rows in the counts, one for each combination of key, move and group.
    pub edges: u64,
    /// The counts that were made together in one pass over the games; empty if there was only one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<PartReport>,
    /// Positions in all books, leaves included.
    pub book_positions: u64,
    /// Moves in all books.
    pub book_edges: u64,
    /// The books, in the order in which they were written.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub books: Vec<BookReport>,
    /// The result of learning; null if nothing was learned.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub learning: Option<LearningReport>,
    /// Rows exported, by name. A name of one word says what was written; a longer name says which rows are
    /// special or were left out.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub exported: BTreeMap<String, u64>,
    /// How many edits were made to a book, by name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub edited: Option<BTreeMap<String, u64>>,
    /// How many items of another program's book were read, and how many were left out. The names are as in
    /// [`exported`](Self::exported).
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub imported: BTreeMap<String, u64>,
    /// How many values minimax computed for a book, and from how many evaluations.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub minimax: Option<MinimaxReport>,
    /// The properties of a suite of openings.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suite: Option<SuiteReport>,
    /// How many openings of a suite were kept, and why the others were removed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refined: Option<RefineReport>,
    /// Where a player's games left a book.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub review: Option<Review>,
    /// The number of rows in the experience file that was written, not counting the identities of games.
    pub experience_rows: u64,
    /// Rows of experience in all books.
    pub book_experience: u64,
    /// Runs spilled to disk.
    pub runs: u64,
    /// Bytes spilled to disk.
    pub bytes_spilled: u64,
    /// How many seconds each stage took, by its name in the recipe. For a source or an operator, this is the
    /// time that all threads together spent in it, divided by the number of threads.
    pub seconds: BTreeMap<String, f64>,
    /// The process's peak resident memory so far, in bytes.
    pub peak_rss_bytes: u64,
    /// The outputs that were written.
    pub outputs: Vec<String>,
    /// Warnings: what the user should know even if nothing failed.
    pub warnings: Vec<String>,
}

/// A rejected game.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct RejectedGame {
    /// The stream that contains the game.
    pub input: String,
    /// The game's number in the stream, from 1.
    pub game: u64,
    /// The number of the move at fault, from 1; `None` if no move is.
    pub ply: Option<u32>,
    /// The reason.
    pub reason: String,
    /// The text at fault, as written.
    pub text: String,
}

/// One of several counts.
#[derive(Clone, Debug, Default, Serialize)]
pub struct PartReport {
    /// The name of the stage that made the count.
    pub stage: String,
    /// The number of games that were counted.
    pub games: u64,
}

/// One book that was written.
#[derive(Clone, Debug, Default, Serialize)]
pub struct BookReport {
    /// Its path.
    pub path: String,
    /// Positions, leaves included.
    pub positions: u64,
    /// Moves.
    pub moves: u64,
    /// Rows of experience.
    pub experience: u64,
    /// Moves that the engine played after leaving its book, and that this book keeps because of their
    /// results.
    #[serde(skip_serializing_if = "is_zero")]
    pub promoted: u64,
    /// The weights of the book's games, such as `half-life=3y as-of=2015-06`; `None` if each game counts
    /// once.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weights: Option<String>,
    /// The line after which the book begins, or the position at which it begins; `None` if it begins at the
    /// start position.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub begins: Option<Beginning>,
}

/// Where a book begins, if not at the start position.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Beginning {
    /// The book begins after this line, such as `1. e4 c5`.
    Line(String),
    /// The book begins at the position with this key.
    Position(String),
}

/// A summary of the records or games that were read for learning.
#[derive(Clone, Debug, Default, Serialize)]
pub struct LearningReport {
    /// Records or games read.
    pub records: u64,
    /// Records or games from which something was learned.
    pub taught: u64,
    /// How many of `taught` are positions that did not have to be searched again, because an interrupted run
    /// had already recorded their searches.
    #[serde(skip_serializing_if = "is_zero")]
    pub recorded: u64,
    /// Valid records or games from which nothing was learned, by reason.
    pub idle: BTreeMap<String, u64>,
    /// Rejected records or games, by reason.
    pub rejected: BTreeMap<String, u64>,
    /// The number of moves that may no longer be played because of what was learned.
    #[serde(skip_serializing_if = "is_zero")]
    pub unplayable: u64,
    /// Examples of the moves that may no longer be played because of what was learned: those with the most
    /// games.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub most_played_unplayable: Vec<UnplayableMove>,
}

/// A move that may no longer be played because of what was learned.
#[derive(Clone, Debug, Serialize)]
pub struct UnplayableMove {
    /// The line that ends with this move, in SAN.
    pub line: String,
    /// The number of counted games in which the move was played.
    pub games: u64,
    /// The learned value of the move in pawns.
    pub learned: f32,
}

/// One input.
#[derive(Clone, Debug, Default, Serialize)]
pub struct InputReport {
    /// The name of the input, as the user gave it.
    pub name: String,
    /// The size of the input in bytes, as stored.
    pub bytes: u64,
    /// The input's identity, as a table records it; null if the input was not read to its end (`--limit`).
    pub xxh3: Option<String>,
    /// The XXH3-64 of the whole input, if a table needs it.
    #[serde(skip)]
    pub whole_xxh3: Option<String>,
    /// The hashes of the input's blocks, or of the blocks in the section that was read.
    #[serde(skip)]
    pub blocks: Vec<u64>,
    /// Games read.
    pub games: u64,
    /// Games counted.
    pub accepted: u64,
    /// Games that a filter refused, by filter.
    pub filtered: BTreeMap<String, u64>,
    /// Games rejected, by reason.
    pub rejected: BTreeMap<String, u64>,
    /// Games left out because they are copies of other games.
    #[serde(skip_serializing_if = "is_zero")]
    pub copies: u64,
    /// Deviations from the standard that were tolerated in games that count, by kind.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub lenient: BTreeMap<String, u64>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde gives a reference")]
fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// The work of earlier runs that this run did not need to repeat.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct ResumedReport {
    /// Chunks of input that were skipped.
    pub chunks: u64,
    /// Games in these chunks.
    pub games: u64,
}

/// Games or records were rejected in a strict run, so no output except the list of them was written.
#[derive(Debug, thiserror::Error)]
#[error("{rejected} games or records were rejected, so no output was written{but}", but = if *is_listed { " but their list" } else { "" })]
pub struct StrictError {
    /// The number of rejected games or records.
    pub rejected: u64,
    /// Whether a list of the rejected games or records was written.
    pub is_listed: bool,
    /// The summary of the run.
    pub summary: Box<Summary>,
}

impl Failure for StrictError {}

impl Summary {
    /// An empty summary of the current format.
    #[must_use]
    pub fn new() -> Self {
        Self { format: FORMAT, ..Self::default() }
    }

    /// Returns the summary of a command that started at `start` and wrote an experience file.
    #[must_use]
    pub fn of_experience(written: WrittenFile, output: &Path, start: Instant) -> Self {
        Self {
            experience_rows: written.rows,
            warnings: written.warnings,
            seconds: BTreeMap::from([("write".into(), start.elapsed().as_secs_f64())]),
            outputs: vec![output.display().to_string()],
            peak_rss_bytes: peak_rss_bytes(),
            ..Self::new()
        }
    }

    /// Games and records rejected for any reason.
    #[must_use]
    pub fn rejected_games(&self) -> u64 {
        let learning = self.learning.iter().flat_map(|learning| learning.rejected.values());
        self.rejected.values().chain(learning).sum()
    }

    /// Adds an input to the list of inputs, and its counts to the totals.
    pub fn add_input(&mut self, input: InputReport) {
        self.games += input.games;
        self.accepted += input.accepted;
        add_counts(&mut self.filtered, &input.filtered);
        add_counts(&mut self.rejected, &input.rejected);
        self.add_copies(input.copies);
        self.add_lenient(&input.lenient);
        self.inputs.push(input);
    }

    /// Adds the counts of games that are not reported separately for each input.
    pub fn add_games(&mut self, games: &InputStatus) {
        self.games += games.games;
        self.accepted += games.accepted;
        add_counts(&mut self.filtered, &games.passed_over);
        add_counts(&mut self.rejected, &games.rejected);
        self.add_copies(games.copies);
        self.add_lenient(&games.lenient);
    }

    /// Adds deviations from the standard that were tolerated.
    pub fn add_lenient(&mut self, lenient: &BTreeMap<String, u64>) {
        add_counts(&mut self.lenient, lenient);
    }

    /// Adds to the number of copies, if copies were looked for.
    pub fn add_copies(&mut self, copies: u64) {
        self.copies.iter_mut().for_each(|sum| *sum += copies);
    }

    /// Adds the time since `start` to the time of a stage or phase.
    pub fn add_seconds(&mut self, step: &str, start: Instant) {
        *self.seconds.entry(step.to_owned()).or_default() += start.elapsed().as_secs_f64();
    }

    /// Adds the statistics of a sorter.
    pub fn add_sorted(&mut self, stats: &extsort::Stats) {
        self.observations += stats.items;
        self.runs += stats.runs_spilled;
        self.bytes_spilled += stats.bytes_spilled + stats.bytes_merged;
    }

    /// Adds a book that was made from counts with `rows` rows.
    pub fn add_book(&mut self, rows: u64, book: BookReport) {
        self.edges = self.edges.max(rows);
        self.book_positions += book.positions;
        self.book_edges += book.moves;
        self.book_experience += book.experience;
        self.books.push(book);
    }
}

fn add_counts(sum: &mut BTreeMap<String, u64>, more: &BTreeMap<String, u64>) {
    for (name, count) in more {
        *sum.entry(name.clone()).or_default() += count;
    }
}

impl InputReport {
    /// Returns the input in the form in which a table records it.
    #[must_use]
    pub fn source(&self) -> CountedInput {
        let Self { name, bytes, xxh3, whole_xxh3, games, accepted, filtered, rejected, copies, .. } =
            self.clone();
        let (xxh3, whole_xxh3) = (xxh3.unwrap_or_default(), whole_xxh3.unwrap_or_default());
        let name = base_name(&name);
        CountedInput { name, xxh3, whole_xxh3, bytes, games, accepted, filtered, rejected, copies }
    }
}

/// Returns a file's name without its folder. Artefacts record only the name of a file, because folders differ
/// from machine to machine.
#[must_use]
pub fn base_name(name: &str) -> String {
    Path::new(name).file_name().map_or_else(|| name.to_owned(), |base| base.to_string_lossy().into_owned())
}

/// This process's peak resident memory so far, in bytes; 0 if the system does not report it.
#[must_use]
pub fn peak_rss_bytes() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|rest| rest.split_whitespace().next()?.parse::<u64>().ok()).map_or(0, |kib| kib << 10)
}
