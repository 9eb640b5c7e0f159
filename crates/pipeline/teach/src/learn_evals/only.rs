//! Evaluations as rows of experience: all of them, or only those of positions that a table or book has.

use count::Counts;
use experience::{Change, Lessons};
use position::{Experience, ExperienceKind, Key, Lesson, Taught};
use run::Result;
use table::{PositionCounts, PositionRows, SortedRows as _};

use super::sorted::Kept;

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

/// The changes that evaluations make, ascending.
pub(super) fn changes(
    kept: impl Iterator<Item = Result<Kept>>,
    mut only: Option<Positions<'_>>,
) -> impl Iterator<Item = Result<Change>> {
    kept.filter_map(move |kept| {
        let wanted =
            |kept: Kept| Ok(only.as_mut().map_or(Ok(true), |only| only.has(kept.key))?.then_some(kept));
        kept.and_then(wanted).map(|kept| kept.map(change)).transpose()
    })
}

fn change(kept: Kept) -> Change {
    let Kept { key, mv, source, evaluation } = kept;
    let (eval, mate) = evaluation.score.columns();
    let (depth, nodes) = (Some(evaluation.depth), Some(evaluation.nodes));
    let lessons = Lessons::Evaluation(Experience { eval, mate, depth, nodes, ..Experience::default() });
    let taught = vec![Taught { source, lesson: Lesson::Search, count: 1, last: 0 }];
    Change { key, mv, kind: ExperienceKind::Evaluation, lessons, taught }
}
