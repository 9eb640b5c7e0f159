//! The positions of a shard that are in the book.

use ::book::{BookFilter, PositionEntry};

use table::PositionCounts;

use super::leaves::ShardLeaves;
use crate::{
    Result,
    counts::{PositionRows, ShardRows},
};

/// A shard's positions through the filter, ascending.
pub(super) struct BookPositions<'f> {
    rows: PositionRows,
    /// `None`: every move is kept.
    filter: Option<&'f BookFilter>,
    leaves: ShardLeaves,
    position: PositionCounts,
}

impl<'f> BookPositions<'f> {
    pub(super) fn new(rows: ShardRows, filter: &'f BookFilter, leaves: ShardLeaves) -> Self {
        let filter = (!filter.keeps_everything()).then_some(filter);
        Self { rows: PositionRows::new(rows), filter, leaves, position: PositionCounts::default() }
    }

    /// Reads the next position of the book into `entry`; `false` at the end.
    pub(super) fn next_into(&mut self, entry: &mut PositionEntry) -> Result<bool> {
        while self.rows.next_into(&mut self.position)? {
            let position = &mut self.position;
            std::mem::swap(&mut entry.edges, &mut position.edges);
            if let Some(filter) = self.filter {
                filter.keep(position.step.mover(), position.tally, &mut entry.edges);
            }
            if !entry.edges.is_empty() || self.leaves.contains(self.position.key)? {
                entry.key = self.position.key;
                entry.turn = self.position.step.mover();
                entry.tally = self.position.tally;
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Rows read so far.
    pub(super) fn rows(&self) -> u64 {
        self.rows.read()
    }
}
