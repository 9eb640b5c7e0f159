//! Sorted counts as an export reads them, and what was learned beside them.

use std::{
    collections::HashMap,
    ops::ControlFlow,
    path::Path,
    sync::{Arc, atomic::Ordering::Relaxed},
};

use analysis::{Dimensions, EdgeRow, Edges, ExportOptions, Extras, InputError, Openings, Report, ShardEdges};
use position::{Experience, Key, Kind, PackedMove};
use table::Row;

use crate::{Context, Counts, Error, Result, counts::ShardRows, experience::Union, flow::ExperiencePath};

/// Writes `moves/`, `positions/` and `openings/` of `counts`.
pub(crate) fn export_edges(
    context: &Context,
    counts: &Counts,
    experience: &[Arc<ExperiencePath>],
    openings: &Openings,
    options: &ExportOptions,
    output: &Path,
) -> Result<Report> {
    let known = known(experience)?;
    let look_up = |key: Key, mv: PackedMove| known.get(&(key, mv)).copied();
    let extras = Extras { openings, experience: (!known.is_empty()).then_some(&look_up) };
    let progress = |done: analysis::Progress| {
        if done.shards_done == 0 {
            context.progress.enter(done.phase, done.shards);
        }
        context.progress.steps_done.fetch_max(u64::from(done.shards_done), Relaxed);
        if context.cancel.load(Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    analysis::export(&CountedEdges(counts), extras, options, output, &progress).map_err(unwrapped)
}

/// An error of ours that came back through the export.
fn unwrapped(error: analysis::Error) -> Error {
    match error {
        analysis::Error::Input(inner) => match inner.downcast::<Error>() {
            Ok(ours) => *ours,
            Err(inner) => Error::Analysis(analysis::Error::Input(inner)),
        },
        other => Error::Analysis(other),
    }
}

/// What is known of book moves.
///
/// # Memory
///
/// About eighty bytes a move that something is known of.
fn known(files: &[Arc<ExperiencePath>]) -> Result<HashMap<(Key, PackedMove), Experience>> {
    let union = Union::open(files.iter().map(|file| file.path()))?;
    let book_moves = union.rows()?.filter_map(|row| match row {
        Ok(row) if row.kind != Kind::Book => None,
        row => Some(row.map(|row| ((row.key, row.mv), row.experience))),
    });
    book_moves.collect()
}

struct CountedEdges<'c>(&'c Counts);

impl Edges for CountedEdges<'_> {
    fn shards(&self) -> u32 {
        self.0.shards()
    }

    fn dimensions(&self) -> Dimensions {
        let groups = self.0.counting().groups;
        Dimensions {
            speed: groups.speed,
            rating_band: groups.rating_band,
            month: groups.month,
            player_color: groups.player_color,
        }
    }

    fn is_complete(&self) -> bool {
        self.0.is_complete()
    }

    fn shard(&self, shard: u32) -> Result<Box<dyn ShardEdges + '_>, InputError> {
        Ok(Box::new(CountedShard { rows: self.0.shard(shard)?, batch: Vec::new() }))
    }
}

struct CountedShard {
    rows: ShardRows,
    batch: Vec<Row>,
}

impl ShardEdges for CountedShard {
    fn next_batch(&mut self, rows: &mut Vec<EdgeRow>) -> Result<bool, InputError> {
        let more = self.rows.next_batch(&mut self.batch)?;
        rows.clear();
        rows.extend(self.batch.iter().map(edge_row));
        Ok(more)
    }
}

fn edge_row(row: &Row) -> EdgeRow {
    EdgeRow {
        key: row.key,
        mv: row.mv,
        group: row.group,
        step: row.step,
        tally: row.tally,
        ratings: (row.ratings.rated_games > 0).then_some(row.ratings),
    }
}
