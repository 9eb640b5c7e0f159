//! The positions of a shard, one after another, each with all its rows.

use position::{Group, Key, Step, Tally};

use crate::{
    Edges, Error, Result,
    input::{EdgeRow, ShardEdges},
};

/// Reads a shard position by position, and checks the order of its rows.
///
/// # Memory
///
/// A batch of the input and the rows of one position.
pub(crate) struct Positions<'e> {
    shard: u32,
    shards: u32,
    rows: Box<dyn ShardEdges + 'e>,
    batch: Vec<EdgeRow>,
    at: usize,
    last: Option<(Key, u64)>,
}

/// All rows of one position.
#[derive(Default)]
pub(crate) struct PositionRows {
    pub(crate) key: Key,
    /// Whose move it is, by the step of any row.
    pub(crate) step: Step,
    /// Every visit, terminal ones too.
    pub(crate) tally: Tally,
    /// The rows, ascending by move and group, terminal visits first.
    pub(crate) rows: Vec<EdgeRow>,
}

impl<'e> Positions<'e> {
    pub(crate) fn open(edges: &'e impl Edges, shard: u32) -> Result<Self> {
        let rows = edges.shard(shard).map_err(Error::Input)?;
        Ok(Self { shard, shards: edges.shards(), rows, batch: Vec::new(), at: 0, last: None })
    }

    /// Reads the next position into `position`; `false` at the end.
    pub(crate) fn next_into(&mut self, position: &mut PositionRows) -> Result<bool> {
        position.rows.clear();
        position.tally = Tally::default();
        if self.at == self.batch.len() && !self.refill()? {
            return Ok(false);
        }
        (position.key, position.step) = (self.batch[self.at].key, self.batch[self.at].step);
        loop {
            while let Some(row) = self.batch.get(self.at).filter(|row| row.key == position.key) {
                position.tally += row.tally;
                position.rows.push(*row);
                self.at += 1;
            }
            if self.at < self.batch.len() || !self.refill()? {
                return Ok(true);
            }
        }
    }

    /// The next batch; `false` at the end.
    fn refill(&mut self) -> Result<bool> {
        self.at = 0;
        loop {
            if !self.rows.next_batch(&mut self.batch).map_err(Error::Input)? {
                self.batch.clear();
                return Ok(false);
            }
            if !self.batch.is_empty() {
                return self.check().map(|()| true);
            }
        }
    }

    fn check(&mut self) -> Result<()> {
        let width = 64 - self.shards.trailing_zeros();
        for row in &self.batch {
            let place = (row.key, u64::from(row.mv.0) << 32 | u64::from(row.group.bits()));
            let inside = row.key.0.checked_shr(width).unwrap_or(0) == u64::from(self.shard);
            if !inside || self.last.replace(place).is_some_and(|last| last >= place) {
                return Err(Error::Order { shard: self.shard, key: row.key, mv: row.mv });
            }
        }
        Ok(())
    }
}

impl PositionRows {
    /// The rows of each move, ascending; terminal visits are left out.
    pub(crate) fn moves(&self) -> impl Iterator<Item = &[EdgeRow]> {
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
