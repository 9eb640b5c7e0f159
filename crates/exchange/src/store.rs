//! Records that are kept, and the experience that is made of them.
//!
//! # Format
//!
//! A folder with two files. `records.journal` is a [`journal`]: the source of a record is its writer, and its
//! text is the line `% player NAME`, or `% crafty` for records in Crafty's layout, and what was posted.
//! `experience.parquet` is what the records taught; it is made anew from the journal when the server starts.

use std::{
    collections::HashMap,
    fs,
    path::{Path, PathBuf},
    sync::atomic::AtomicBool,
};

use experience::{Job, LoadedRows};
use journal::{Entry, Journal};
use lessons::{GameRules, Record, Records, Teacher, crafty_records_in, games_in};
use output::{Existing, OutputLock, Waiting};
use query::Artefact;
use table::ExperienceFile;
use xxhash_rust::xxh3::xxh3_64;

use crate::{Error, Result};

/// Nothing asks a store to stop within a request.
static NEVER: AtomicBool = AtomicBool::new(false);

/// What the first line of a text begins with.
const PLAYER: &str = "% player ";
/// The first line of records in Crafty's layout.
const CRAFTY: &str = "% crafty";
/// The most bytes of a player's name.
const PLAYER_BYTES_MAX: usize = 200;

/// The records of one book and what they taught.
///
/// # Memory
///
/// Sixteen bytes a record, and all rows of the experience: about 150 bytes each.
pub struct Store {
    folder: PathBuf,
    _lock: OutputLock,
    journal: Journal,
    book: Artefact,
    rules: GameRules,
    /// The numbers of records by the hash of their text.
    numbers: HashMap<u64, u64>,
    taught: Taught,
}

/// What was taught so far.
struct Taught {
    teacher: Teacher,
    /// The last record that taught.
    number: u64,
    /// The hash of the file, once it holds all that was taught.
    written: Option<u64>,
}

/// What a record is.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Layout<'r> {
    /// Games of this player as PGN.
    Games(&'r str),
    /// Crafty's learned PGN.
    Crafty,
}

/// A record that was posted.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct Kept {
    /// Its number.
    pub(crate) number: u64,
    /// Whether it was not there before.
    pub(crate) is_new: bool,
}

impl Store {
    /// Opens the store in `folder`, or makes an empty one. Games teach by `rules` in `book`.
    ///
    /// # Errors
    ///
    /// If another process has the store, or its files cannot be read.
    pub fn open(folder: &Path, book: Artefact, rules: GameRules) -> Result<Self> {
        fs::create_dir_all(folder).map_err(Error::io(folder))?;
        let lock = OutputLock::take(&folder.join("exchange"), Waiting::Refuse, &NEVER)?;
        let journal = Journal::open(&folder.join("records.journal"))?;
        let taught = Taught::nothing(rules);
        let folder = folder.to_owned();
        let mut store = Self { folder, _lock: lock, journal, book, rules, numbers: HashMap::new(), taught };
        store.read_numbers()?;
        Ok(store)
    }

    /// The book.
    #[must_use]
    pub fn book(&self) -> &Artefact {
        &self.book
    }

    /// Records, and the number of the last one that was ever posted.
    #[must_use]
    pub fn count(&self) -> (usize, u64) {
        (self.journal.len(), self.journal.last_number())
    }

    /// Keeps a record, posted by `writer`; it is on disk when this returns. A record that is there already is
    /// not kept again.
    pub(crate) fn post(&mut self, writer: &str, layout: Layout<'_>, text: &[u8]) -> Result<Kept> {
        check(layout, text)?;
        let text = [layout.line().as_bytes(), b"\n", text].concat();
        let hash = xxh3_64(&text);
        if let Some(&number) = self.numbers.get(&hash) {
            return Ok(Kept { number, is_new: false });
        }
        let number = self.journal.append(writer, &text)?;
        self.numbers.insert(hash, number);
        Ok(Kept { number, is_new: true })
    }

    /// Records with numbers above `after`, as long as their texts have no more than `bytes_max` bytes
    /// together, but at least one.
    pub(crate) fn records(&mut self, after: u64, bytes_max: usize) -> Result<Vec<Entry>> {
        let (mut records, mut bytes) = (Vec::new(), 0);
        for entry in self.journal.read(after)? {
            let entry = entry?;
            bytes += entry.text.len();
            if bytes > bytes_max && !records.is_empty() {
                break;
            }
            records.push(entry);
        }
        Ok(records)
    }

    /// Removes the records of a writer, and returns how many they were.
    pub(crate) fn clear(&mut self, writer: &str) -> Result<u64> {
        let removed = self.journal.retain(|entry| entry.source != writer)?;
        if removed > 0 {
            // What the others taught depends on what was there before it, so all of them teach anew.
            self.taught = Taught::nothing(self.rules);
            self.read_numbers()?;
        }
        Ok(removed)
    }

    /// The experience file that all records make, and a hash of its bytes.
    pub(crate) fn experience(&mut self) -> Result<(PathBuf, u64)> {
        let path = self.folder.join("experience.parquet");
        let hash = self.teach(&path);
        if hash.is_err() {
            // What has taught may not be in the file: all records teach anew the next time.
            self.taught = Taught::nothing(self.rules);
        }
        Ok((path, hash?))
    }

    /// Lets the records since the last time teach, and writes the file if it is another one then.
    fn teach(&mut self, path: &Path) -> Result<u64> {
        let (mut records, book) = (Records::default(), &self.book);
        for entry in self.journal.read(self.taught.number)? {
            let entry = entry?;
            let Entry { source, text, .. } = &entry;
            let teacher = &mut self.taught.teacher;
            let book_moves = |key| query::book_moves(book, key).map_err(Error::from);
            // What teaches nothing is counted under its writer.
            match parts(text) {
                (Layout::Games(player), text) => {
                    let _ = records.learn(teacher, Record { source, player, text }, book_moves)?;
                }
                (Layout::Crafty, text) => records.learn_crafty(teacher, source, text, book_moves)?,
            }
            self.taught.number = entry.number;
        }
        if let Some(hash) = self.taught.written.filter(|_| records.games() == 0) {
            return Ok(hash);
        }
        let old = self.taught.written.map(|_| ExperienceFile::open(path)).transpose()?;
        let job = Job { existing: Existing::Replace, stop: &NEVER };
        records.write(old.as_ref(), query::keeps(book), path, job)?;
        let hash = xxh3_64(&fs::read(path).map_err(Error::io(path))?);
        self.taught.written = Some(hash);
        Ok(hash)
    }

    fn read_numbers(&mut self) -> Result<()> {
        self.numbers.clear();
        for entry in self.journal.read(0)? {
            let entry = entry?;
            self.numbers.entry(xxh3_64(&entry.text)).or_insert(entry.number);
        }
        Ok(())
    }
}

impl Taught {
    fn nothing(rules: GameRules) -> Self {
        Self { teacher: Teacher::new(rules, LoadedRows::default()), number: 0, written: None }
    }
}

impl Layout<'_> {
    fn line(self) -> String {
        match self {
            Self::Games(player) => format!("{PLAYER}{player}"),
            Self::Crafty => CRAFTY.to_owned(),
        }
    }
}

/// Refuses a record that could teach nothing, whatever the book.
fn check(layout: Layout<'_>, text: &[u8]) -> Result<()> {
    match layout {
        Layout::Crafty if crafty_records_in(text)?.is_empty() => Err(Error::NoRecord),
        Layout::Games(player)
            if player.is_empty() || player.len() > PLAYER_BYTES_MAX || player.contains(char::is_control) =>
        {
            Err(Error::Player)
        }
        Layout::Games(player) if games_in(text, player)?.is_empty() => {
            Err(Error::NoGame { player: player.to_owned() })
        }
        _ => Ok(()),
    }
}

/// What a record is, and what was posted.
pub(crate) fn parts(text: &[u8]) -> (Layout<'_>, &[u8]) {
    let end = text.iter().position(|&byte| byte == b'\n').unwrap_or(text.len());
    let line = std::str::from_utf8(&text[..end]).unwrap_or_default();
    let rest = text.get(end + 1..).unwrap_or_default();
    (line.strip_prefix(PLAYER).map_or(Layout::Crafty, Layout::Games), rest)
}
