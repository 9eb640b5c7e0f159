//! Waits for finished files to reach the disk, while others are still being written.

use std::{
    fs::File,
    io,
    path::PathBuf,
    sync::mpsc::{self, Sender},
    thread::{self, JoinHandle},
};

use crate::{Error, Result};

/// A thread that syncs the files given to it, one after the other.
pub(crate) struct Syncer {
    queue: SyncQueue,
    thread: JoinHandle<Result<()>>,
}

/// Where finished files are given to a [`Syncer`].
#[derive(Clone)]
pub(crate) struct SyncQueue(Sender<(PathBuf, File)>);

impl Syncer {
    pub(crate) fn start() -> Self {
        let (sender, files) = mpsc::channel::<(PathBuf, File)>();
        let sync_all =
            move || files.iter().try_for_each(|(path, file)| file.sync_all().map_err(Error::io(&path)));
        Self { queue: SyncQueue(sender), thread: thread::spawn(sync_all) }
    }

    pub(crate) fn queue(&self) -> SyncQueue {
        self.queue.clone()
    }

    /// Returns when every file given to any queue is on disk; all other queues must be dropped by then.
    pub(crate) fn finish(self) -> Result<()> {
        drop(self.queue);
        self.thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    }
}

impl SyncQueue {
    /// Gives a file to be synced. After a file that could not be, no more are taken.
    pub(crate) fn push(&self, path: PathBuf, file: File) -> io::Result<()> {
        let stopped = |_| io::Error::other("not written: an earlier file could not be synced");
        self.0.send((path, file)).map_err(stopped)
    }
}
