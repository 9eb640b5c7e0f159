//! What a run did: the summary that `--json` prints and the lines people read.

use std::{collections::BTreeMap, fs, path::Path, time::Instant};

use craft::SuiteReport;
use experience::Written;
use fault::Failure;
use serde::Serialize;
use table::CountedInput;

use crate::status::InputStatus;

/// Version of the summary object.
pub(crate) const FORMAT: u32 = 1;

/// What [`Summary::exported`] calls the moves of a page's tree.
pub const DRAWN: &str = "moves drawn";
/// What [`Summary::exported`] calls positions that no line of exported moves leads to.
pub const WITHOUT_FEN: &str = "positions without a FEN";
/// What [`Summary::exported`] calls moves that a Polyglot book leaves out because they may not be played.
pub const LEFT_OUT_MOVES: &str = "moves left out";
/// What [`Summary::exported`] calls positions of which it leaves out every move.
pub const LEFT_OUT_POSITIONS: &str = "positions left out";
/// What [`Summary::exported`] calls moves that it leaves out because the mover neither
/// won nor drew with them.
pub const UNSCORED_MOVES: &str = "unscored moves left out";
/// What [`Summary::exported`] calls moves that it leaves out because its policy never plays them.
pub const NEVER_PLAYED_MOVES: &str = "moves never played";
/// What [`Summary::exported`] calls positions of which its policy plays no move.
pub const NEVER_PLAYED_POSITIONS: &str = "positions never played";
/// What [`Summary::exported`] calls positions with `PostBook` moves that the book does not have.
pub const POSTBOOK_POSITIONS: &str = "PostBook positions";
/// What [`Summary::exported`] calls positions that a policy could not judge, since no way leads there.
pub const UNREACHED_POSITIONS: &str = "positions not reached";
/// What [`Summary::exported`] calls the moves of those.
pub const UNREACHED_MOVES: &str = "moves not reached";

/// The summary of a run. Keys are stable within a format version.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Summary {
    /// Version of this object.
    pub format: u32,
    /// The inputs, in the order given.
    pub inputs: Vec<InputReport>,
    /// Games met.
    pub games: u64,
    /// Games counted.
    pub accepted: u64,
    /// Games that a filter refused, by filter.
    pub filtered: BTreeMap<String, u64>,
    /// Games rejected, by reason.
    pub rejected: BTreeMap<String, u64>,
    /// Copies of games that count (`--dedup-games`); left out where none were looked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub copies: Option<u64>,
    /// Accepted games that an illegal move cut (`--illegal-move keep-prefix`).
    pub cut: u64,
    /// What was read leniently in accepted games, by kind; empty with `--strict-san`.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub lenient: BTreeMap<String, u64>,
    /// What a run before had counted and recorded already; left out where there was none. The games and
    /// observations are among those above and below.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resumed: Option<ResumedReport>,
    /// The rejected games, where they are few and no list of them is written.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub few_rejected: Vec<RejectedGame>,
    /// Observations sorted.
    pub observations: u64,
    /// Rows of the counts: distinct (key, move, group).
    pub edges: u64,
    /// The counts that one reading made together; empty where there was one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<PartReport>,
    /// Positions in all books, leaves included.
    pub book_positions: u64,
    /// Moves in all books.
    pub book_edges: u64,
    /// The books, in the order in which they were written.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub books: Vec<BookReport>,
    /// What learning met; null where nothing was learned.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub learning: Option<LearningReport>,
    /// Rows exported, by what they are: a word alone counts what was written, several words what is special
    /// about it or was left out.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub exported: BTreeMap<String, u64>,
    /// What was done to a book, by what it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub edited: Option<BTreeMap<String, u64>>,
    /// What was read of a book of another program and what was left out, by what it is; named as in
    /// [`exported`](Self::exported).
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub imported: BTreeMap<String, u64>,
    /// What a suite of openings is like.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suite: Option<SuiteReport>,
    /// Rows of an experience file that was written, identities of games left out.
    pub experience_rows: u64,
    /// Rows of experience in all books.
    pub book_experience: u64,
    /// Runs spilled to disk.
    pub runs: u64,
    /// Bytes spilled to disk.
    pub bytes_spilled: u64,
    /// Seconds of each stage, by its name in the recipe; of a source and an operator, their share of the time
    /// that threads spent reading.
    pub seconds: BTreeMap<String, f64>,
    /// Highest resident memory of the process so far.
    pub peak_rss_bytes: u64,
    /// What was written.
    pub outputs: Vec<String>,
    /// What the user should know though nothing failed.
    pub warnings: Vec<String>,
}

/// A game that is rejected.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct RejectedGame {
    /// The stream that it is in.
    pub input: String,
    /// Which one of the stream it is, from 1.
    pub game: u64,
    /// The move at fault, from 1, if one is.
    pub ply: Option<u32>,
    /// Why.
    pub reason: String,
    /// What is at fault, as it is written.
    pub text: String,
}

/// One of several counts.
#[derive(Clone, Debug, Default, Serialize)]
pub struct PartReport {
    /// Its stage.
    pub stage: String,
    /// Games that it took.
    pub games: u64,
}

/// One book that was written.
#[derive(Clone, Debug, Default, Serialize)]
pub struct BookReport {
    /// Where it is.
    pub path: String,
    /// Positions, leaves included.
    pub positions: u64,
    /// Moves.
    pub moves: u64,
    /// Rows of experience.
    pub experience: u64,
    /// Moves that its engine played after the book, and that the book keeps for their results.
    #[serde(skip_serializing_if = "is_zero")]
    pub promoted: u64,
    /// How much its games count, such as `half-life=3y as-of=2015-06`; `None`: once each.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weights: Option<String>,
    /// Where it begins, if not at the start position: the line that leads there, or the position's key.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub begins: Option<Beginning>,
}

/// Where a book begins that does not begin at the start position.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Beginning {
    /// After this line, as `1. e4 c5`.
    Line(String),
    /// At the position of this key.
    Position(String),
}

/// What became of the records or games that were to teach.
#[derive(Clone, Debug, Default, Serialize)]
pub struct LearningReport {
    /// Records or games read.
    pub records: u64,
    /// Those that taught something.
    pub taught: u64,
    /// Those in order that taught nothing, by why.
    pub idle: BTreeMap<String, u64>,
    /// Those that could not be read as meant, by reason.
    pub rejected: BTreeMap<String, u64>,
    /// Moves that could be played before, and may not be played any more.
    #[serde(skip_serializing_if = "is_zero")]
    pub unplayable: u64,
    /// Of these the ones of most games.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub most_played_unplayable: Vec<UnplayableMove>,
}

/// A move that may not be played any more.
#[derive(Clone, Debug, Serialize)]
pub struct UnplayableMove {
    /// The moves that lead to it and the move, in SAN.
    pub line: String,
    /// Games of the counts with it.
    pub games: u64,
    /// What it learned, pawns.
    pub learned: f32,
}

/// One input.
#[derive(Clone, Debug, Default, Serialize)]
pub struct InputReport {
    /// As named by the user.
    pub name: String,
    /// Bytes as stored.
    pub bytes: u64,
    /// The input's identity, as a table records it; null if it was not read to its end (`--limit`).
    pub xxh3: Option<String>,
    /// XXH3-64 of all those bytes at once, where a table needs it.
    #[serde(skip)]
    pub whole_xxh3: Option<String>,
    /// The hashes of its blocks, or of those of the section that was read.
    #[serde(skip)]
    pub blocks: Vec<u64>,
    /// Games met.
    pub games: u64,
    /// Games counted.
    pub accepted: u64,
    /// Games that a filter refused, by filter.
    pub filtered: BTreeMap<String, u64>,
    /// Games rejected, by reason.
    pub rejected: BTreeMap<String, u64>,
    /// Copies of games that count.
    #[serde(skip_serializing_if = "is_zero")]
    pub copies: u64,
    /// What was read leniently in accepted games, by kind.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub lenient: BTreeMap<String, u64>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde gives a reference")]
fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// What was done before, for the summary.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct ResumedReport {
    /// Chunks of input that were passed over.
    pub chunks: u64,
    /// Games in them.
    pub games: u64,
}

/// Games or records were rejected in a run that allows none: no output was written but their list.
#[derive(Debug, thiserror::Error)]
#[error("{rejected} games or records were rejected, so no output was written{}", if *is_listed { " but their list" } else { "" })]
pub struct StrictError {
    /// How many.
    pub rejected: u64,
    /// Whether a list of them was written.
    pub is_listed: bool,
    /// What the run did.
    pub summary: Box<Summary>,
}

impl Failure for StrictError {}

impl Summary {
    /// An empty summary of the present format.
    #[must_use]
    pub fn new() -> Self {
        Self { format: FORMAT, ..Self::default() }
    }

    /// The summary of a command that wrote an experience file since `start`.
    #[must_use]
    pub fn of_experience(written: Written, output: &Path, start: Instant) -> Self {
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

    pub(crate) fn add_input(&mut self, input: InputReport) {
        self.games += input.games;
        self.accepted += input.accepted;
        add_counts(&mut self.filtered, &input.filtered);
        add_counts(&mut self.rejected, &input.rejected);
        self.add_copies(input.copies);
        self.add_lenient(&input.lenient);
        self.inputs.push(input);
    }

    /// Adds what became of games that are not listed by input.
    pub(crate) fn add_games(&mut self, games: &InputStatus) {
        self.games += games.games;
        self.accepted += games.accepted;
        add_counts(&mut self.filtered, &games.passed_over);
        add_counts(&mut self.rejected, &games.rejected);
        self.add_copies(games.copies);
        self.add_lenient(&games.lenient);
    }

    /// Adds what was read leniently.
    pub(crate) fn add_lenient(&mut self, lenient: &BTreeMap<String, u64>) {
        add_counts(&mut self.lenient, lenient);
    }

    /// Adds copies, where they were looked for.
    pub(crate) fn add_copies(&mut self, copies: u64) {
        self.copies.iter_mut().for_each(|sum| *sum += copies);
    }

    /// Adds the time since `start` to a step.
    pub(crate) fn add_seconds(&mut self, step: &str, start: Instant) {
        *self.seconds.entry(step.to_owned()).or_default() += start.elapsed().as_secs_f64();
    }

    /// Adds what was sorted.
    pub(crate) fn add_sorted(&mut self, stats: &extsort::Stats) {
        self.observations += stats.items;
        self.runs += stats.runs_spilled;
        self.bytes_spilled += stats.bytes_spilled + stats.bytes_merged;
    }

    /// Adds a book made of counts with `rows` rows.
    pub(crate) fn add_book(&mut self, rows: u64, book: BookReport) {
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
    /// The input as a table records it.
    pub(crate) fn source(&self) -> CountedInput {
        let Self { name, bytes, xxh3, whole_xxh3, games, accepted, filtered, rejected, copies, .. } =
            self.clone();
        let (xxh3, whole_xxh3) = (xxh3.unwrap_or_default(), whole_xxh3.unwrap_or_default());
        let name = base_name(&name);
        CountedInput { name, xxh3, whole_xxh3, bytes, games, accepted, filtered, rejected, copies }
    }
}

/// Names in artefacts have no folders: they would differ from machine to machine.
pub(crate) fn base_name(name: &str) -> String {
    Path::new(name).file_name().map_or_else(|| name.to_owned(), |base| base.to_string_lossy().into_owned())
}

/// Highest resident memory of this process so far, in bytes; 0 where the system does not say.
#[must_use]
pub(crate) fn peak_rss_bytes() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|rest| rest.split_whitespace().next()?.parse::<u64>().ok()).map_or(0, |kib| kib << 10)
}
