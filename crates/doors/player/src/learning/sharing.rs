//! What all players of an exchange learn: games go there, and the experience of all is read in place of the
//! player's own.
//!
//! Requests are made by a thread of their own ([`worker`]), so that a server that is slow or away stops no
//! game. Games wait in a journal, the outbox, until the server has acknowledged them.

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

use self::worker::{News, Worker};
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

/// How long the first request, and the last ones, may take.
const PATIENCE: Duration = Duration::from_secs(3);

/// A player's part in an exchange.
pub(super) struct Sharing {
    outbox: Journal,
    cache: PathBuf,
    rules: GameRules,
    /// What all players have learned, as far as this one knows it; `None` before the first answer of the
    /// exchange.
    pub(super) teacher: Option<Teacher>,
    worker: Worker,
    news: Receiver<News>,
    /// Messages that the user has not seen yet.
    notes: Vec<String>,
    /// Whether the exchange did not answer the last time; the GUI hears of it only when that changes.
    is_away: bool,
    /// Why the exchange refuses what is sent.
    pub(super) refused: Option<String>,
}

impl Sharing {
    /// Opens the outbox and what was fetched before, beside the experience file, and asks the exchange.
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

    /// Sends a game, now or later.
    pub(super) fn send(&mut self, player: &str, text: &str, book: &Artefact) -> Result<()> {
        let number = self.outbox.append(player, text.as_bytes())?;
        // What it teaches is reported for the player's own file.
        self.teach_outbox(number - 1, book)?;
        self.worker.wake();
        Ok(())
    }

    /// Asks the exchange, and takes what it has answered within `patience`.
    pub(super) fn refresh(&mut self, patience: Duration, book: &Artefact) -> Result<()> {
        let asked = self.worker.wake();
        let until = Instant::now() + patience;
        loop {
            match self.news.recv_deadline(until) {
                Err(_) => return Ok(()),
                Ok(News::Answered(number)) if number >= asked => return Ok(()),
                Ok(news) => self.take(news, book)?,
            }
        }
    }

    /// Takes what the exchange has answered meanwhile.
    pub(super) fn catch_up(&mut self, book: &Artefact) -> Result<()> {
        while let Ok(news) = self.news.try_recv() {
            self.take(news, book)?;
        }
        Ok(())
    }

    /// Takes the messages that the user has not seen yet.
    pub(super) fn take_notes(&mut self) -> Vec<String> {
        std::mem::take(&mut self.notes)
    }

    /// Sends what waits, as far as the exchange takes it in time, and reports what stays.
    pub(super) fn close(&mut self, book: &Artefact) -> Result<()> {
        self.refresh(PATIENCE, book)?;
        let waiting = self.outbox.read(0)?.count();
        if waiting > 0 {
            let outbox = self.outbox.path().display();
            self.notes
                .push(format!("{waiting} games wait in {outbox}: the next player with this file sends them"));
        }
        Ok(())
    }

    fn take(&mut self, news: News, book: &Artefact) -> Result<()> {
        match news {
            News::Answered(_) => {}
            News::Fetched => {
                self.is_away = false;
                let rows = LoadedRows::read(&ExperienceFile::open(&self.cache)?)?;
                self.teacher = Some(Teacher::new(self.rules.clone(), rows));
                self.teach_outbox(0, book)?;
            }
            News::Unchanged => self.is_away = false,
            News::Away(why) if self.is_away => drop(why),
            News::Away(why) => {
                self.is_away = true;
                self.notes.push(format!("{why}; games are kept and sent later"));
            }
            News::Refused(why) => {
                self.notes.push(format!("error: {why}"));
                self.refused.get_or_insert(why);
            }
            News::Failed(error) => return Err(error),
        }
        Ok(())
    }

    /// Lets the games after a number teach: those that the exchange does not have yet.
    fn teach_outbox(&mut self, after: u64, book: &Artefact) -> Result<()> {
        let Some(teacher) = &mut self.teacher else { return Ok(()) };
        for entry in self.outbox.read(after)? {
            let _ = learn(&mut Records::default(), teacher, &entry?, book)?;
        }
        Ok(())
    }
}
