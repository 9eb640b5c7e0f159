//! Syncs a file to disk in the background, while the file is still being written.

use std::{
    fs::File,
    io,
    sync::mpsc::{Receiver, SyncSender, sync_channel},
    thread::{self, JoinHandle},
};

/// A thread that syncs a file on request.
#[derive(Debug)]
pub(crate) struct BackgroundSync {
    requests: SyncSender<()>,
    thread: JoinHandle<io::Result<()>>,
}

impl BackgroundSync {
    pub(crate) fn start(file: &File) -> io::Result<Self> {
        let file = file.try_clone()?;
        let (requests, received) = sync_channel(1);
        let thread = thread::Builder::new().name("sync".into()).spawn(move || sync_each(&file, received))?;
        Ok(Self { requests, thread })
    }

    /// Requests a sync of the bytes written so far, without waiting for it.
    pub(crate) fn request(&self) {
        // If the queue is full, the sync for an earlier request has not started yet, so it will include these
        // bytes. If the queue is disconnected, the thread has failed, and `finish` returns its error.
        let _ = self.requests.try_send(());
    }

    /// Waits for all requests. No error may be lost here, because the system reports a failed write-back only
    /// once.
    pub(crate) fn finish(self) -> io::Result<()> {
        drop(self.requests);
        self.thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    }
}

fn sync_each(file: &File, requests: Receiver<()>) -> io::Result<()> {
    requests.into_iter().try_for_each(|()| crate::disk::sync_data(file))
}

#[cfg(test)]
mod tests {
    use std::os::fd::OwnedFd;

    use super::*;

    /// A pipe cannot be synced, and the system reports an error for it.
    #[test]
    fn a_sync_that_was_requested_happens_and_its_error_is_kept() {
        let (_reader, writer) = io::pipe().unwrap();
        let file = File::from(OwnedFd::from(writer));
        BackgroundSync::start(&file).unwrap().finish().unwrap();
        let sync = BackgroundSync::start(&file).unwrap();
        sync.request();
        assert_eq!(sync.finish().unwrap_err().kind(), io::ErrorKind::InvalidInput);
    }
}
