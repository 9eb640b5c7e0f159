//! Polyglot books merged by a strategy.

use std::{path::Path, time::Instant};

use book::polyglot::{Merge, MergeStats, Merging, Reader, Target, prepare_sorted};
use report::grouped;

use super::{BooksError, Strategy, publish};
use crate::{Error, Result, RunOptions, Summary};

/// Merges Polyglot books into a new one.
///
/// # Memory
///
/// That of [`Merge`].
pub(super) fn merge_polyglot(
    books: &[Reader],
    output: &Path,
    merging: &Merging,
    run: &RunOptions,
) -> Result<Summary> {
    let start = Instant::now();
    run.progress.enter("merging Polyglot books", 0);
    let mut merge = Merge::new(books, merging)?;
    let batches = merge.by_ref().map(|batch| {
        if run.flow().is_break() { Err(Error::Interrupted) } else { batch.map_err(Error::from) }
    });
    let prepared = prepare_sorted(Target { path: output, existing: run.existing(), header: None }, batches)?;
    let stats = merge.stats();
    if stats.entries == 0 {
        return Err(BooksError::Empty { why: nothing(&stats) }.into());
    }
    let mut summary = Summary::new();
    summary.exported.insert("moves".into(), stats.entries);
    summary.exported.insert("positions".into(), stats.positions);
    summary.exported.insert("positions of several books".into(), stats.shared_positions);
    summary.warnings = warnings(&stats, merging.strategy);
    summary.add_seconds("merge", start);
    publish(summary, prepared)
}

fn nothing(stats: &MergeStats) -> &'static str {
    if stats.cut_moves > 0 { "every move is below the cut-off" } else { "the books have no entries" }
}

/// What is not in the new book, or otherwise than in the old ones.
fn warnings(stats: &MergeStats, strategy: Strategy) -> Vec<String> {
    let mut warnings = Vec::new();
    let mut say = |count: u64, text: &str| {
        if count > 0 {
            warnings.push(format!("{} {text}", grouped(count)));
        }
    };
    say(stats.cut_moves, "moves below the cut-off were left out");
    say(stats.cut_positions, "positions had no other move and are not in the new book");
    if strategy == Strategy::First {
        say(stats.later_entries, "entries are of positions that an earlier book has, and were left out");
    }
    say(
        stats.repeated_entries,
        "entries repeat a move of their position in the same book; the weights were added up",
    );
    say(stats.zero_key_entries, "entries have the key 0, which readers take for a header, and were left out");
    say(stats.learn_conflicts, "moves have different learn fields in the books; theirs is 0");
    warnings
}
