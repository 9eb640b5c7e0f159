//! Shares lessons through an exchange: sends the player's games to it, and uses the experience of all players
//! in place of the player's own.
//!
//! A separate thread ([`worker`]) makes the requests, so that a slow or unreachable server delays no game.
//! Games wait in a journal, the outbox, until the server has acknowledged them.

mod worker;

use std::{
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use crossbeam_channel::Receiver;
use exchange::Connection;
use experience::{ExperienceFile, LoadedRows};
use journal::Journal;
use lessons::{GameRules, Records, Teacher};
use query::Artefact;

use self::worker::{Worker, WorkerEvent};
use super::files::{beside, learn};
use crate::{Error, Result};

/// An exchange.
#[derive(Clone, Debug)]
pub struct ExchangeOptions {
    /// Its address, `http://HOST:PORT`.
    pub url: String,
    /// The player's token.
    pub token: Option<String>,
}

/// The longest time that a player waits for the exchange, both when the player starts and when it exits.
const PATIENCE: Duration = Duration::from_secs(3);

/// The state of a player that shares lessons through an exchange.
pub(super) struct Sharing {
    outbox: Journal,
    cache: PathBuf,
    rules: GameRules,
    /// The experience of all players, as last fetched; `None` if none has ever been fetched.
    pub(super) teacher: Option<Teacher>,
    worker: Worker,
    news: Receiver<WorkerEvent>,
    /// Messages that the user has not seen yet.
    pub(super) notes: Vec<String>,
    /// Whether the exchange failed to answer the last request. The GUI gets a message only when this changes.
    is_away: bool,
    /// Why the exchange refused a record, if it did.
    pub(super) refused: Option<String>,
}

impl Sharing {
    /// Opens the outbox and the cached experience, which are next to the experience file, and sends a first
    /// request to the exchange.
    pub(super) fn open(
        experience: &Path,
        options: &ExchangeOptions,
        rules: GameRules,
        book: &Artefact,
    ) -> Result<Self> {
        let identity = exchange::identity_of(book).map_err(Error::Exchange)?;
        let connection = Connection::new(&options.url, options.token.clone(), identity);
        let connection = connection.map_err(Error::Connection)?;
        let outbox = beside(experience, ".outbox");
        let cache = beside(experience, ".shared.parquet");
        let teacher = match ExperienceFile::open(&cache) {
            _ if !cache.try_exists().unwrap_or(true) => None,
            file => Some(Teacher::new(rules.clone(), LoadedRows::read(&file?)?)),
        };
        let (worker, news) = Worker::start(connection, Journal::open(&outbox)?, cache.clone());
        let outbox = Journal::open(&outbox)?;
        let (notes, is_away, refused) = (Vec::new(), false, None);
        let mut sharing = Self { outbox, cache, rules, teacher, worker, news, notes, is_away, refused };
        sharing.teach_outbox(0, book)?;
        sharing.refresh(PATIENCE, book)?;
        Ok(sharing)
    }

    /// Adds a game to the outbox, from which it is sent as soon as the exchange can be reached.
    pub(super) fn send(&mut self, player: &str, text: &str, book: &Artefact) -> Result<()> {
        let number = self.outbox.append(player, text.as_bytes())?;
        // Nothing is reported here. The lessons from the game are reported when they are added to the
        // player's own experience.
        self.teach_outbox(number - 1, book)?;
        self.worker.wake();
        Ok(())
    }

    /// Sends a request to the exchange, and handles the answers that arrive within `patience`.
    pub(super) fn refresh(&mut self, patience: Duration, book: &Artefact) -> Result<()> {
        let asked = self.worker.wake();
        let until = Instant::now() + patience;
        loop {
            match self.news.recv_deadline(until) {
                Err(_) => return Ok(()),
                Ok(WorkerEvent::Answered(number)) if number >= asked => return Ok(()),
                Ok(news) => self.take(news, book)?,
            }
        }
    }

    /// Handles any answers that have arrived in the meantime.
    pub(super) fn catch_up(&mut self, book: &Artefact) -> Result<()> {
        while let Ok(news) = self.news.try_recv() {
            self.take(news, book)?;
        }
        Ok(())
    }

    /// Sends as many of the waiting games as the exchange accepts in time, and reports how many are left.
    pub(super) fn close(&mut self, book: &Artefact) -> Result<()> {
        self.refresh(PATIENCE, book)?;
        let waiting = self.outbox.read(0)?.count();
        if waiting > 0 {
            let outbox = self.outbox.path().display();
            let note = format!(
                "{waiting} games are waiting in {outbox}; the next player that uses this file will send them"
            );
            self.notes.push(note);
        }
        Ok(())
    }

    fn take(&mut self, news: WorkerEvent, book: &Artefact) -> Result<()> {
        match news {
            WorkerEvent::Answered(_) => {}
            WorkerEvent::Fetched => {
                self.is_away = false;
                let rows = LoadedRows::read(&ExperienceFile::open(&self.cache)?)?;
                self.teacher = Some(Teacher::new(self.rules.clone(), rows));
                self.teach_outbox(0, book)?;
            }
            WorkerEvent::Unchanged => self.is_away = false,
            WorkerEvent::Away(why) if self.is_away => drop(why),
            WorkerEvent::Away(why) => {
                self.is_away = true;
                self.notes.push(format!("{why}; the games are kept and will be sent later"));
            }
            WorkerEvent::Refused(why) => {
                self.notes.push(format!("error: {why}"));
                self.refused.get_or_insert(why);
            }
            WorkerEvent::Failed(error) => return Err(error),
        }
        Ok(())
    }

    /// Learns from the games in the outbox numbered above `after`, because the shared experience does not
    /// contain them yet.
    fn teach_outbox(&mut self, after: u64, book: &Artefact) -> Result<()> {
        let Some(teacher) = &mut self.teacher else { return Ok(()) };
        for entry in self.outbox.read(after)? {
            let _ = learn(&mut Records::default(), teacher, &entry?, book)?;
        }
        Ok(())
    }
}
