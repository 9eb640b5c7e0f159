//! The experience file and the journal beside it.

use std::{
    fs::Metadata,
    os::unix::fs::MetadataExt as _,
    path::{Path, PathBuf},
    sync::atomic::AtomicBool,
};

use experience::{Base, Change, Job, LoadedRows, update};
use journal::{Entry, Journal};
use lessons::{GameRules, Idle, Teacher, games_in};
use output::{Existing, OutputLock, Waiting};
use position::{Key, PackedMove};
use query::Artefact;
use table::{ExperienceFile, ExperienceSource};

use crate::{Error, Result};

/// Nothing asks a player to stop while it learns: it takes milliseconds.
static NEVER: AtomicBool = AtomicBool::new(false);

/// What an experience file's name ends in.
const EXPERIENCE: &str = ".experience.parquet";

/// Which file has a name: device, number, and time of change.
type Stamp = Option<(u64, u64, i64, i64)>;

/// The files.
pub(super) struct Files {
    experience: PathBuf,
    journal: Journal,
    rules: GameRules,
    /// Which experience file the teacher knows.
    stamp: Stamp,
    /// The last record that taught the teacher.
    taught: u64,
}

/// A record and what came of it: the number of values that changed, or why it taught nothing.
pub(super) type Outcomes = Vec<(u64, Result<usize, Idle>)>;

impl Files {
    /// Opens the journal of an experience file.
    pub(super) fn open(experience: &Path, rules: GameRules) -> Result<Self> {
        let journal = Journal::open(&journal_of(experience))?;
        Ok(Self { experience: experience.into(), journal, rules, stamp: None, taught: 0 })
    }

    /// Keeps a game. It is on disk when this returns.
    pub(super) fn append(&mut self, player: &str, text: &str) -> Result<u64> {
        Ok(self.journal.append(player, text.as_bytes())?)
    }

    /// Writes what the journal holds into the experience file, empties the journal, and reads all that is
    /// known then.
    pub(super) fn fold(&mut self, book: &Artefact) -> Result<Teacher> {
        let _lock =
            OutputLock::take(&self.experience, Waiting::Report(|_| ()), &NEVER).map_err(Error::Lock)?;
        let old = if self.experience.exists() { Some(ExperienceFile::open(&self.experience)?) } else { None };
        let mut teacher = self.teacher(old.as_ref())?;
        let mut lessons = Lessons::default();
        let mut last = 0;
        for entry in self.journal.read(0)? {
            let entry = entry?;
            last = entry.number;
            // A game that teaches nothing is counted under its player.
            let _ = lessons.learn(&mut teacher, &entry, book)?;
        }
        if old.is_none() || lessons.games > 0 {
            lessons.write(old.as_ref(), book, &self.experience)?;
        }
        if last > 0 {
            self.journal.retain(|entry| entry.number > last)?;
        }
        (self.stamp, self.taught) = (stamp(&self.experience), last);
        Ok(teacher)
    }

    /// Lets the teacher learn what the journal has since, and what other players have written meanwhile.
    pub(super) fn catch_up(&mut self, teacher: &mut Teacher, book: &Artefact) -> Result<Outcomes> {
        let now = stamp(&self.experience);
        if now != self.stamp {
            *teacher = self.teacher(Some(&ExperienceFile::open(&self.experience)?))?;
            (self.stamp, self.taught) = (now, 0);
        }
        let mut outcomes = Vec::new();
        for entry in self.journal.read(self.taught)? {
            let entry = entry?;
            self.taught = entry.number;
            outcomes.push((entry.number, Lessons::default().learn(teacher, &entry, book)?));
        }
        Ok(outcomes)
    }

    fn teacher(&self, file: Option<&ExperienceFile>) -> Result<Teacher> {
        let rows = file.map_or_else(|| Ok(LoadedRows::default()), LoadedRows::read)?;
        Ok(Teacher::new(self.rules, rows))
    }
}

/// What records taught, on its way into the file.
#[derive(Default)]
struct Lessons {
    changes: Vec<Change>,
    /// Records by player, in the order of their first one.
    sources: Vec<ExperienceSource>,
    games: u64,
}

impl Lessons {
    /// Learns from one record.
    fn learn(
        &mut self,
        teacher: &mut Teacher,
        entry: &Entry,
        book: &Artefact,
    ) -> Result<Result<usize, Idle>> {
        let source = self.source(&entry.source);
        let mut outcome = Err(Idle::NoBookMove);
        for mut sides in games_in(&entry.text, &entry.source)? {
            sides.iter_mut().for_each(|side| side.source = source as u32);
            outcome = teacher.teach(&sides, |key| book_moves(book, key))?.map(|changes| {
                let count = changes.len();
                self.changes.extend(changes);
                count
            });
            self.note(source, outcome.as_ref().err());
        }
        Ok(outcome)
    }

    /// The place of a player.
    fn source(&mut self, name: &str) -> usize {
        self.sources.iter().position(|source| source.name == name).unwrap_or_else(|| {
            let teacher = "games".to_owned();
            self.sources.push(ExperienceSource { name: name.into(), teacher, ..ExperienceSource::default() });
            self.sources.len() - 1
        })
    }

    fn note(&mut self, source: usize, idle: Option<&Idle>) {
        self.games += 1;
        let source = &mut self.sources[source];
        source.records += 1;
        match idle {
            None => source.taught += 1,
            Some(idle) => *source.idle.entry(idle.name().into()).or_default() += 1,
        }
    }

    /// Writes all over the older file.
    fn write(mut self, old: Option<&ExperienceFile>, book: &Artefact, output: &Path) -> Result<()> {
        // Stable: what changes one row, changes it in the order of the games.
        self.changes.sort_by_key(Change::id);
        let base = Base { old, table: None, book: keeps(book), sources: self.sources };
        let job = Job { existing: Existing::Replace, stop: &NEVER };
        update(&base, self.changes.into_iter(), output, job)?;
        Ok(())
    }
}

/// The moves that a book has in a position.
fn book_moves(book: &Artefact, key: Key) -> Result<Vec<PackedMove>> {
    Ok(query::book_moves(book, key)?)
}

/// What a book keeps of its table, as its provenance says.
fn keeps(book: &Artefact) -> Option<String> {
    let provenance = book.book().ok()?.provenance().ok()?;
    provenance.get("book")?.get("keeps")?.as_str().map(str::to_owned)
}

/// The journal of `x.experience.parquet` is `x.journal`.
fn journal_of(experience: &Path) -> PathBuf {
    let name = experience.file_name().unwrap_or_default().to_string_lossy();
    experience.with_file_name(format!("{}.journal", name.strip_suffix(EXPERIENCE).unwrap_or(&name)))
}

fn stamp(path: &Path) -> Stamp {
    let of = |file: Metadata| (file.dev(), file.ino(), file.mtime(), file.mtime_nsec());
    path.metadata().ok().map(of)
}
