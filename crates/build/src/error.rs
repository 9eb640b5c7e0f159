//! What stops a run. A bad game does not: it is counted and reported.

mod recipe;
mod setting;

use std::{
    collections::BTreeMap,
    io,
    path::{Path, PathBuf},
};

use position::Key;
use table::Counting;

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

impl Error {
    /// Whether the user asked for something that makes no sense: wrong settings, an artefact of another kind,
    /// an output that is there already. Damaged or unreadable files are not wrong usage.
    #[must_use]
    pub fn is_usage(&self) -> bool {
        match self {
            Error::Recipe(_)
            | Error::TooLittleMemory { .. }
            | Error::GroupedByPlayer
            | Error::Table(table::Error::NotGrouped { .. })
            | Error::NoWay { .. }
            | Error::WrongArtefact { .. }
            | Error::NoCounts { .. }
            | Error::BookHasExperience { .. }
            | Error::RootDiffers { .. }
            | Error::NotResumable { .. }
            | Error::Analysis(analysis::Error::Option { .. } | analysis::Error::TooManyLines { .. })
            | Error::Craft(craft::Error::TooMany { .. } | craft::Error::NotABook { .. })
            | Error::Learn(_) => true,
            Error::Kept { error, .. } => error.is_usage(),
            Error::Cluster(error) => error.is_usage(),
            Error::Store(error) => error.is_usage(),
            Error::Books(error) => error.is_usage(),
            Error::Query(error) => error.is_usage(),
            Error::Experience(error) => error.is_usage(),
            _ => self.is_output_exists(),
        }
    }

    /// Whether something is at the place of an output.
    #[must_use]
    pub fn is_output_exists(&self) -> bool {
        matches!(
            self.cause(),
            Error::OutputExists { .. }
                | Error::Table(table::Error::OutputExists { .. })
                | Error::Book(book::Error::OutputExists { .. })
                | Error::Analysis(analysis::Error::OutputExists { .. })
                | Error::Publish(output::PublishError { source: output::Error::Exists { .. }, .. })
                | Error::Experience(
                    experience::Error::OutputExists { .. }
                        | experience::Error::Table(table::Error::OutputExists { .. })
                )
        )
    }

    /// Whether an output would have been empty.
    #[must_use]
    pub fn is_empty_output(&self) -> bool {
        matches!(self, Error::NothingCounted(_) | Error::NothingKept { .. } | Error::NoOpening { .. })
    }

    /// Whether games would be counted twice.
    #[must_use]
    pub fn is_repeated_source(&self) -> bool {
        match self {
            Error::AlreadyCounted { .. } | Error::Table(table::Error::SourceRepeated { .. }) => true,
            Error::Books(error) => matches!(**error, BooksError::SourceRepeated { .. }),
            _ => false,
        }
    }

    /// Whether tables share games that would count twice.
    #[must_use]
    pub fn is_shared_games(&self) -> bool {
        matches!(self, Error::Table(table::Error::SharedGames { .. }))
    }

    /// Whether tables are grouped differently.
    #[must_use]
    pub fn is_group_disagreement(&self) -> bool {
        matches!(self, Error::Table(table::Error::Disagree { option, .. }) if *option == Counting::GROUP_OPTION)
    }

    /// Whether weights depend on what counts are not grouped by.
    #[must_use]
    pub fn is_not_grouped(&self) -> bool {
        matches!(
            self,
            Error::Table(table::Error::NotGrouped { .. })
                | Error::Query(query::Error::Table(table::Error::NotGrouped { .. }))
        )
    }

    /// Whether the folder for spilled runs is too small.
    #[must_use]
    pub fn is_temporary_space(&self) -> bool {
        matches!(
            self.cause(),
            Error::Sort(extsort::Error::DiskFull { .. } | extsort::Error::QuotaExceeded { .. })
        )
    }

    /// Whether another command writes the same output.
    #[must_use]
    pub fn is_locked(&self) -> bool {
        matches!(self, Error::Lock(output::LockError::Taken { .. }))
    }

    /// Whether an input needs a longer window to be unpacked than is allowed unless it is asked for.
    #[must_use]
    pub fn is_long_window(&self) -> bool {
        matches!(self, Error::Pgn(pgn::Error::LongWindow { by_length: true, .. }))
    }

    /// Whether an input needs a longer window to be unpacked than the memory allows.
    #[must_use]
    pub fn is_window_beyond_memory(&self) -> bool {
        matches!(self, Error::Pgn(pgn::Error::LongWindow { by_length: false, .. }))
    }

    /// Whether the user interrupted the run.
    #[must_use]
    pub fn is_interrupt(&self) -> bool {
        matches!(self.cause(), Error::Interrupted) || self.is_stop()
    }

    /// Whether what was counted is recorded, so that another run can go on.
    #[must_use]
    pub fn is_resumable(&self) -> bool {
        matches!(self, Error::Kept { .. })
    }

    /// Why a run ended, whatever it has recorded.
    fn cause(&self) -> &Error {
        match self {
            Error::Kept { error, .. } => error,
            other => other,
        }
    }

    /// Why creating, writing or finishing the output at `path` failed; made for `map_err`.
    pub fn output(path: &Path) -> impl Fn(io::Error) -> Error + '_ {
        move |source| match source.kind() {
            io::ErrorKind::AlreadyExists => Error::OutputExists { path: path.into() },
            _ => Error::File { action: "write", path: path.into(), source },
        }
    }

    /// Whether a library stopped because its caller asked for it.
    pub(crate) fn is_stop(&self) -> bool {
        matches!(
            self,
            Error::Stopped
                | Error::Lock(output::LockError::Stopped)
                | Error::Pgn(pgn::Error::Stopped)
                | Error::Sort(extsort::Error::Stopped)
                | Error::Table(table::Error::Stopped)
                | Error::Analysis(analysis::Error::Walk(walk::Error::Stopped))
                | Error::Query(query::Error::Stopped)
                | Error::Experience(experience::Error::Stopped)
        )
    }

    /// Whether another error is its cause: a part of the run was stopped because of that one.
    pub(crate) fn is_consequence(&self) -> bool {
        self.is_stop() || matches!(self, Error::Sort(extsort::Error::AnotherThreadFailed))
    }

    /// The error of a walk: one of ours that came back through it, or its own.
    pub(crate) fn of_walk(error: walk::Error) -> Self {
        match error {
            walk::Error::Input(inner) => match inner.downcast::<Error>() {
                Ok(ours) => *ours,
                Err(inner) => Error::Walk(walk::Error::Input(inner)),
            },
            walk::Error::Sort(error) => error.into(),
            walk::Error::Stopped => Error::Stopped,
            other => Error::Walk(other),
        }
    }

    /// A library stops only when the user interrupts the run, except in a reading, which keeps its own cause.
    pub(crate) fn of_run(self) -> Self {
        if self.is_stop() { Error::Interrupted } else { self }
    }

    /// The error of an output that is temporary, with the name that the user gave in place of its own.
    pub(crate) fn renamed(self, temporary: &Path, given: &Path) -> Self {
        let name = |path: PathBuf| if path == temporary { given.to_owned() } else { path };
        match self {
            Error::File { action, path, source } => Error::File { action, path: name(path), source },
            Error::Table(table::Error::Io { path, source }) => {
                Error::Table(table::Error::Io { path: name(path), source })
            }
            Error::Lock(output::LockError::Io { output, source }) => {
                Error::Lock(output::LockError::Io { output: name(output), source })
            }
            other => other,
        }
    }

    /// A setting of a stage that makes no sense.
    pub(crate) fn setting(stage: &str, error: SettingError) -> Self {
        RecipeError::Setting { stage: stage.to_owned(), error }.into()
    }
}

/// Games by result: `1/0/2`.
fn results([white, draws, black]: [u64; 3]) -> String {
    format!("{white}/{draws}/{black}")
}

impl From<BooksError> for Error {
    fn from(error: BooksError) -> Self {
        Self::Books(Box::new(error))
    }
}

impl From<craft::Error> for Error {
    fn from(error: craft::Error) -> Self {
        match error {
            craft::Error::Walk(error) => Error::of_walk(error),
            craft::Error::Query(error) => error.into(),
            other => Error::Craft(other),
        }
    }
}

impl From<report::Error<Error>> for Error {
    fn from(error: report::Error<Error>) -> Self {
        match error {
            report::Error::Rows(error) => error,
            report::Error::Table(error) => error.into(),
            report::Error::RootDiffers { root } => Error::RootDiffers { root },
            report::Error::Stopped => Error::Stopped,
            other => Error::Page(other.to_string()),
        }
    }
}

/// Why positions are left out, in words.
fn left_out_text(left_out: &BTreeMap<&'static str, u64>) -> String {
    let reasons: Vec<_> = left_out.iter().map(|(why, positions)| format!("{why} {positions}")).collect();
    if reasons.is_empty() {
        return ": there is none of these plies".into();
    }
    format!("; left out: {}", reasons.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_output_that_exists_is_wrong_usage_in_any_library() {
        let path = PathBuf::from("a.tabia");
        let kept = |error| Error::Kept { error: Box::new(error), folder: "a.resume".into() };
        for error in [
            Error::OutputExists { path: path.clone() },
            table::Error::OutputExists { path: path.clone() }.into(),
            book::Error::OutputExists { path: path.clone() }.into(),
            kept(Error::OutputExists { path: path.clone() }),
        ] {
            assert!(error.is_output_exists() && error.is_usage(), "{error}");
        }
        for error in [book::Error::NotABook { path }.into(), kept(Error::Interrupted)] {
            assert!(!error.is_output_exists() && !error.is_usage(), "{error}");
        }
    }

    #[test]
    fn an_output_without_moves_is_empty() {
        assert!(Error::NothingKept { why: "no move is left".into() }.is_empty_output());
        assert!(!Error::Interrupted.is_empty_output());
        assert!(!Error::OutputExists { path: "a.tabia".into() }.is_empty_output());
    }
}
