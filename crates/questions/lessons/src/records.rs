//! Collects the lessons learned from game records, and writes them to an experience file.

use std::{collections::BTreeMap, path::Path};

use experience::{Base, Change, ExperienceFile, ExperienceSource, Job, WrittenFile, update};
use learn::crafty::Origin;
use position::{Key, PackedMove};

use crate::{GameLesson, NoLesson, Teacher, each_crafty_record, games_in};

/// The kinds of source in experience files: games, and Crafty's records.
const GAMES: &str = "games";
const CRAFTY: &str = "crafty";

/// Learns from one record after another, and collects the changes.
///
/// # Memory
///
/// Keeps all changes in memory.
#[derive(Default)]
pub struct Records {
    changes: Vec<Change>,
    /// The sources of the records, in order of first appearance.
    sources: Vec<ExperienceSource>,
    /// FENs, by key, of positions that were learned.
    positions: BTreeMap<String, String>,
    games: u64,
}

/// A record of one player's games, as PGN.
#[derive(Clone, Copy, Debug)]
pub struct Record<'r> {
    /// The name of the record's source in the experience.
    pub source: &'r str,
    /// The player whose games are learned from.
    pub player: &'r str,
    /// The games.
    pub text: &'r [u8],
}

impl Records {
    /// Learns from the games in a record. Returns the number of changes learned from the last of these games,
    /// or the reason why nothing was learned from it.
    ///
    /// # Errors
    ///
    /// Fails in the same cases as [`games_in`] and [`Teacher::teach`].
    pub fn learn<E: From<learn::Error> + From<pgn::Error>>(
        &mut self,
        teacher: &mut Teacher,
        record: Record<'_>,
        mut book_moves: impl FnMut(Key) -> Result<Vec<PackedMove>, E>,
    ) -> Result<Result<usize, NoLesson>, E> {
        let source = self.source(record.source, GAMES);
        let mut outcome = Err(NoLesson::NoBookMove);
        for mut sides in games_in(record.text, record.player)? {
            for side in &mut sides {
                side.source = source as u32;
            }
            outcome = teacher.teach(&sides, record.source, &mut book_moves)?.map(
                |GameLesson { changes, positions }| {
                    let count = changes.len();
                    self.changes.extend(changes);
                    self.positions.extend(positions);
                    count
                },
            );
            self.note(source, outcome.as_ref().err().map(|idle| idle.name()));
        }
        Ok(outcome)
    }

    /// Learns from Crafty's records in `text`; `name` is the name of the source in the experience.
    ///
    /// # Errors
    ///
    /// Fails in the same cases as [`each_crafty_record`]. Also fails if `book_moves` fails, or if a stored
    /// value is not a number.
    pub fn learn_crafty<E: From<learn::Error> + From<pgn::Error>>(
        &mut self,
        teacher: &mut Teacher,
        name: &str,
        text: &[u8],
        mut book_moves: impl FnMut(Key) -> Result<Vec<PackedMove>, E>,
    ) -> Result<(), E> {
        let source = self.source(name, CRAFTY);
        each_crafty_record(text, |record, date| {
            let origin = Origin { source: source as u32, date };
            let taught = teacher.teach_record(record, name, origin, &mut book_moves)?;
            self.changes.extend(taught.changes);
            self.note(source, taught.idle);
            Ok(())
        })
    }

    /// The number of games and records so far, whether or not anything was learned from them.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Adds all changes to the experience in `old` and writes the result to `output`. `keeps` describes the
    /// filter and the weights of the book that was used for learning. The description is worded as in the
    /// book's provenance.
    ///
    /// # Errors
    ///
    /// Fails as [`update`] does.
    pub fn write(
        mut self,
        old: Option<&ExperienceFile>,
        keeps: Option<String>,
        output: &Path,
        job: Job<'_>,
    ) -> experience::Result<WrittenFile> {
        // This sort is stable, so the changes of a row remain in the order of the games.
        self.changes.sort_by_key(Change::id);
        let Self { sources, positions, .. } = self;
        let base = Base { old, book: keeps, sources, positions, ..Base::default() };
        update(&base, self.changes.into_iter(), output, job)
    }

    /// Returns the index of a source, and adds the source to the list if it is new. Crafty's records are
    /// listed as `NAME (Crafty)`, so that they stay separate from games whose source has the same name.
    fn source(&mut self, name: &str, teacher: &str) -> usize {
        let name = if teacher == CRAFTY { format!("{name} (Crafty)") } else { name.to_owned() };
        self.sources.iter().position(|source| source.name == name).unwrap_or_else(|| {
            let teacher = teacher.to_owned();
            self.sources.push(ExperienceSource { name, teacher, ..ExperienceSource::default() });
            self.sources.len() - 1
        })
    }

    fn note(&mut self, source: usize, idle: Option<&str>) {
        self.games += 1;
        let source = &mut self.sources[source];
        source.records += 1;
        match idle {
            None => source.taught += 1,
            Some(idle) => *source.idle.entry(idle.into()).or_default() += 1,
        }
    }
}
