//! The thread that sends requests to the exchange.

use std::{
    io::Write as _,
    path::{Path, PathBuf},
    thread,
    time::Duration,
};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, unbounded};
use exchange::{Connection, ConnectionError};
use fault::FileFault;
use journal::Journal;
use output::{Existing, OutputFile};

use crate::{Error, Result};

/// How long to wait between attempts while an exchange does not answer.
const RETRY: Duration = Duration::from_secs(30);
/// The HTTP status codes with which an exchange refuses a record permanently, because it is too large or
/// contains no game.
const NEVER_TAKEN: [u16; 2] = [413, 422];

/// An event that the thread reports.
pub(super) enum WorkerEvent {
    /// All requests up to this number have been handled, whether they succeeded or not.
    Answered(u64),
    /// The shared experience has changed, and its new version is already in the cache.
    Fetched,
    /// The shared experience is unchanged.
    Unchanged,
    /// The exchange server cannot be reached, is busy or has failed; the text gives the reason.
    Away(String),
    /// The exchange refuses a record.
    Refused(String),
    /// A file cannot be read or written.
    Failed(Error),
}

/// The handle of the thread; dropping it ends the thread.
pub(super) struct Worker {
    wake: Sender<u64>,
    asked: u64,
}

impl Worker {
    /// Starts the thread, which sends the contents of the outbox and writes the experience that it fetches to
    /// `cache`.
    pub(super) fn start(
        connection: Connection,
        outbox: Journal,
        cache: PathBuf,
    ) -> (Self, Receiver<WorkerEvent>) {
        let (wake, woken) = unbounded();
        let (news, receiver) = unbounded();
        let mut client = Client { connection, outbox, cache, tag: None, news };
        thread::spawn(move || client.run(&woken));
        (Self { wake, asked: 0 }, receiver)
    }

    /// Asks the thread to send the games and fetch the experience; returns the number of this request.
    pub(super) fn wake(&mut self) -> u64 {
        self.asked += 1;
        // If the thread has ended, it has already reported the reason.
        let _ = self.wake.send(self.asked);
        self.asked
    }
}

struct Client {
    connection: Connection,
    outbox: Journal,
    cache: PathBuf,
    /// The tag with which the exchange marked the version of the experience that is in the cache.
    tag: Option<String>,
    news: Sender<WorkerEvent>,
}

impl Client {
    fn run(&mut self, woken: &Receiver<u64>) {
        loop {
            let mut asked = match woken.recv_timeout(RETRY) {
                Ok(asked) => asked,
                Err(RecvTimeoutError::Timeout) if self.outbox.is_empty() => continue,
                Err(RecvTimeoutError::Timeout) => 0,
                Err(RecvTimeoutError::Disconnected) => return,
            };
            asked = woken.try_iter().last().unwrap_or(asked);
            let news = self.send_and_fetch().unwrap_or_else(WorkerEvent::Failed);
            if [news, WorkerEvent::Answered(asked)].into_iter().any(|news| self.news.send(news).is_err()) {
                return;
            }
        }
    }

    fn send_and_fetch(&mut self) -> Result<WorkerEvent> {
        if let Some(news) = self.send_all()? {
            return Ok(news);
        }
        match self.connection.experience(self.tag.as_deref()) {
            Ok(None) => Ok(WorkerEvent::Unchanged),
            Ok(Some(fetched)) => {
                write(&self.cache, &fetched.bytes)?;
                self.tag = Some(fetched.tag);
                Ok(WorkerEvent::Fetched)
            }
            Err(error) => Ok(news_of(&error)),
        }
    }

    /// Sends the games in the outbox, oldest first. If it stops before the last game, returns the reason.
    fn send_all(&mut self) -> Result<Option<WorkerEvent>> {
        let (mut sent, mut stopped) = (0, None);
        for entry in self.outbox.read(0)? {
            let entry = entry?;
            match self.connection.post(&entry.source, &entry.text) {
                Ok(_) => {}
                Err(ConnectionError::Refused { status, why }) if NEVER_TAKEN.contains(&status) => {
                    let why = format!("the exchange refused game {number}: {why}", number = entry.number);
                    // If no one receives the message, the session is over.
                    let _ = self.news.send(WorkerEvent::Refused(why));
                }
                Err(error) => {
                    stopped = Some(news_of(&error));
                    break;
                }
            }
            sent = entry.number;
        }
        if sent > 0 {
            self.outbox.retain(|entry| entry.number > sent)?;
        }
        Ok(stopped)
    }
}

fn news_of(error: &ConnectionError) -> WorkerEvent {
    match error {
        ConnectionError::Away(_) => WorkerEvent::Away(error.to_string()),
        _ => WorkerEvent::Refused(error.to_string()),
    }
}

/// Writes a file atomically.
fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    let failed = FileFault::at(path);
    let mut file = OutputFile::create(path, Existing::Replace).map_err(&failed)?;
    file.file().write_all(bytes).map_err(&failed)?;
    Ok(file.finish().map_err(failed)?)
}
