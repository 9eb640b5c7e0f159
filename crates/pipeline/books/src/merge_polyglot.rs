//! Merges Polyglot books with the strategy that the user chose.

use std::{path::Path, time::Instant};

use book::polyglot::{Merge, MergeStats, Merging, Reader, Target, prepare_sorted, repaired};
use output::grouped;
use run::{Limits, Result, RunOptions, Summary};

use super::{BooksError, Strategy, publish};

/// How many entries are written at once.
const ENTRIES_A_BATCH: usize = 1 << 14;
/// How many bytes of memory an entry takes while a book is sorted.
const REPAIR_BYTES: u64 = 24;
/// The warning about entries with key 0.
const ZERO_KEY: &str = "entries have the key 0, which readers take for a header, and were left out";

/// Merges Polyglot books into a new one.
///
/// # Memory
///
/// Uses as much memory as [`Merge`].
pub(super) fn merge_polyglot(
    books: &[Reader],
    output: &Path,
    merging: &Merging,
    run: &RunOptions,
) -> Result<Summary> {
    let start = Instant::now();
    run.progress.enter("merging Polyglot books", 0);
    let mut merge = Merge::new(books, merging)?;
    let batches = merge.by_ref().map(|batch| run.check_interrupt().and_then(|()| Ok(batch?)));
    let target = Target { path: output, existing: run.existing(), header: None };
    let prepared = prepare_sorted(target, batches)?;
    let stats = merge.stats();
    if stats.entries == 0 {
        return Err(BooksError::Empty(nothing(&stats)).into());
    }
    let mut summary = Summary::new();
    summary.exported.insert("moves".into(), stats.entries);
    summary.exported.insert("positions".into(), stats.positions);
    summary.exported.insert("positions of several books".into(), stats.shared_positions);
    summary.warnings = warnings(&stats, merging.strategy);
    summary.add_seconds("merge", start);
    publish(summary, prepared)
}

/// Writes the entries of an unsorted book in the format's order, with their weights unchanged.
///
/// # Memory
///
/// Uses as much memory as [`repaired`]. A book that needs more than the limit allows is refused.
pub(super) fn repair_polyglot(
    book: &Reader,
    output: &Path,
    limits: &Limits,
    run: &RunOptions,
) -> Result<Summary> {
    let start = Instant::now();
    run.progress.enter("sorting a Polyglot book", 0);
    let (bytes, bytes_max) = (book.entries().saturating_mul(REPAIR_BYTES), limits.memory_bytes());
    if bytes > bytes_max {
        return Err(BooksError::RepairMemory { path: book.path().into(), bytes, bytes_max }.into());
    }
    let (entries, stats) = repaired(book)?;
    if entries.is_empty() {
        return Err(BooksError::Empty("the book has no entries").into());
    }
    let target = Target { path: output, existing: run.existing(), header: book.header() };
    let batches = entries.chunks(ENTRIES_A_BATCH).map(|batch| run.check_interrupt().map(|()| batch.to_vec()));
    let prepared = prepare_sorted(target, batches)?;
    let mut summary = Summary::new();
    summary.exported.insert("moves".into(), entries.len() as u64);
    summary.exported.insert("positions".into(), stats.positions);
    summary.warnings = told([
        (stats.unsorted_entries, "entries had a key below the one before, and are sorted now"),
        (stats.repeated_entries, "entries repeat a move of their position; the weights were added up"),
        (stats.zero_key_entries, ZERO_KEY),
    ]);
    summary.add_seconds("repair", start);
    publish(summary, prepared)
}

/// Returns a message for each count that is not zero.
fn told<const N: usize>(counts: [(u64, &str); N]) -> Vec<String> {
    let counts = counts.into_iter().filter(|(count, _)| *count > 0);
    counts.map(|(count, text)| format!("{} {text}", grouped(count))).collect()
}

fn nothing(stats: &MergeStats) -> &'static str {
    if stats.cut_moves > 0 { "every move is below the cut-off" } else { "the books have no entries" }
}

/// Describes which entries the merge left out or changed.
fn warnings(stats: &MergeStats, strategy: Strategy) -> Vec<String> {
    let later = if strategy == Strategy::First { stats.later_entries } else { 0 };
    told([
        (stats.cut_moves, "moves below the cut-off were left out"),
        (stats.cut_positions, "positions had no other move and are not in the new book"),
        (later, "entries are of positions that an earlier book has, and were left out"),
        (
            stats.repeated_entries,
            "entries repeat a move of their position in the same book; the weights were added up",
        ),
        (stats.zero_key_entries, ZERO_KEY),
        (stats.learn_conflicts, "moves have different learn fields in the books; theirs is 0"),
    ])
}
