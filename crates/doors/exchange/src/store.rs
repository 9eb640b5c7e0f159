//! Records that are kept, and the experience that is made of them.
//!
//! # Format
//!
//! A folder with two files. `records.journal` is a [`journal`]: the source of a record is its first writer,
//! and its text is the line `% player NAME`, or `% crafty` for records in Crafty's layout, and what was
//! posted. An entry with the text `% also NUMBER` says that its source is another writer of that record.
//! `experience.parquet` is what the records taught; it is made anew from the journal when the server starts.

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

/// Nothing asks a store to stop within a request.
static NEVER: AtomicBool = AtomicBool::new(false);

/// Who may read and write the records: the owner of the folder.
const RECORDS_MODE: u32 = 0o600;

/// The beginning of the first line of a text.
const PLAYER: &str = "% player ";
/// The first line of records in Crafty's layout.
const CRAFTY: &str = "% crafty";
/// The beginning of an entry that names another writer of a record.
const ALSO: &str = "% also ";
/// The most bytes of a player's name.
const PLAYER_BYTES_MAX: usize = 200;

/// The records of one book and what they taught.
///
/// # Memory
///
/// Sixteen bytes a record, the names of writers after a record's first, and all rows of the experience: about
/// 150 bytes each.
pub struct Store {
    folder: PathBuf,
    _lock: OutputLock,
    journal: Journal,
    /// The book.
    pub book: Artefact,
    rules: GameRules,
    /// Writers whose records must rule a move out.
    ban_writers: usize,
    /// The numbers of records by the hash of their text.
    numbers: HashMap<u64, u64>,
    /// Writers of a record beside its first, in their order.
    others: BTreeMap<u64, Vec<String>>,
    taught: Taught,
}

/// What was taught so far.
struct Taught {
    teacher: Teacher,
    /// The last record that taught.
    number: u64,
    /// The hash of the experience file; `None` while lessons are not in it yet.
    written: Option<u64>,
}

/// What a record holds.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Layout<'r> {
    /// Games of this player as PGN.
    Games(&'r str),
    /// Crafty's learned PGN.
    Crafty,
}

/// A record and who has posted it beside its first writer.
pub(crate) struct SharedRecord {
    pub(crate) entry: Entry,
    pub(crate) others: Vec<String>,
}

/// What clearing a writer has done.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq, Serialize)]
pub(crate) struct Clearance {
    /// Records that were removed.
    pub(crate) removed: u64,
    /// Records that stay, because other writers have posted them, too.
    pub(crate) left: u64,
}

/// What a server answers to a record.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct PostAnswer {
    /// The record's number.
    pub number: u64,
    /// Whether the server did not have it before.
    pub new: bool,
}

impl Store {
    /// Opens the store in `folder`, or makes an empty one. Games teach by `rules` in `book`; it takes records
    /// of `ban_writers` writers to rule a move out.
    ///
    /// # Errors
    ///
    /// If another process has the store, or its files cannot be read.
    pub fn open(folder: &Path, book: Artefact, rules: GameRules, ban_writers: usize) -> Result<Self> {
        output::make_folder(folder).map_err(FileFault::at(folder))?;
        let lock = OutputLock::take(&folder.join("exchange"), Waiting::Refuse, &NEVER)?;
        let path = folder.join("records.journal");
        let journal = Journal::open(&path)?;
        fs::set_permissions(&path, Permissions::from_mode(RECORDS_MODE)).map_err(FileFault::at(&path))?;
        let (numbers, others) = (HashMap::new(), BTreeMap::new());
        let (taught, folder) = (Taught::nothing(&rules, ban_writers), folder.to_owned());
        let mut store =
            Self { folder, _lock: lock, journal, book, rules, ban_writers, numbers, others, taught };
        store.read_numbers()?;
        Ok(store)
    }

    /// The number of records, and the last number that was given.
    #[must_use]
    pub fn count(&self) -> (usize, u64) {
        (self.journal.len() - self.others.values().map(Vec::len).sum::<usize>(), self.journal.last_number())
    }

    /// Keeps a record, posted by `writer`; it is on disk when this returns. Of a record that the store has
    /// already, only the writer is kept, if it is a new one.
    pub(crate) fn post(&mut self, writer: &str, layout: Layout<'_>, text: &[u8]) -> Result<PostAnswer> {
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

    /// Notes that a writer has posted a record that the store had.
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

    /// Records with numbers above `after`, as long as their texts have no more than `bytes_max` bytes
    /// together, but at least one.
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

    /// Removes a writer from its records, and the records that no other writer has posted.
    pub(crate) fn clear(&mut self, writer: &str) -> Result<Clearance> {
        let (others, mut cleared) = (&self.others, Clearance::default());
        // The records whose next writer becomes the first.
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
            // What the others taught depends on what was there before it, so all of them teach anew.
            self.taught = Taught::nothing(&self.rules, self.ban_writers);
            self.read_numbers()?;
        }
        Ok(cleared)
    }

    /// The experience file that all records make, and a hash of its bytes.
    pub(crate) fn experience(&mut self) -> Result<(PathBuf, u64)> {
        let path = self.folder.join("experience.parquet");
        let hash = self.teach(&path);
        if hash.is_err() {
            // The file may lack what was taught: all records teach anew the next time.
            self.taught = Taught::nothing(&self.rules, self.ban_writers);
        }
        Ok((path, hash?))
    }

    /// Lets the records since the last time teach, and writes the file if that changed it.
    fn teach(&mut self, path: &Path) -> Result<u64> {
        let (mut records, book) = (Records::default(), &self.book);
        for entry in self.journal.read(self.taught.number)? {
            let entry = entry?;
            self.taught.number = entry.number;
            let Entry { source, text, .. } = &entry;
            if record_of_also(text).is_some() {
                continue;
            }
            let teacher = &mut self.taught.teacher;
            let book_moves = |key| query::book_moves(book, key).map_err(Error::from);
            // A record that teaches nothing is counted under its writer.
            match parts(text) {
                (Layout::Games(player), text) => {
                    let _ = records.learn(teacher, Record { source, player, text }, book_moves)?;
                }
                (Layout::Crafty, text) => records.learn_crafty(teacher, source, text, book_moves)?,
            }
        }
        if let Some(hash) = self.taught.written.filter(|_| records.games() == 0) {
            return Ok(hash);
        }
        let old = self.taught.written.map(|_| ExperienceFile::open(path)).transpose()?;
        let job = Job { existing: Existing::Replace, stop: &NEVER };
        records.write(old.as_ref(), query::keeps(book), path, job)?;
        let hash = xxh3_64(&fs::read(path).map_err(FileFault::at(path))?);
        self.taught.written = Some(hash);
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

impl Taught {
    fn nothing(rules: &GameRules, ban_writers: usize) -> Self {
        let teacher = Teacher::new(rules.clone(), LoadedRows::default()).with_ban_writers(ban_writers);
        Self { teacher, number: 0, written: None }
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
        Layout::Crafty => {
            let mut records = 0;
            each_crafty_record(text, |_, _| {
                records += 1;
                Ok::<_, Error>(())
            })?;
            if records > 0 { Ok(()) } else { Err(Error::NoRecord) }
        }
        Layout::Games(player)
            if player.is_empty() || player.len() > PLAYER_BYTES_MAX || player.contains(char::is_control) =>
        {
            Err(Error::Player)
        }
        Layout::Games(player) if games_in(text, player)?.is_empty() => Err(Error::NoGame(player.to_owned())),
        Layout::Games(_) => Ok(()),
    }
}

/// The number of the record whose other writer an entry names.
fn record_of_also(text: &[u8]) -> Option<u64> {
    text.strip_prefix(ALSO.as_bytes()).and_then(|number| std::str::from_utf8(number).ok()?.parse().ok())
}

/// What a record is, and what was posted.
pub(crate) fn parts(text: &[u8]) -> (Layout<'_>, &[u8]) {
    let end = text.iter().position(|&byte| byte == b'\n').unwrap_or(text.len());
    let line = std::str::from_utf8(&text[..end]).unwrap_or_default();
    let rest = text.get(end + 1..).unwrap_or_default();
    (line.strip_prefix(PLAYER).map_or(Layout::Crafty, Layout::Games), rest)
}
