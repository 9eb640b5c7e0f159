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
/// them to the sorter. The sorter merges runs on its own, and reports each merge to the ledger by
/// [`merged`](Self::merged).
pub trait RunLedger: Send + Sync {
    /// Records that `run`, which is safe on disk, holds all rows of the runs at `parts` and replaces them.
    /// The files at `parts` are removed after this returns.
    ///
    /// # Errors
    /// The reason why nothing could be recorded; the sort then fails, and the files at `parts` stay.
    fn merged(&self, run: &RunFile, parts: &[PathBuf]) -> io::Result<()>;
}

/// A folder in which run files have names. The file of a run stays until another named run replaces it
/// or the folder's owner removes it.
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

    /// Waits until a run and its name are safe on disk.
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
