//! Stores the records, and the experience file that is made from them.
//!
//! # Format
//!
//! The folder has two files. `records.journal` is a [`journal`] with an entry for each record. The source of
//! the entry is the record's first writer. The text of the entry begins with the line `% player NAME`, or
//! `% crafty` if the record is in Crafty's layout; the posted text follows. An entry with the text
//! `% also NUMBER` says that the entry's source is another writer of the record with this number.
//! `experience.parquet` contains what was learned from the records; it is rebuilt from the journal when the
//! server starts.

use std::{
    collections::{BTreeMap, HashMap},
    fs::{self, Permissions},
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
    sync::atomic::AtomicBool,
};

use experience::{ExperienceFile, Job, LoadedRows};
use fault::FileFault;
use journal::{Entry, Journal};
use lessons::{GameRules, Record, Records, Teacher, each_crafty_record, games_in};
use output::{Existing, OutputLock, Waiting};
use query::Artefact;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use crate::{Error, Result};

/// A stop flag that is never set, because requests always run to completion.
static NEVER: AtomicBool = AtomicBool::new(false);

/// The file mode of the journal, which only its owner may read and write.
const RECORDS_MODE: u32 = 0o600;

/// The prefix of the first line of an entry with games. The player's name follows.
const PLAYER: &str = "% player ";
/// The first line of an entry with a record in Crafty's layout.
const CRAFTY: &str = "% crafty";
/// The prefix of an entry that adds a writer to an earlier record. The record's number follows.
const ALSO: &str = "% also ";
/// The maximum length of a player's name, in bytes.
const PLAYER_BYTES_MAX: usize = 200;

/// The records of one book, and what was learned from them.
///
/// # Memory
///
/// Uses sixteen bytes per record, plus the names of any further writers, and about 150 bytes per row of the
/// experience.
pub struct Store {
    folder: PathBuf,
    _lock: OutputLock,
    journal: Journal,
    /// The book.
    pub book: Artefact,
    rules: GameRules,
    /// The number of writers whose records must rule out a move before it is banned.
    ban_writers: usize,
    /// Maps the hash of each record's text to the record's number.
    numbers: HashMap<u64, u64>,
    /// Maps the number of a record to the writers that posted it after its first writer, in order.
    others: BTreeMap<u64, Vec<String>>,
    taught: LearnedSoFar,
}

/// What has been learned so far.
struct LearnedSoFar {
    teacher: Teacher,
    /// The number of the last record that has been learned from.
    number: u64,
    /// The hash of the experience file; `None` while the file does not yet contain everything that has been
    /// learned.
    written: Option<u64>,
}

/// What a record holds.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum RecordKind<'r> {
    /// Games of this player as PGN.
    Games(&'r str),
    /// Crafty's learned PGN.
    Crafty,
}

/// A record, and the writers that posted it after its first writer.
pub(crate) struct SharedRecord {
    pub(crate) entry: Entry,
    pub(crate) others: Vec<String>,
}

/// How many of a writer's records were removed when the writer was cleared, and how many were kept.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq, Serialize)]
pub(crate) struct Clearance {
    /// Records that were removed.
    pub(crate) removed: u64,
    /// Records that were kept because other writers have posted them as well.
    pub(crate) left: u64,
}

/// The answer to a posted record.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct PostAnswer {
    /// The record's number.
    pub number: u64,
    /// Whether the record was new to the server.
    pub new: bool,
}

impl Store {
    /// Opens the store in `folder`, or creates an empty one. `rules` determine what is learned from the
    /// records. `ban_writers` is the number of writers whose records must rule out a move of `book` before it
    /// is banned.
    ///
    /// # Errors
    ///
    /// Fails if another process has the store open, or its files cannot be read.
    pub fn open(folder: &Path, book: Artefact, rules: GameRules, ban_writers: usize) -> Result<Self> {
        output::make_folder(folder).map_err(FileFault::at(folder))?;
        let lock = OutputLock::take(&folder.join("exchange"), Waiting::Refuse, &NEVER)?;
        let path = folder.join("records.journal");
        let journal = Journal::open(&path)?;
        fs::set_permissions(&path, Permissions::from_mode(RECORDS_MODE)).map_err(FileFault::at(&path))?;
        let (numbers, others) = (HashMap::new(), BTreeMap::new());
        let (taught, folder) = (LearnedSoFar::nothing(&rules, ban_writers), folder.to_owned());
        let mut store =
            Self { folder, _lock: lock, journal, book, rules, ban_writers, numbers, others, taught };
        store.read_numbers()?;
        Ok(store)
    }

    /// Returns the number of records, and the highest entry number.
    #[must_use]
    pub fn count(&self) -> (usize, u64) {
        (self.journal.len() - self.others.values().map(Vec::len).sum::<usize>(), self.journal.last_number())
    }

    /// Stores a record that `writer` posted; it is on disk when this returns. If the store already has the
    /// record, it only notes the new writer.
    pub(crate) fn post(&mut self, writer: &str, layout: RecordKind<'_>, text: &[u8]) -> Result<PostAnswer> {
        check(layout, text)?;
        let text = [layout.line().as_bytes(), b"\n", text].concat();
        let hash = xxh3_64(&text);
        if let Some(&number) = self.numbers.get(&hash) {
            self.add_writer(number, writer)?;
            return Ok(PostAnswer { number, new: false });
        }
        let number = self.journal.append(writer, &text)?;
        self.numbers.insert(hash, number);
        Ok(PostAnswer { number, new: true })
    }

    /// Notes that a writer has posted a record that the store already had.
    fn add_writer(&mut self, number: u64, writer: &str) -> Result<()> {
        let first = self.journal.read(number - 1)?.next().transpose()?.map(|entry| entry.source);
        let is_known = |others: &Vec<String>| others.iter().any(|other| other == writer);
        if first.as_deref() == Some(writer) || self.others.get(&number).is_some_and(is_known) {
            return Ok(());
        }
        self.journal.append(writer, format!("{ALSO}{number}").as_bytes())?;
        self.others.entry(number).or_default().push(writer.to_owned());
        Ok(())
    }

    /// Returns the records numbered above `after`, up to `bytes_max` bytes of text in total. The first record
    /// is returned even if it alone is longer than `bytes_max`.
    pub(crate) fn records(&mut self, after: u64, bytes_max: usize) -> Result<Vec<SharedRecord>> {
        let (mut records, mut bytes) = (Vec::new(), 0);
        for entry in self.journal.read(after)? {
            let entry = entry?;
            if record_of_also(&entry.text).is_some() {
                continue;
            }
            bytes += entry.text.len();
            if bytes > bytes_max && !records.is_empty() {
                break;
            }
            let others = self.others.get(&entry.number).cloned().unwrap_or_default();
            records.push(SharedRecord { entry, others });
        }
        Ok(records)
    }

    /// Removes a writer, and those of its records that no other writer has posted.
    pub(crate) fn clear(&mut self, writer: &str) -> Result<Clearance> {
        let (others, mut cleared) = (&self.others, Clearance::default());
        // Maps the number of each record that loses its first writer to the record's next writer, which
        // becomes its first.
        let mut inherited: HashMap<u64, &String> = HashMap::new();
        let removed = self.journal.retain(|entry| {
            if let Some(number) = record_of_also(&entry.text) {
                let goes = entry.source == writer;
                cleared.left += u64::from(goes);
                return !goes && inherited.get(&number) != Some(&&entry.source);
            }
            if entry.source != writer {
                return true;
            }
            let Some(heir) = others.get(&entry.number).and_then(|others| others.first()) else {
                cleared.removed += 1;
                return false;
            };
            inherited.insert(entry.number, heir);
            entry.source.clone_from(heir);
            cleared.left += 1;
            true
        })?;
        if removed > 0 {
            // The lessons of later records depend on earlier ones, so learning starts again from the first
            // record.
            self.taught = LearnedSoFar::nothing(&self.rules, self.ban_writers);
            self.read_numbers()?;
        }
        Ok(cleared)
    }

    /// Brings the experience file up to date; returns its path and a hash of its bytes.
    pub(crate) fn experience(&mut self) -> Result<(PathBuf, u64)> {
        let path = self.folder.join("experience.parquet");
        // If learning fails, the file may lack some of the lessons, so the next request learns from all
        // records again.
        let nothing = LearnedSoFar::nothing(&self.rules, self.ban_writers);
        let mut taught = std::mem::replace(&mut self.taught, nothing);
        let hash = self.teach(&mut taught, &path)?;
        self.taught = taught;
        Ok((path, hash))
    }

    /// Learns from the records posted since the last time, and writes the file if there were any.
    fn teach(&mut self, taught: &mut LearnedSoFar, path: &Path) -> Result<u64> {
        let (mut records, book) = (Records::default(), &self.book);
        for entry in self.journal.read(taught.number)? {
            let entry = entry?;
            taught.number = entry.number;
            let Entry { source, text, .. } = &entry;
            if record_of_also(text).is_some() {
                continue;
            }
            let teacher = &mut taught.teacher;
            let book_moves = |key| query::book_moves(book, key).map_err(Error::from);
            // Every game or record counts for its writer, even if nothing is learned from it.
            match parts(text) {
                (RecordKind::Games(player), text) => {
                    let _ = records.learn(teacher, Record { source, player, text }, book_moves)?;
                }
                (RecordKind::Crafty, text) => records.learn_crafty(teacher, source, text, book_moves)?,
            }
        }
        if let Some(hash) = taught.written.filter(|_| records.games() == 0) {
            return Ok(hash);
        }
        let old = taught.written.map(|_| ExperienceFile::open(path)).transpose()?;
        let job = Job { existing: Existing::Replace, stop: &NEVER };
        records.write(old.as_ref(), query::keeps(book), path, job)?;
        let hash = xxh3_64(&fs::read(path).map_err(FileFault::at(path))?);
        taught.written = Some(hash);
        Ok(hash)
    }

    fn read_numbers(&mut self) -> Result<()> {
        (self.numbers, self.others) = (HashMap::new(), BTreeMap::new());
        for entry in self.journal.read(0)? {
            let entry = entry?;
            if let Some(number) = record_of_also(&entry.text) {
                self.others.entry(number).or_default().push(entry.source);
                continue;
            }
            self.numbers.entry(xxh3_64(&entry.text)).or_insert(entry.number);
        }
        Ok(())
    }
}

impl LearnedSoFar {
    fn nothing(rules: &GameRules, ban_writers: usize) -> Self {
        let teacher = Teacher::new(rules.clone(), LoadedRows::default()).with_ban_writers(ban_writers);
        Self { teacher, number: 0, written: None }
    }
}

impl RecordKind<'_> {
    fn line(self) -> String {
        match self {
            Self::Games(player) => format!("{PLAYER}{player}"),
            Self::Crafty => CRAFTY.to_owned(),
        }
    }
}

/// Refuses a record from which no book could learn anything.
fn check(layout: RecordKind<'_>, text: &[u8]) -> Result<()> {
    match layout {
        RecordKind::Crafty => {
            let mut records = 0;
            each_crafty_record(text, |_, _| {
                records += 1;
                Ok::<_, Error>(())
            })?;
            if records > 0 { Ok(()) } else { Err(Error::NoRecord) }
        }
        RecordKind::Games(player)
            if player.is_empty() || player.len() > PLAYER_BYTES_MAX || player.contains(char::is_control) =>
        {
            Err(Error::Player)
        }
        RecordKind::Games(player) if games_in(text, player)?.is_empty() => {
            Err(Error::NoGame(player.to_owned()))
        }
        RecordKind::Games(_) => Ok(()),
    }
}

/// Returns the number from a `% also NUMBER` entry, or `None` if the entry is a record.
fn record_of_also(text: &[u8]) -> Option<u64> {
    text.strip_prefix(ALSO.as_bytes()).and_then(|number| std::str::from_utf8(number).ok()?.parse().ok())
}

/// Splits the text of an entry into the record's layout and the posted text.
pub(crate) fn parts(text: &[u8]) -> (RecordKind<'_>, &[u8]) {
    let end = text.iter().position(|&byte| byte == b'\n').unwrap_or(text.len());
    let line = std::str::from_utf8(&text[..end]).unwrap_or_default();
    let rest = text.get(end + 1..).unwrap_or_default();
    (line.strip_prefix(PLAYER).map_or(RecordKind::Crafty, RecordKind::Games), rest)
}
