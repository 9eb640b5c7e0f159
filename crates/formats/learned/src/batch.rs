//! The items of one chunk of a learning file.

use std::ops::Range;

use position::{Key, PackedMove};
use shakmaty::Chess;

use super::{
    LearnedReason,
    record::{Item, ItemPlace, LearnedPosition, LearnedRecord, LearnedRejection, Players},
};
use pgn::{batches::Batch, input::Place, tags::TagValue};

/// One or more items of one stream, in order.
///
/// # Memory
/// Holds the items' text and 16 bytes per ply, in total about three times the size of the text.
#[derive(Debug)]
pub struct LearnedBatch {
    /// Where the text begins.
    pub(super) place: Place,
    pub(super) text: Vec<u8>,
    /// The number of earlier items of the same stream.
    pub(super) before: u64,
    pub(super) entries: Vec<BatchedItem>,
    pub(super) plies: Vec<(Key, PackedMove)>,
}

/// One item: its offset in the text of the batch, and its content.
#[derive(Debug)]
pub(super) struct BatchedItem {
    pub(super) offset: usize,
    pub(super) content: Content,
}

#[derive(Debug)]
pub(super) enum Content {
    Record(Header, Range<usize>, [i32; 3]),
    Position(Header, Box<Chess>, [i32; 3]),
    Rejection { reason: LearnedReason, ply: Option<u32>, text: Box<str> },
}

/// The values of an item's tags: the players' names, as ranges in the batch's text, and the date.
#[derive(Clone, Debug, Default)]
pub(super) struct Header {
    pub(super) white: Range<usize>,
    pub(super) black: Range<usize>,
    pub(super) date: Option<u32>,
}

impl Batch for LearnedBatch {
    fn place(&self) -> Place {
        self.place
    }

    fn items(&self) -> usize {
        self.entries.len()
    }

    fn number_after(&mut self, before: u64) {
        self.before = before;
    }
}

impl LearnedBatch {
    /// Returns the items in the order in which they occur in the text.
    pub fn items(&self) -> impl Iterator<Item = Item<'_>> {
        let numbered = self.entries.iter().zip(self.before + 1..);
        numbered.map(|(entry, number)| self.item(entry, number))
    }

    fn item<'b>(&'b self, entry: &'b BatchedItem, number: u64) -> Item<'b> {
        let place = Place { offset: self.place.offset + entry.offset as u64, ..self.place };
        let at = ItemPlace { place, number };
        match &entry.content {
            Content::Record(header, plies, numbers) => {
                let [value, depth, rating_difference] = numbers.map(i64::from);
                let (players, date) = (self.players(header), header.date);
                let plies = &self.plies[plies.clone()];
                Item::Record(LearnedRecord { at, players, date, plies, value, depth, rating_difference })
            }
            Content::Position(header, position, numbers) => {
                let [value, crafty_move, depth] = numbers.map(i64::from);
                let (players, date) = (self.players(header), header.date);
                let key = Key::of(position);
                Item::Position(LearnedPosition {
                    at,
                    players,
                    date,
                    position,
                    key,
                    value,
                    crafty_move,
                    depth,
                })
            }
            Content::Rejection { reason, ply, text } => {
                Item::Rejection(LearnedRejection { at, reason: *reason, ply: *ply, text })
            }
        }
    }

    fn players(&self, header: &Header) -> Players<'_> {
        // Crafty escapes nothing.
        let name = |span: &Range<usize>| TagValue::new(&self.text[span.clone()], false);
        Players { white: name(&header.white), black: name(&header.black) }
    }
}
