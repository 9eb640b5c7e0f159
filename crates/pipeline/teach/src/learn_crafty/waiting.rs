//! Stores the records of learned PGN until the moves of the book are known.

use std::{borrow::Cow, collections::BTreeMap};

use count::TouchedKeys;
use experience::{Change, Lessons};
use games::{
    driver::{Reading, in_order::OrderedSink},
    spool::Spool,
};
use learn::{
    crafty::{Record, Version},
    position_learning::{self, PositionRecord},
};
use learned::{Item, LearnedBatch, LearnedPosition, LearnedRecord, LearnedRejection};
use pgn::{batches::Batch as _, input::Place};
use position::{Contribution, ExperienceKind, Key, Lesson, PackedMove};
use run::{Context, InputStatus, Result, Status};
use serde::{Deserialize, Serialize};
use shakmaty::{EnPassantMode, fen::Fen};

/// The records and lessons that were read from learned PGN, in input order.
pub(super) struct CollectedRecords {
    spool: Spool,
    keys: TouchedKeys,
    /// The lessons of position learning.
    positions: Vec<Change>,
    /// The FENs of the positions of these lessons, by key.
    fens: BTreeMap<String, String>,
}

/// An entry of the spool.
#[derive(Deserialize, Serialize)]
pub(super) enum WaitingItem<'s> {
    /// A record from which something may be learned.
    #[serde(borrow)]
    Record(SpooledRecord<'s>),
    /// A rejected record: its place, its number in its stream, and its status with the reason.
    Rejection((Place, u64), #[serde(borrow)] Status<'s>),
}

/// A record that waits in the spool, with the fields of a [`Record`].
#[derive(Deserialize, Serialize)]
pub(super) struct SpooledRecord<'s> {
    /// The place of the record, and its number in its stream.
    pub(super) place: (Place, u64),
    /// The date as yyyymmdd; 0 if unknown.
    pub(super) date: u32,
    white: &'s str,
    black: &'s str,
    plies: Cow<'s, [(Key, PackedMove)]>,
    value: i64,
    depth: i64,
    rating_difference: i64,
}

impl SpooledRecord<'_> {
    /// The record.
    pub(super) fn record(&self) -> Record<'_> {
        let Self { white, black, value, depth, rating_difference, .. } = *self;
        Record { white, black, plies: &self.plies, value, depth, rating_difference }
    }
}

impl CollectedRecords {
    pub(super) fn new(context: &Context) -> Self {
        Self {
            spool: Spool::new(&context.temp_dir),
            keys: TouchedKeys::default(),
            positions: Vec::new(),
            fens: BTreeMap::new(),
        }
    }

    /// The keys of the positions in the records, ascending and without duplicates.
    pub(super) fn take_keys(&mut self) -> Vec<Key> {
        std::mem::take(&mut self.keys).finish()
    }

    /// Returns the FENs of all positions for which there are lessons of position learning, by key.
    pub(super) fn take_fens(&mut self) -> BTreeMap<String, String> {
        std::mem::take(&mut self.fens)
    }

    /// Returns the spool, and the lessons of position learning in the order of the rows of an experience
    /// file.
    pub(super) fn into_parts(mut self) -> (Spool, Vec<Change>) {
        // The sort is stable: of two lessons about the same position, the earlier one stays first.
        self.positions.sort_by_key(Change::id);
        (self.spool, self.positions)
    }

    fn record(&mut self, record: &LearnedRecord<'_>) -> Result<Status<'static>> {
        self.keys.extend(record.plies.iter().map(|&(key, _)| key));
        self.spool.push(&WaitingItem::Record(SpooledRecord {
            place: (record.at.place, record.at.number),
            date: record.date.unwrap_or(0),
            white: &record.players.white.text(),
            black: &record.players.black.text(),
            plies: record.plies.into(),
            value: record.value,
            depth: record.depth,
            rating_difference: record.rating_difference,
        }))?;
        Ok(Status::Waiting)
    }

    fn position(&mut self, found: &LearnedPosition<'_>) -> Result<Status<'static>> {
        let players = [found.players.white.text(), found.players.black.text()];
        let version = players.iter().find_map(|player| Version::of_player(player));
        let mv = u32::try_from(found.crafty_move).ok();
        let entry = mv.map(|mv| PositionRecord { value: found.value, mv, depth: found.depth });
        let known = entry.and_then(|entry| position_learning::learned(&entry, version, found.position).ok());
        let Some((mv, experience)) = known else {
            let text = found.crafty_move.to_string();
            let status = Status::Rejected { ply: None, reason: "illegal-move", text: &text };
            self.reject((found.at.place, found.at.number), status)?;
            return Ok(Status::Rejected { ply: None, reason: "illegal-move", text: "" });
        };
        let fen = Fen::from_position(found.position, EnPassantMode::Legal).to_string();
        self.fens.insert(found.key.to_string(), fen);
        let (source, last) = (found.at.place.input, found.date.unwrap_or(0));
        let taught = vec![Contribution { source, lesson: Lesson::Search, count: 1, last }];
        let lessons = Lessons::Search(experience);
        self.positions.push(Change { key: found.key, mv, kind: ExperienceKind::Position, lessons, taught });
        Ok(Status::Accepted { cut: false })
    }

    fn rejection<'r>(&mut self, rejection: &LearnedRejection<'r>) -> Result<Status<'r>> {
        let LearnedRejection { at, reason, ply, text } = *rejection;
        let status = Status::Rejected { ply, reason: reason.into(), text };
        self.reject((at.place, at.number), status)?;
        Ok(status)
    }

    /// Adds a rejection to the spool, so that the list of rejects is in the order of the input.
    fn reject(&mut self, place: (Place, u64), status: Status<'_>) -> Result<()> {
        self.spool.push(&WaitingItem::Rejection(place, status))
    }
}

impl OrderedSink<LearnedBatch> for CollectedRecords {
    fn push(&mut self, batch: LearnedBatch, reading: &Reading<'_>) -> Result<()> {
        let mut status = reading.chunk_status(batch.place());
        for item in batch.items() {
            let counts: &mut InputStatus = &mut status.counts;
            counts.count(match &item {
                Item::Record(record) => self.record(record)?,
                Item::Position(position) => self.position(position)?,
                Item::Rejection(rejection) => self.rejection(rejection)?,
            });
        }
        reading.add(&status)
    }
}
