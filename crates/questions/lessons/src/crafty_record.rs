//! Learns from records in Crafty's export format.

use learn::crafty::{self, Effect, LearnedEdge, Learner, Nothing, Options, Origin, Record};
use learned::{Item, LearnedRecord};
use pgn::input::{ChunkOptions, Input};
use position::{Key, PackedMove};

use crate::Teacher;
use experience::Change;

/// The changes learned from a record. A record that changes no value may still have to be remembered, so that
/// later copies of it are ignored.
#[derive(Clone, Debug)]
pub(crate) struct RecordLesson {
    /// The changes, sorted by row in ascending order.
    pub(crate) changes: Vec<Change>,
    /// The reason why nothing was learned from the record; `None` if anything was learned.
    pub(crate) idle: Option<&'static str>,
}

impl RecordLesson {
    fn nothing(why: &'static str) -> Self {
        Self { changes: Vec::new(), idle: Some(why) }
    }
}

/// Calls `each` with every Crafty record in `text`, in order. The second argument is the record's date as
/// yyyymmdd, or 0 if it is unknown. Unreadable records, and those from position learning, are skipped.
///
/// # Errors
///
/// Fails if the text cannot be read at all, or if `each` fails.
pub fn each_crafty_record<E: From<pgn::Error>>(
    text: &[u8],
    mut each: impl FnMut(&Record<'_>, u32) -> Result<(), E>,
) -> Result<(), E> {
    let input = Input::stream("records", std::io::Cursor::new(text.to_vec()));
    for batch in learned::open(vec![input], &ChunkOptions::default())? {
        for item in batch?.items() {
            let Item::Record(read) = item else { continue };
            let (white, black) = (read.players.white.text(), read.players.black.text());
            let LearnedRecord { plies, value, depth, rating_difference, date, .. } = read;
            let record = Record { white: &white, black: &black, plies, value, depth, rating_difference };
            each(&record, date.unwrap_or(0))?;
        }
    }
    Ok(())
}

impl Teacher {
    /// Learns from one of Crafty's records, which is attributed to `writer`. `book_moves` looks up the book's
    /// moves in a position.
    pub(crate) fn teach_record<E: From<learn::Error>>(
        &mut self,
        record: &Record<'_>,
        writer: &str,
        origin: Origin,
        book_moves: impl FnMut(Key) -> Result<Vec<PackedMove>, E>,
    ) -> Result<RecordLesson, E> {
        let identity = crafty::identity(record);
        if self.rows().has_seen(identity) {
            return Ok(RecordLesson::nothing(Nothing::Duplicate.into()));
        }
        let keys = record.plies.iter().map(|&(key, _)| key);
        let limits = self.rules.limits;
        let options = Options { result_records: limits.result_records, ..Options::default() };
        let mut learner = Learner::new(self.book_of(keys, book_moves)?.limited(limits), options);
        let idle = match learner.learn(record, origin) {
            Effect::Learned(_) => None,
            Effect::Nothing(why) => Some(why.into()),
            Effect::Rejected(why) => return Ok(RecordLesson::nothing(why.into())),
        };
        let mut changes: Vec<_> = learner
            .book()
            .edges()
            .filter(LearnedEdge::is_taught)
            .map(|edge| Change::learned(&edge))
            .collect();
        // Nothing is learned from a record if the book never offered a choice of moves. A record with book
        // moves is remembered nevertheless: later copies of the record must be ignored, even if the book has
        // been given a choice of moves in the meantime.
        let is_in_book = record.plies.iter().any(|&(key, mv)| learner.book().edge(key, mv).is_some());
        if idle.is_none() || is_in_book {
            changes.push(Change::seen(identity, origin.source, origin.date));
            changes.sort_by_key(Change::id);
        }
        self.apply(&mut changes, writer);
        Ok(RecordLesson { changes, idle })
    }
}
