//! Run files with names, for a sort that another process can resume.

use std::{
    fmt,
    fs::{self, File},
    io,
    path::{Path, PathBuf},
    sync::atomic::{AtomicU64, Ordering::Relaxed},
};

use crate::RunFile;

/// Keeps a record of the runs of a [`RunFolder`], for a process that resumes the sort.
///
/// When a [`Writer`](crate::Writer) has ended a group, the caller records the group's runs and then hands
/// them to the sorter. The sorter merges runs on its own, and reports each merge to the ledger through
/// [`merged`](Self::merged).
pub trait RunLedger: Send + Sync {
    /// Records that `run` holds all rows of the runs at `parts`, and that it replaces those runs. `run` has
    /// already been synced to disk. The files at `parts` are removed after this method returns.
    ///
    /// # Errors
    /// Fails if the merge could not be recorded. The sort then fails, and the files at `parts` are kept.
    fn merged(&self, run: &RunFile, parts: &[PathBuf]) -> io::Result<()>;
}

/// A folder in which run files have names. A run's file is kept until the run is merged into another named
/// run, or until the folder's owner removes the file.
pub struct RunFolder {
    path: PathBuf,
    next: AtomicU64,
    ledger: Box<dyn RunLedger>,
}

impl fmt::Debug for RunFolder {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("RunFolder").field(&self.path).finish()
    }
}

impl RunFolder {
    /// Uses the folder at `path` as a run folder; its next run gets the number `first`. No file in it may
    /// already have this number or a higher one.
    #[must_use]
    pub fn new(path: PathBuf, first: u64, ledger: Box<dyn RunLedger>) -> Self {
        Self { path, next: AtomicU64::new(first), ledger }
    }

    /// The file name of a run.
    #[must_use]
    pub fn run_name(number: u64) -> String {
        format!("{number:06}.run")
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Creates the file for the next run.
    pub(crate) fn create(&self) -> io::Result<(File, PathBuf)> {
        let path = self.path.join(Self::run_name(self.next.fetch_add(1, Relaxed)));
        let file = File::options().read(true).write(true).create_new(true).open(&path)?;
        Ok((file, path))
    }

    /// Syncs a run's file and its name to disk.
    pub(crate) fn sync(&self, file: &File) -> io::Result<()> {
        file.sync_all()?;
        File::open(&self.path)?.sync_all()
    }

    /// Records that the runs at `parts` were merged into `run`, and removes their files.
    pub(crate) fn replace(&self, run: &RunFile, parts: &[PathBuf]) -> io::Result<()> {
        self.ledger.merged(run, parts)?;
        // The files are removed only after the record is written, so a process that resumes finds either all
        // parts or the record of the merge.
        parts.iter().try_for_each(fs::remove_file)
    }
}
