//! What stops a run. A bad game does not: it is counted and reported.

mod convert;
mod kind;
mod recipe;
mod setting;

use std::{collections::BTreeMap, io, path::PathBuf};

use position::Key;

pub use self::{recipe::RecipeError, setting::SettingError};
use crate::{Nothing, Summary, books::BooksError, cluster::ClusterError};

/// Result of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why a recipe could not be planned, or a plan could not be run.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The recipe makes no sense: nothing was read or written.
    #[error(transparent)]
    Recipe(#[from] RecipeError),
    /// Memory for less than the sorters and buffers of that many threads need.
    #[error(
        "{mib} MiB of memory are too few for {threads} threads: give at least {needed_mib} MiB, or fewer threads"
    )]
    TooLittleMemory {
        /// The limit, MiB.
        mib: u64,
        /// Worker threads.
        threads: usize,
        /// The least that this number of threads needs, MiB.
        needed_mib: u64,
    },
    /// A table whose groups depend on a name that it does not hold.
    #[error("the table is grouped by the colour of a player whose name it does not hold")]
    GroupedByPlayer,
    /// A way from the start position that is not there.
    #[error("there is no way from the start position to add: {why} were counted")]
    NoWay {
        /// What was counted in place of games from a line.
        why: &'static str,
    },
    /// An artefact of another kind than the stage takes.
    #[error("{expected} is needed here, and {got} was given")]
    WrongArtefact {
        /// What the stage takes.
        expected: &'static str,
        /// What was opened.
        got: &'static str,
    },
    /// A file that holds no counts.
    #[error("{path} is a Polyglot book, which holds weights and no counts", path = path.display())]
    NoCounts {
        /// The file.
        path: PathBuf,
    },
    /// Experience that was given for a book.
    #[error("{path} is a book, which has its own experience: other experience goes with a table", path = path.display())]
    BookHasExperience {
        /// The book.
        path: PathBuf,
    },
    /// The output is there already.
    #[error("{path} exists", path = path.display())]
    OutputExists {
        /// What would have been replaced.
        path: PathBuf,
    },
    /// Copies of games are to be left out otherwise than in the table.
    #[error("{table} was counted with copies of games {expected}, not {got}", table = table.display())]
    OtherDedup {
        /// The table.
        table: PathBuf,
        /// Which copies are left out of it.
        expected: crate::DedupGames,
        /// What was asked for.
        got: crate::DedupGames,
    },
    /// An input that changed between two passes over it. Nothing was written.
    #[error("{name} changed while it was read; run the command again when it does not change any more")]
    ChangedMeanwhile {
        /// The input, as it was named.
        name: String,
    },
    /// A run in which no game or record counts. Nothing was written.
    #[error("{0}")]
    NothingCounted(Box<Nothing>),
    /// A book or a Polyglot book that would have no move. Nothing was written.
    #[error("no move is kept: {why}")]
    NothingKept {
        /// What the book was to keep, and what there is.
        why: String,
    },
    /// A suite without an opening. Nothing was written.
    #[error("no position fits{}", left_out_text(left_out))]
    NoOpening {
        /// Positions of the plies that were asked for, by why they are left out.
        left_out: BTreeMap<&'static str, u64>,
    },
    /// Games to be taken away that the table does not count.
    #[error(
        "cannot take away the games {place}: {path} has {} (White won, drawn, Black won) and {} were to go; \
         nothing was changed; were they counted in it?",
        results(*expected), results(*got), path = path.display()
    )]
    TooFewGames {
        /// The table.
        path: PathBuf,
        /// Which games: a move and a position.
        place: String,
        /// The games there by result.
        expected: [u64; 3],
        /// Those to be taken away.
        got: [u64; 3],
    },
    /// Games to be taken away whose players were rated otherwise when they were counted.
    #[error(
        "cannot take away the games {place}: {path} counts them with other ratings of the players; nothing was \
         changed",
        path = path.display()
    )]
    OtherRatings {
        /// The table.
        path: PathBuf,
        /// Which games: a move and a position.
        place: String,
    },
    /// Games that the table counts already were to be added.
    #[error("{table} counts {name} ({identity}) already", table = table.display())]
    AlreadyCounted {
        /// The table.
        table: PathBuf,
        /// The source, as it was named.
        name: String,
        /// By what it is known.
        identity: String,
    },
    /// A file could not be read or written.
    #[error("cannot {action} {path}: {source}", path = path.display())]
    File {
        /// What was being done: `read`, `write`, `create` …
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// An output could not be locked.
    #[error(transparent)]
    Lock(#[from] output::LockError),
    /// The system gave no thread.
    #[error("the system refused a thread: {source}; give fewer threads, or allow the process more memory")]
    Threads {
        /// The system's error.
        source: io::Error,
    },
    /// An input could not be read.
    #[error(transparent)]
    Pgn(#[from] pgn::Error),
    /// Sorting failed.
    #[error(transparent)]
    Sort(#[from] extsort::Error),
    /// A table could not be read or written.
    #[error(transparent)]
    Table(#[from] table::Error),
    /// A book could not be read or written.
    #[error(transparent)]
    Book(#[from] book::Error),
    /// An artefact could not be read, or was asked something it does not know.
    #[error(transparent)]
    Query(#[from] query::Error),
    /// Experience could not be read or written.
    #[error(transparent)]
    Experience(#[from] experience::Error),
    /// A file of openings could not be read.
    #[error(transparent)]
    Openings(#[from] openings::Error),
    /// Finished books could not be put together.
    #[error(transparent)]
    Books(Box<BooksError>),
    /// An export failed.
    #[error(transparent)]
    Analysis(#[from] analysis::Error),
    /// A walk through counts failed.
    #[error(transparent)]
    Walk(walk::Error),
    /// Something could not be made of a book's lines.
    #[error(transparent)]
    Craft(craft::Error),
    /// A learning rule refused a value.
    #[error(transparent)]
    Learn(#[from] learn::Error),
    /// Counts that begin at another position than the page that was asked for.
    #[error("the counts begin at the position {root}: give that position")]
    RootDiffers {
        /// The position the counts begin at.
        root: Key,
    },
    /// A page could not be put together.
    #[error("{0}")]
    Page(String),
    /// Outputs that are whole could not all appear.
    #[error(transparent)]
    Publish(#[from] output::PublishError),
    /// Games or records were rejected in a run that allows none.
    #[error("{rejected} games or records were rejected, so no output was written{}", if *is_listed { " but their list" } else { "" })]
    Rejected {
        /// How many.
        rejected: u64,
        /// Whether a list of them was written.
        is_listed: bool,
        /// What the run did.
        summary: Box<Summary>,
    },
    /// Input of which no record can be kept for another run to go on with.
    #[error("cannot record what is counted for another run to go on with: {why}")]
    NotResumable {
        /// Why not.
        why: String,
    },
    /// What an interrupted run has recorded cannot be gone on with.
    #[error(
        "cannot go on with the interrupted run in {folder}: {why}; give the same settings and files, or remove that folder to begin anew",
        folder = folder.display()
    )]
    CannotResume {
        /// Where the record is.
        folder: PathBuf,
        /// What is in the way.
        why: String,
    },
    /// A run ended before its end, and has recorded what it counted.
    #[error("{error}; what was counted is kept in {folder}", folder = folder.display())]
    Kept {
        /// Why it ended.
        error: Box<Error>,
        /// Where the record is.
        folder: PathBuf,
    },
    /// A file in an object store could not be read or written.
    #[error(transparent)]
    Store(#[from] store::Error),
    /// A count that machines share failed between them.
    #[error(transparent)]
    Cluster(#[from] ClusterError),
    /// The user interrupted the run.
    #[error("interrupted; no output was written")]
    Interrupted,
    /// Another thread failed, and its error is the cause.
    #[error("stopped")]
    Stopped,
}

/// Games by result: `1/0/2`.
fn results([white, draws, black]: [u64; 3]) -> String {
    format!("{white}/{draws}/{black}")
}

/// Why positions are left out, in words.
fn left_out_text(left_out: &BTreeMap<&'static str, u64>) -> String {
    let reasons: Vec<_> = left_out.iter().map(|(why, positions)| format!("{why} {positions}")).collect();
    if reasons.is_empty() {
        return ": there is none of these plies".into();
    }
    format!("; left out: {}", reasons.join(", "))
}
