//! The positions of a shard, one after another, each with all its rows.

use position::{Group, Key, Step, Tally};
use shakmaty::{Chess, Position as _};
use table::{Gather, PositionRows, Row, RowBatches, SortedRows};

use crate::{Error, Result, walk::shard_of};

/// The positions of one shard, whose rows are checked for their order.
pub(crate) type Positions<R> = PositionRows<CheckedRows<R>>;

/// The positions of a shard of `rows`.
pub(crate) fn open<R: SortedRows>(rows: &R, shard: u32) -> Result<Positions<R::Shard>> {
    let (shards, rows) = (rows.shards(), rows.shard(shard).map_err(Error::input)?);
    Ok(PositionRows::new(CheckedRows { shard, shards, rows, last: None }))
}

/// Rows that were found to ascend strictly and to be of their shard: the export joins them with other sorted
/// streams, and rows out of order would be lost there without a sign.
pub(crate) struct CheckedRows<R> {
    shard: u32,
    shards: u32,
    rows: R,
    /// Identity of the last row read.
    last: Option<u128>,
}

impl<R: RowBatches> RowBatches for CheckedRows<R> {
    type Error = Error;

    fn next_batch(&mut self, batch: &mut Vec<Row>) -> Result<bool> {
        let more = self.rows.next_batch(batch).map_err(Error::input)?;
        for row in batch {
            let inside = shard_of(row.key, self.shards) == self.shard;
            let id = row.id();
            if !inside || self.last.replace(id).is_some_and(|last| last >= id) {
                return Err(Error::Order { shard: self.shard, key: row.key, mv: row.mv });
            }
        }
        Ok(more)
    }
}

/// All rows of one position.
#[derive(Default)]
pub(crate) struct GroupedPosition {
    pub(crate) key: Key,
    /// Whose move it is, by the step of any row.
    pub(crate) step: Step,
    /// Every visit, terminal ones too.
    pub(crate) tally: Tally,
    /// The rows, ascending by move and group, terminal visits first.
    pub(crate) rows: Vec<Row>,
}

impl Gather for GroupedPosition {
    fn begin(&mut self, first: &Row) {
        (self.key, self.step, self.tally) = (first.key, first.step, first.tally);
        self.rows.clear();
        self.rows.push(*first);
    }

    fn add(&mut self, row: &Row) {
        self.tally += row.tally;
        self.rows.push(*row);
    }
}

impl GroupedPosition {
    /// The rows of each move, ascending; terminal visits are left out.
    pub(crate) fn moves(&self) -> impl Iterator<Item = &[Row]> {
        self.rows.chunk_by(|a, b| a.mv == b.mv).filter(|rows| !rows[0].mv.is_terminal())
    }

    /// Visits of each group, ascending by group.
    pub(crate) fn visits_by_group(&self, visits: &mut Vec<(Group, u64)>) {
        visits.clear();
        visits.extend(self.rows.iter().map(|row| (row.group, row.tally.games())));
        visits.sort_unstable_by_key(|(group, _)| *group);
        visits.dedup_by(|next, first| {
            let same = next.0 == first.0;
            first.1 += if same { next.1 } else { 0 };
            same
        });
    }
}

/// The position that a row's move leads to: by its step, or without one (a book has none) by playing the move
/// on `board`. `None` where neither is there.
pub(crate) fn child(row: &Row, board: Option<&Chess>) -> Option<Key> {
    if row.step.role().is_some() {
        return Some(row.step.child(row.key, row.mv));
    }
    let mut after = board?.clone();
    after.play_unchecked(row.mv.unpack(board?)?);
    Some(Key::of(&after))
}
