//! The experience file and the journal next to it.

use std::{
    fs::Metadata,
    os::unix::fs::MetadataExt as _,
    path::{Path, PathBuf},
    sync::atomic::AtomicBool,
};

use experience::{ExperienceFile, Job, LoadedRows};
use journal::{Entry, Journal};
use lessons::{GameRules, NoLesson, Record, Records, Teacher};
use output::{Existing, OutputLock, Waiting};
use query::Artefact;

use crate::Result;

/// A stop flag that is never set, because learning takes only milliseconds.
static NEVER: AtomicBool = AtomicBool::new(false);

/// The suffix of an experience file's name.
const EXPERIENCE: &str = ".experience.parquet";

/// Identifies a version of a file by its device, its inode and the time of its last change.
type Stamp = Option<(u64, u64, i64, i64)>;

/// The files.
pub(super) struct Files {
    experience: PathBuf,
    journal: Journal,
    rules: GameRules,
    /// The stamp of the experience file that the teacher has read.
    stamp: Stamp,
    /// The number of the last record that the teacher has learned from.
    taught: u64,
}

/// For each record, its number, and either how many values it changed or why nothing was learned from it.
pub(super) type Outcomes = Vec<(u64, Result<usize, NoLesson>)>;

impl Files {
    /// Opens the journal of an experience file.
    pub(super) fn open(experience: &Path, rules: GameRules) -> Result<Self> {
        let journal = Journal::open(&beside(experience, ".journal"))?;
        Ok(Self { experience: experience.into(), journal, rules, stamp: None, taught: 0 })
    }

    /// Appends a game to the journal. The game is on disk when this returns.
    pub(super) fn append(&mut self, player: &str, text: &str) -> Result<u64> {
        Ok(self.journal.append(player, text.as_bytes())?)
    }

    /// Writes what was learned from the journal into the experience file, empties the journal, and returns a
    /// teacher that has read the whole file.
    pub(super) fn fold(&mut self, book: &Artefact) -> Result<Teacher> {
        let _lock = OutputLock::take(&self.experience, Waiting::Report(|_| ()), &NEVER)?;
        // If `try_exists` fails, the attempt to open the file reports the error.
        let is_there = self.experience.try_exists().unwrap_or(true);
        let old = if is_there { Some(ExperienceFile::open(&self.experience)?) } else { None };
        let mut teacher = self.teacher(old.as_ref())?;
        let mut records = Records::default();
        let mut last = 0;
        for entry in self.journal.read(0)? {
            let entry = entry?;
            last = entry.number;
            // A game from which nothing is learned still adds to its player's number of games.
            let _ = learn(&mut records, &mut teacher, &entry, book)?;
        }
        if old.is_none() || records.games() > 0 {
            let job = Job { existing: Existing::Replace, stop: &NEVER };
            records.write(old.as_ref(), query::keeps(book), &self.experience, job)?;
        }
        if last > 0 {
            self.journal.retain(|entry| entry.number > last)?;
        }
        (self.stamp, self.taught) = (stamp(&self.experience), last);
        Ok(teacher)
    }

    /// Passes the new records in the journal to the teacher, which learns from them. If another player has
    /// written the experience file, the teacher first reads that file again.
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
            outcomes.push((entry.number, learn(&mut Records::default(), teacher, &entry, book)?));
        }
        Ok(outcomes)
    }

    fn teacher(&self, file: Option<&ExperienceFile>) -> Result<Teacher> {
        let rows = file.map_or_else(|| Ok(LoadedRows::default()), LoadedRows::read)?;
        Ok(Teacher::new(self.rules.clone(), rows))
    }
}

/// Learns from a record.
pub(super) fn learn(
    records: &mut Records,
    teacher: &mut Teacher,
    Entry { source, text, .. }: &Entry,
    book: &Artefact,
) -> Result<Result<usize, NoLesson>> {
    records.learn(teacher, Record { source, player: source, text }, |key| Ok(query::book_moves(book, key)?))
}

/// Returns the path beside an experience file that has `suffix` in place of `.experience.parquet`.
pub(super) fn beside(experience: &Path, suffix: &str) -> PathBuf {
    let name = experience.file_name().unwrap_or_default().to_string_lossy();
    experience.with_file_name(format!("{}{suffix}", name.strip_suffix(EXPERIENCE).unwrap_or(&name)))
}

fn stamp(path: &Path) -> Stamp {
    let of = |file: Metadata| (file.dev(), file.ino(), file.mtime(), file.mtime_nsec());
    path.metadata().ok().map(of)
}
