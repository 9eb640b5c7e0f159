//! The positions of a shard that are in the book.

use ::book::{BookFilter, PositionEntry};

use run::Result;
use table::{BoxedRows, PositionCounts, PositionRows};

use super::{leaves::ShardLeaves, promoted::PostbookMoves, way::LineFromStart};

/// The positions of a shard that are in the book, in ascending order.
pub(super) struct BookPositions<'f> {
    rows: PositionRows<'f>,
    /// The filter; `None` if every move is kept.
    filter: Option<&'f BookFilter>,
    leaves: ShardLeaves,
    promoted: PostbookMoves,
    way: &'f LineFromStart,
    /// The number of promoted moves added so far.
    pub(super) promotions: u64,
    position: PositionCounts,
}

impl<'f> BookPositions<'f> {
    pub(super) fn new(
        rows: BoxedRows<'f>,
        filter: &'f BookFilter,
        leaves: ShardLeaves,
        (promoted, way): (PostbookMoves, &'f LineFromStart),
    ) -> Self {
        let filter = (!filter.keeps_everything()).then_some(filter);
        let (rows, position) = (PositionRows::new(rows), PositionCounts::default());
        Self { rows, filter, leaves, promoted, way, promotions: 0, position }
    }

    /// Reads the next position of the book into `entry`; `false` at the end.
    pub(super) fn next_into(&mut self, entry: &mut PositionEntry) -> Result<bool> {
        while self.rows.next_into(&mut self.position)? {
            let position = &mut self.position;
            let turn = position.step.mover();
            std::mem::swap(&mut entry.edges, &mut position.edges);
            let (is_promoted, is_on_way) = (self.promoted.has(position.key), self.way.has(position.key));
            let counted = if is_promoted || is_on_way { entry.edges.clone() } else { Vec::new() };
            if let Some(filter) = self.filter {
                filter.keep(turn, position.tally, &mut entry.edges);
            }
            if let Some(filter) = self.filter.filter(|_| is_on_way) {
                self.way.add((position.key, turn), filter.color, &counted, &mut entry.edges);
            }
            if is_promoted {
                let (games, added) = self.promoted.add(turn, &counted, &mut entry.edges);
                position.tally += games;
                self.promotions += added;
            }
            if !entry.edges.is_empty() || self.leaves.contains(self.position.key)? {
                entry.key = self.position.key;
                entry.turn = turn;
                entry.tally = self.position.tally;
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The number of rows read so far.
    pub(super) fn rows(&self) -> u64 {
        self.rows.read()
    }
}
