//! Sharing what is learned: games go to an exchange, and its experience comes from there.
//!
//! Beside `x.experience.parquet` are `x.exchange.experience.parquet`, the experience that was fetched last,
//! and `x.exchange.journal`, the games that it does not hold yet. A thread of its own posts and fetches, so
//! that a server that is away or slow delays no move: its games wait in the journal, for the next start too.

use std::{
    io::Write as _,
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::AtomicBool,
        mpsc::{self, Receiver, RecvTimeoutError, Sender},
    },
    thread,
    time::Duration,
};

use exchange::{Connection, ConnectionError, identity_of};
use journal::Journal;
use lessons::{GameRules, Teacher};
use output::{Existing, OutputFile, OutputLock, Waiting};
use query::Artefact;

use super::files::{Files, journal_of, sibling};
use crate::{Error, Result};

/// Between two attempts to reach the server, and between two looks for what others have taught.
const PAUSE: Duration = Duration::from_secs(5);
/// How long the first answer is waited for, and the last one when the player ends.
const PATIENCE: Duration = Duration::from_secs(4);

/// Which exchange.
#[derive(Clone, Debug)]
pub struct ExchangeOptions {
    /// Its address, `http://HOST:PORT`.
    pub url: String,
    /// The player's token there.
    pub token: Option<String>,
}

/// What is shared.
pub(super) struct Shared {
    files: Files,
    teacher: Teacher,
    /// Asks the thread to post and fetch; dropped, it ends after a last attempt.
    wake: Option<Sender<()>>,
    /// Ends when the thread does.
    ended: Receiver<()>,
    /// Why the last attempt failed.
    why: Arc<Mutex<Option<String>>>,
}

impl Shared {
    /// Begins to post and fetch. Waits a little for the first experience.
    pub(super) fn open(
        options: &ExchangeOptions,
        experience: &Path,
        rules: GameRules,
        book: &Artefact,
    ) -> Result<Self> {
        let connection = Connection::new(&options.url, options.token.clone(), identity_of(book)?)?;
        let path = sibling(experience, "exchange");
        let mut files = Files::open(&path, rules)?;
        let journal = Journal::open(&journal_of(&path))?;
        let why = Arc::default();
        let sharer = Sharer { connection, journal, path, tag: None, why: Arc::clone(&why) };
        let ((wake, woken), (tried, first), (ends, ended)) =
            (mpsc::channel(), mpsc::channel(), mpsc::channel());
        thread::Builder::new()
            .spawn(move || {
                let _ends = ends;
                sharer.run(&woken, &tried);
            })
            .map_err(Error::Thread)?;
        if let Ok(Err(refused)) = first.recv_timeout(PATIENCE) {
            return Err(refused.into());
        }
        let teacher = files.load(book)?;
        Ok(Self { files, teacher, wake: Some(wake), ended, why })
    }

    /// What all have taught, as far as it was fetched, and the player's own games.
    pub(super) fn teacher(&self) -> &Teacher {
        &self.teacher
    }

    /// Reads what was fetched since.
    pub(super) fn catch_up(&mut self, book: &Artefact) -> Result<()> {
        self.files.catch_up(&mut self.teacher, book).map(drop)
    }

    /// Keeps a game until it is posted. It is on disk when this returns. Says why earlier ones wait, if so.
    pub(super) fn append(&mut self, player: &str, text: &str, book: &Artefact) -> Result<Option<String>> {
        let why = self.why.lock().unwrap_or_else(PoisonError::into_inner).clone();
        self.files.append(player, text)?;
        self.catch_up(book)?;
        // If the thread has ended, the game waits for the next start.
        let _ = self.wake.as_ref().map(|wake| wake.send(()));
        Ok(why)
    }

    /// Waits a little for a last attempt.
    pub(super) fn close(&mut self) {
        self.wake = None;
        let _ = self.ended.recv_timeout(PATIENCE);
    }
}

/// The thread that posts and fetches.
struct Sharer {
    connection: Connection,
    journal: Journal,
    /// The experience that is fetched.
    path: PathBuf,
    /// The server's tag of it.
    tag: Option<String>,
    why: Arc<Mutex<Option<String>>>,
}

impl Sharer {
    /// Posts and fetches when woken, and every few seconds. `tried` has what came of the first attempt, if
    /// the server refuses it.
    fn run(mut self, woken: &Receiver<()>, tried: &Sender<Result<(), ConnectionError>>) {
        let first = self.share();
        let refused = matches!(first, Err(Failed::Connection(ConnectionError::Refused { .. })));
        self.note(&first);
        // If no one waits for it any more, it is noted.
        let _ = tried.send(match first {
            Err(Failed::Connection(why)) if refused => Err(why),
            _ => Ok(()),
        });
        loop {
            let ends = matches!(woken.recv_timeout(PAUSE), Err(RecvTimeoutError::Disconnected));
            let shared = self.share();
            self.note(&shared);
            if ends {
                return;
            }
        }
    }

    fn note(&self, shared: &Result<(), Failed>) {
        let why = shared.as_ref().err().map(ToString::to_string);
        *self.why.lock().unwrap_or_else(PoisonError::into_inner) = why;
    }

    /// Posts all that waits, in its order, and fetches what it has become with what others posted.
    fn share(&mut self) -> Result<(), Failed> {
        let mut posted = 0;
        for entry in self.journal.read(0)? {
            let entry = entry?;
            match self.connection.post(&entry.source, &entry.text) {
                // A game that the server cannot use would hold up all others.
                Ok(_) | Err(ConnectionError::Refused { status: 413 | 422, .. }) => posted = entry.number,
                Err(why) => return Err(why.into()),
            }
        }
        if let Some(fetched) = self.connection.experience(self.tag.as_deref())? {
            self.replace(&fetched.bytes)?;
            self.tag = Some(fetched.tag);
        }
        // Only now: what was posted is in the experience, so that it is known without the journal.
        if posted > 0 {
            self.journal.retain(|entry| entry.number > posted)?;
        }
        Ok(())
    }

    fn replace(&self, bytes: &[u8]) -> Result<(), Failed> {
        static NEVER: AtomicBool = AtomicBool::new(false);
        let _lock = OutputLock::take(&self.path, Waiting::Report(|_| ()), &NEVER).map_err(Error::Lock)?;
        let mut output = OutputFile::create(&self.path, Existing::Replace)?;
        output.file().write_all(bytes)?;
        Ok(output.finish()?)
    }
}

/// Why an attempt failed.
#[derive(Debug, thiserror::Error)]
enum Failed {
    #[error(transparent)]
    Connection(#[from] ConnectionError),
    #[error(transparent)]
    Journal(#[from] journal::Error),
    #[error(transparent)]
    Player(#[from] Error),
    #[error("the experience of the exchange cannot be kept: {0}")]
    Io(#[from] std::io::Error),
}
