//! Evaluations as rows of experience: all of them, or only those of positions that a table or book has.

use count::Counts;
use evals::Evaluation;
use experience::EvaluationRow;
use position::Key;
use run::Result;
use table::{PositionCounts, PositionRows, SortedRows as _};

use super::sorted::Kept;
use crate::evaluation;

/// The positions of counts, ascending.
pub(super) struct Positions<'c> {
    counts: &'c Counts,
    shard: u32,
    rows: Option<PositionRows<count::ShardRows>>,
    position: PositionCounts,
    is_at_end: bool,
}

impl<'c> Positions<'c> {
    pub(super) fn new(counts: &'c Counts) -> Self {
        Self { counts, shard: 0, rows: None, position: PositionCounts::default(), is_at_end: false }
    }

    /// Whether the position is among them. No key may be below the one before.
    fn has(&mut self, key: Key) -> Result<bool> {
        while !self.is_at_end && (self.rows.is_none() || self.position.key < key) {
            self.next()?;
        }
        Ok(!self.is_at_end && self.position.key == key)
    }

    fn next(&mut self) -> Result<()> {
        loop {
            if let Some(rows) = &mut self.rows
                && rows.next_into(&mut self.position)?
            {
                return Ok(());
            }
            if self.shard == self.counts.shards() {
                self.is_at_end = true;
                return Ok(());
            }
            self.rows = Some(PositionRows::new(self.counts.shard(self.shard)?));
            self.shard += 1;
        }
    }
}

/// The evaluations that are wanted, ascending.
pub(super) fn wanted(
    kept: impl Iterator<Item = Result<Kept>>,
    mut only: Option<Positions<'_>>,
) -> impl Iterator<Item = Result<EvaluationRow>> {
    kept.filter_map(move |kept| {
        let wanted =
            |kept: Kept| Ok(only.as_mut().map_or(Ok(true), |only| only.has(kept.key))?.then_some(kept));
        kept.and_then(wanted).map(|kept| kept.map(evaluated)).transpose()
    })
}

fn evaluated(Kept { key, mv, source, evaluation }: Kept) -> EvaluationRow {
    let Evaluation { score, depth, nodes } = evaluation;
    evaluation::evaluated((key, mv), source, score, (depth, Some(nodes)))
}
