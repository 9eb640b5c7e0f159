//! Reads lines into a Polyglot book.

use std::path::Path;

use book::polyglot::{Header, PolyglotEntry, Target, prepare_sorted};
use output::grouped;
use run::{Result, RunOptions, Summary};
use serde_json::Value;

use super::{
    super::{head::BookCounts, import::summary_of, reading::Lines},
    head::Head,
    position_entry::Line,
};
use crate::publish;

/// Each batch has at least this many entries, except the last, which may have fewer.
const ENTRIES_A_BATCH: usize = 1 << 14;

/// Reads the entries of a Polyglot book from lines of text.
struct Entries<'l> {
    lines: &'l mut Lines,
    read: BookCounts,
    /// How many positions have no moves and so cannot be stored in a Polyglot book.
    empty: u64,
}

/// Writes the Polyglot book that the lines after `head` describe.
pub(in super::super) fn import(
    lines: &mut Lines,
    head: Value,
    output: &Path,
    run: &RunOptions,
) -> Result<Summary> {
    let head: Head = serde_json::from_value(head).map_err(|error| lines.wrong(&error))?;
    let records = head.records().map_err(|why| lines.wrong(&why))?;
    // The count and the checksum are recomputed, since a script may have edited the lines.
    let sealed = Header::from_bytes(&records).filter(|header| header.seal().is_some());
    // A header without count and checksum is written record by record, as entries with key 0.
    let records = if sealed.is_some() { &[] } else { records.as_chunks().0 };
    let header = records.iter().map(|record| PolyglotEntry::from_bytes(*record)).collect();
    let mut entries = Entries { lines, read: BookCounts::default(), empty: 0 };
    let batches = std::iter::from_fn(|| {
        let batch = run.check_interrupt().and_then(|()| entries.batch());
        batch.map(|batch| (!batch.is_empty()).then_some(batch)).transpose()
    });
    let target = Target { path: output, existing: run.existing(), header: sealed.as_ref() };
    let prepared = prepare_sorted(target, std::iter::once(Ok(header)).chain(batches))?;
    let Entries { read, empty, .. } = entries;
    let mut summary = summary_of(head.counts, read, run)?;
    if empty > 0 {
        let positions = grouped(empty);
        summary.warnings.push(format!(
            "positions without moves were left out, because a Polyglot book cannot hold them: {positions}"
        ));
    }
    summary.exported = [("moves".into(), read.moves), ("positions".into(), read.positions)].into();
    publish(summary, prepared)
}

impl Entries<'_> {
    /// Returns the entries of the next few lines, or an empty list at the end.
    fn batch(&mut self) -> Result<Vec<PolyglotEntry>> {
        let mut batch = Vec::new();
        while batch.len() < ENTRIES_A_BATCH {
            let Some(mut entries) = self.lines.position(|line: Line| line.entries())? else { break };
            self.read.positions += u64::from(!entries.is_empty());
            self.read.moves += entries.len() as u64;
            self.empty += u64::from(entries.is_empty());
            batch.append(&mut entries);
        }
        Ok(batch)
    }
}
