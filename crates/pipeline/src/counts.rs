//! Sorted edges, wherever they are: a table on disk, or the sorted runs of a count that keeps none.

use std::thread;

use book::BookEdge;
use position::{Key, Step, Tally};
use serde_json::{Value, json};
use table::{Counting, Row, Source, Table};

use crate::{
    Result,
    count::{BucketRows, Runs},
};

/// Edges with their tallies, sorted and cut into shards by the top bits of the key.
pub enum Counts {
    /// A table on disk.
    Table(Table),
    /// Runs of a sorter, merged each time they are read.
    Sorted(SortedCounts),
}

/// The sorted runs of a count, and what was counted.
pub struct SortedCounts {
    pub(crate) runs: Runs,
    pub(crate) counting: Counting,
    pub(crate) sources: Vec<Source>,
    /// Whether every move played from a position has its row; a book may have dropped some.
    pub(crate) complete: bool,
}

/// Gives the memory of counts back while `work`, which waits for the disk, is done.
pub(crate) fn give_back_during<C: Send, T>(counts: C, work: impl FnOnce() -> T) -> T {
    thread::scope(|scope| {
        scope.spawn(|| drop(counts));
        work()
    })
}

/// The rows of one shard, ascending.
pub(crate) enum ShardRows {
    Table(Box<table::ShardRows>),
    Sorted(BucketRows),
}

impl Counts {
    /// Number of shards, a power of two.
    #[must_use]
    pub fn shards(&self) -> u32 {
        match self {
            Counts::Table(table) => table.shards().len() as u32,
            Counts::Sorted(sorted) => sorted.runs.shards(),
        }
    }

    /// How it was counted.
    #[must_use]
    pub fn counting(&self) -> &Counting {
        match self {
            Counts::Table(table) => table.counting(),
            Counts::Sorted(sorted) => &sorted.counting,
        }
    }

    /// What was counted.
    #[must_use]
    pub fn sources(&self) -> &[Source] {
        match self {
            Counts::Table(table) => &table.manifest().sources,
            Counts::Sorted(sorted) => &sorted.sources,
        }
    }

    /// Whether every move played from a position has its row.
    pub(crate) fn is_complete(&self) -> bool {
        match self {
            Counts::Table(_) => true,
            Counts::Sorted(sorted) => sorted.complete,
        }
    }

    /// What tells the table from every other; `None` if none was kept.
    pub(crate) fn digest(&self) -> Option<&str> {
        match self {
            Counts::Table(table) => Some(table.digest()),
            Counts::Sorted(_) => None,
        }
    }

    /// Games counted.
    #[must_use]
    pub fn games(&self) -> u64 {
        match self {
            Counts::Table(table) => table.manifest().games,
            Counts::Sorted(sorted) => sorted.sources.iter().map(|source| source.accepted).sum(),
        }
    }

    pub(crate) fn shard(&self, shard: u32) -> Result<ShardRows> {
        Ok(match self {
            Counts::Table(table) => ShardRows::Table(Box::new(table.shard_rows(shard)?)),
            Counts::Sorted(sorted) => ShardRows::Sorted(sorted.runs.bucket(shard)?),
        })
    }

    /// What a book says of where its counts come from: the same whether a table was kept or not.
    pub(crate) fn provenance(&self) -> Value {
        let mut sources: Vec<_> = self.sources().iter().collect();
        sources.sort();
        json!({ "counting": self.counting(), "games": self.games(), "sources": sources })
    }
}

impl ShardRows {
    /// Replaces `rows` by the next ones; `false`, and no rows, at the end.
    pub(crate) fn next_batch(&mut self, rows: &mut Vec<Row>) -> Result<bool> {
        match self {
            ShardRows::Table(shard) => Ok(shard.next_batch(rows)?),
            ShardRows::Sorted(bucket) => bucket.next_batch(rows),
        }
    }
}

/// The positions of a stream of rows, one after another.
pub(crate) struct PositionRows {
    rows: ShardRows,
    batch: Vec<Row>,
    at: usize,
    /// Rows of the batches before this one.
    rows_before: u64,
}

/// All rows of one key, summed over groups: the terminal visits are only in the position tally.
#[derive(Default)]
pub(crate) struct PositionCounts {
    pub(crate) key: Key,
    /// Whose move it is, by the step of any row.
    pub(crate) step: Step,
    /// Every visit.
    pub(crate) tally: Tally,
    /// Moves, ascending.
    pub(crate) edges: Vec<BookEdge>,
    /// The steps of those moves.
    pub(crate) steps: Vec<Step>,
}

impl PositionRows {
    pub(crate) fn new(rows: ShardRows) -> Self {
        Self { rows, batch: Vec::new(), at: 0, rows_before: 0 }
    }

    /// Reads the next position into `position`; `false` at the end.
    pub(crate) fn next_into(&mut self, position: &mut PositionCounts) -> Result<bool> {
        if self.at == self.batch.len() && !self.refill()? {
            return Ok(false);
        }
        position.begin(&self.batch[self.at]);
        self.at += 1;
        loop {
            while let Some(row) = self.batch.get(self.at).filter(|row| row.key == position.key) {
                position.add(row);
                self.at += 1;
            }
            if self.at < self.batch.len() || !self.refill()? {
                return Ok(true);
            }
        }
    }

    /// Rows read so far.
    pub(crate) fn read(&self) -> u64 {
        self.rows_before + self.at as u64
    }

    /// The next batch; `false` at the end.
    fn refill(&mut self) -> Result<bool> {
        self.rows_before += self.at as u64;
        self.at = 0;
        self.rows.next_batch(&mut self.batch)
    }
}

impl PositionCounts {
    /// The sums of one key's rows; `None` without any.
    pub(crate) fn of(rows: &[Row]) -> Option<Self> {
        let (first, others) = rows.split_first()?;
        let mut position = Self::default();
        position.begin(first);
        for row in others {
            position.add(row);
        }
        Some(position)
    }

    #[inline]
    fn begin(&mut self, first: &Row) {
        (self.key, self.step, self.tally) = (first.key, first.step, first.tally);
        self.edges.clear();
        self.steps.clear();
        if !first.mv.is_terminal() {
            self.push(first);
        }
    }

    #[inline]
    fn add(&mut self, row: &Row) {
        self.tally += row.tally;
        match self.edges.last_mut() {
            _ if row.mv.is_terminal() => {}
            Some(edge) if edge.mv == row.mv => edge.tally += row.tally,
            _ => self.push(row),
        }
    }

    #[inline]
    fn push(&mut self, row: &Row) {
        self.edges.push(BookEdge { mv: row.mv, tally: row.tally });
        self.steps.push(row.step);
    }
}
