//! Waits for finished files to reach the disk while others are still being written.

use std::{
    fs::File,
    io,
    path::PathBuf,
    sync::{
        Arc, Mutex, PoisonError,
        mpsc::{self, Receiver, SyncSender},
    },
    thread::{self, JoinHandle},
};

use crate::{Error, Result};

/// How many files are synced at once. Syncing several at once pays because a single commit of the file
/// system's journal serves all files that are waiting for it.
const THREADS: usize = 4;
/// How many files may wait to be synced. Files are kept open while they wait, and the number of files that a
/// process may have open is limited. If this many files are already waiting, a writer that finishes another
/// file has to wait too.
const WAITING: usize = 16;

/// A few threads that sync files.
pub(crate) struct Syncer {
    pub(crate) queue: SyncQueue,
    threads: Vec<JoinHandle<Result<()>>>,
}

/// The queue through which finished files are passed to a [`Syncer`].
#[derive(Clone)]
pub(crate) struct SyncQueue {
    /// The sending end of the queue; `None` if there are no syncing threads, in which case the thread that
    /// finishes a file also syncs it.
    sender: Option<SyncSender<(PathBuf, File)>>,
}

impl Syncer {
    pub(crate) fn start() -> Self {
        let (sender, files) = mpsc::sync_channel::<(PathBuf, File)>(WAITING);
        let files = Arc::new(Mutex::new(files));
        let start = |_| {
            let files = Arc::clone(&files);
            thread::Builder::new().spawn(move || sync_all(&files)).ok()
        };
        let threads: Vec<_> = (0..THREADS).map_while(start).collect();
        Self { queue: SyncQueue { sender: (!threads.is_empty()).then_some(sender) }, threads }
    }

    /// Waits until the files from all queues have been synced to disk. Does not return until every other
    /// queue has been dropped.
    pub(crate) fn finish(self) -> Result<()> {
        drop(self.queue);
        let join =
            |thread: JoinHandle<_>| thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        self.threads.into_iter().map(join).fold(Ok(()), Result::and)
    }
}

/// Syncs one file after another, until there are no more or one cannot be synced.
fn sync_all(files: &Mutex<Receiver<(PathBuf, File)>>) -> Result<()> {
    let next = || files.lock().unwrap_or_else(PoisonError::into_inner).recv();
    while let Ok((path, file)) = next() {
        file.sync_all().map_err(Error::io(&path))?;
    }
    Ok(())
}

impl SyncQueue {
    /// Creates a queue without a syncer; the thread that finishes a file also syncs it.
    pub(crate) fn at_once() -> Self {
        Self { sender: None }
    }

    /// Queues a file to be synced, after waiting for room in the queue if it is full. A thread stops when a
    /// file cannot be synced; once all threads have stopped, every call fails. A queue without threads syncs
    /// the file itself.
    pub(crate) fn push(&self, path: PathBuf, file: File) -> io::Result<()> {
        let Some(sender) = &self.sender else { return file.sync_all() };
        let stopped = |_| io::Error::other("not written: earlier files could not be synced");
        sender.send((path, file)).map_err(stopped)
    }
}
