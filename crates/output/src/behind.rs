//! Putting a file on disk while more of it is written.

use std::{
    fs::File,
    io,
    sync::mpsc::{Receiver, SyncSender, sync_channel},
    thread::{self, JoinHandle},
};

/// A thread that syncs a file whenever it is asked to.
#[derive(Debug)]
pub(crate) struct Behind {
    asked: SyncSender<()>,
    thread: JoinHandle<io::Result<()>>,
}

impl Behind {
    pub(crate) fn start(file: &File) -> io::Result<Self> {
        let file = file.try_clone()?;
        let (asked, requests) = sync_channel(1);
        let thread = thread::Builder::new().name("sync".into()).spawn(move || sync_each(&file, requests))?;
        Ok(Self { asked, thread })
    }

    /// Has what was written so far put on disk, sooner or later.
    pub(crate) fn ask(&self) {
        // Full: it has yet to begin what it was asked last, and that serves for both. Gone: it failed, as `finish` tells.
        let _ = self.asked.try_send(());
    }

    /// Waits for what was asked; its error, which the system tells only once.
    pub(crate) fn finish(self) -> io::Result<()> {
        drop(self.asked);
        self.thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    }
}

fn sync_each(file: &File, requests: Receiver<()>) -> io::Result<()> {
    requests.into_iter().try_for_each(|()| file.sync_data())
}
