//! What kind of error it is, wherever it comes from: for exit codes, and for hints that name flags.

use table::Counting;

use super::Error;
use crate::books::BooksError;

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
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;

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
