//! Records in the layout in which Craftys export what they learned.

use learn::crafty::{self, Effect, LearnedEdge, Learner, Nothing, Options, Origin};
use learned::{Item, LearnedRecord};
use pgn::input::{ChunkOptions, Input};
use position::{Key, PackedMove};

use crate::Teacher;
use experience::Change;

/// A record of a game and the value that it taught; the numbers are as the file has them.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct CraftyRecord {
    white: String,
    black: String,
    /// The moves, each with the key of the position before it.
    plies: Vec<(Key, PackedMove)>,
    value: i64,
    depth: i64,
    rating_difference: i64,
    /// The day as `yyyymmdd`, 0 if unknown.
    date: u32,
}

/// The result of a record. One that teaches nothing may be remembered, so that a copy of it does not teach
/// later.
#[derive(Clone, Debug)]
pub(crate) struct Taught {
    /// The changes, ascending.
    pub(crate) changes: Vec<Change>,
    /// Why it taught nothing.
    pub(crate) idle: Option<&'static str>,
}

impl Taught {
    fn nothing(why: &'static str) -> Self {
        Self { changes: Vec::new(), idle: Some(why) }
    }
}

impl CraftyRecord {
    fn of(record: &LearnedRecord<'_>) -> Self {
        Self {
            white: record.players.white().into_owned(),
            black: record.players.black().into_owned(),
            plies: record.plies.to_vec(),
            value: record.value,
            depth: record.depth,
            rating_difference: record.rating_difference,
            date: record.date.unwrap_or(0),
        }
    }

    fn read(&self) -> crafty::Record<'_> {
        crafty::Record {
            white: &self.white,
            black: &self.black,
            plies: &self.plies,
            value: self.value,
            depth: self.depth,
            rating_difference: self.rating_difference,
        }
    }
}

/// Crafty's records in `text`, in their order. Records that cannot be read, and records of single positions,
/// are left out.
///
/// # Errors
///
/// Fails if the text cannot be read at all.
pub fn crafty_records_in(text: &[u8]) -> pgn::Result<Vec<CraftyRecord>> {
    let input = Input::stream("records", std::io::Cursor::new(text.to_vec()));
    let mut records = Vec::new();
    for batch in learned::open(vec![input], &ChunkOptions::default())? {
        for item in batch?.items() {
            if let Item::Record(record) = item {
                records.push(CraftyRecord::of(&record));
            }
        }
    }
    Ok(records)
}

impl Teacher {
    /// Lets one of Crafty's records teach, as a source of a writer; `book_moves` gives the moves of a
    /// position of the book.
    pub(crate) fn teach_record<E: From<learn::Error>>(
        &mut self,
        record: &CraftyRecord,
        (writer, source): (&str, u32),
        book_moves: impl FnMut(Key) -> Result<Vec<PackedMove>, E>,
    ) -> Result<Taught, E> {
        let (read, date) = (record.read(), record.date);
        let identity = crafty::identity(&read);
        if self.rows().has_seen(identity) {
            return Ok(Taught::nothing(Nothing::Duplicate.name()));
        }
        let keys = record.plies.iter().map(|&(key, _)| key);
        let limits = self.rules.limits;
        let options = Options { result_records: limits.result_records, ..Options::default() };
        let mut learner = Learner::new(self.book_of(keys, book_moves)?.limited(limits), options);
        let idle = match learner.learn(&read, Origin { source, date }) {
            Effect::Learned(_) => None,
            Effect::Nothing(why) => Some(why.name()),
            Effect::Rejected(why) => return Ok(Taught::nothing(why.name())),
        };
        let mut changes: Vec<_> = learner
            .book()
            .edges()
            .filter(LearnedEdge::is_taught)
            .map(|edge| Change::learned(&edge))
            .collect();
        // The record found no choice now and a copy might find one later, but a copy must not teach.
        let is_in_book = read.plies.iter().any(|&(key, mv)| learner.book().edge(key, mv).is_some());
        if idle.is_none() || is_in_book {
            changes.push(Change::seen(identity, source, date));
            changes.sort_by_key(Change::id);
        }
        self.apply(&mut changes, writer);
        Ok(Taught { changes, idle })
    }
}
