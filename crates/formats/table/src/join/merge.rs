//! Sums of tables.

use std::{
    cmp::Reverse,
    collections::{BinaryHeap, binary_heap::PeekMut},
    path::Path,
};

use output::Prepared;
use position::Key;

use super::{
    JoinOptions,
    agreement::{check_sources, joined_counting},
    cursor::Cursor,
    examples,
    fingerprints::write_sum,
    roots::JoinedRoots,
    visited::VisitedRows,
};
use crate::{
    CountedInput, Counting, Error, Result, Row, ShardInfo, ShardWriter, Table, TableWriter,
    parallel::{check_stop, for_each_part},
    shards::key_range,
    writer::appear,
};

/// The number of rows between progress reports, and between checks of the stop flag.
const ROWS_A_STEP: u64 = 16_384;

/// Writes the sum of `inputs` to `out`: the table that would result from counting all their games together.
///
/// # Errors
///
/// Fails if two inputs were counted differently, if a source would be counted twice, if a count would exceed
/// 2^63 - 1, or if a table cannot be read or the output cannot be written. Also fails if the output is one of
/// the inputs, and this input has been replaced by another table since it was read.
///
/// # Panics
///
/// Panics if there are no inputs.
pub fn merge(inputs: &[&Table], out: &Path, options: &JoinOptions<'_>) -> Result<Table> {
    appear(prepare_merge(inputs, out, options)?)
}

/// Like [`merge`], but the returned table still has a temporary name.
///
/// # Errors
///
/// Fails as [`merge`] does.
///
/// # Panics
///
/// Panics as [`merge`] does.
pub fn prepare_merge(inputs: &[&Table], out: &Path, options: &JoinOptions<'_>) -> Result<(Table, Prepared)> {
    assert!(!inputs.is_empty(), "nothing to merge");
    let counting = joined_counting(inputs, options)?;
    check_sources(inputs, options)?;
    let shards = options.shards.unwrap_or(inputs[0].shards().len() as u32);
    let writer = TableWriter::create(out, counting, shards, options.replace)?;
    let writer = match inputs.iter().find(|table| is_same_path(table.path(), out)) {
        Some(table) => writer.in_place_of(table),
        None => writer,
    };
    let fingerprints = write_sum(inputs, &writer, options)?;
    let infos = for_each_part(options.threads, shards, options.stop, |shard| {
        merge_shard(inputs, writer.key_range(shard), writer.shard(shard)?, options)
    })?;
    let examples = examples::write((inputs, None), &writer, options)?;
    let all =
        |list: fn(&Table) -> &[CountedInput]| inputs.iter().flat_map(|table| list(table).to_vec()).collect();
    writer.with_fingerprints(fingerprints).with_examples(examples).prepare_with(
        infos,
        all(|table| &table.manifest().sources),
        all(|table| &table.manifest().subtracted),
    )
}

/// Merges one shard of the tables into a separate part file, so that several machines can share the work of a
/// merge.
///
/// # Errors
///
/// Fails as [`merge`] does. Also fails with [`Error::KnowsGames`] if a table has fingerprints of its games,
/// because these cannot be compared shard by shard.
///
/// # Panics
///
/// Panics if there are no inputs or no such shard.
pub fn merge_alone(
    inputs: &[&Table],
    (shard, shards): (u32, u32),
    part: &Path,
    options: &JoinOptions<'_>,
) -> Result<(Counting, ShardInfo)> {
    assert!(!inputs.is_empty(), "nothing to merge");
    if let Some(table) = inputs.iter().find(|table| table.manifest().fingerprints.is_some()) {
        return Err(Error::KnowsGames(table.path().to_owned()));
    }
    let counting = joined_counting(inputs, options)?;
    check_sources(inputs, options)?;
    let writer = ShardWriter::alone(part, &counting, shard, shards)?;
    let info = merge_shard(inputs, key_range(shard, shards), writer, options)?;
    Ok((counting, info))
}

/// Adds `more` to `table` in place; the number of shards does not change.
///
/// # Errors
///
/// Fails as [`merge`] does, leaving the table unchanged.
pub fn add(table: &Table, more: &Table, options: &JoinOptions<'_>) -> Result<Table> {
    appear(prepare_add(table, more, options)?)
}

/// Like [`add`], but the returned table still has a temporary name.
///
/// # Errors
///
/// Fails as [`merge`] does.
pub fn prepare_add(table: &Table, more: &Table, options: &JoinOptions<'_>) -> Result<(Table, Prepared)> {
    prepare_merge(&[table, more], table.path(), &JoinOptions { replace: true, ..*options })
}

fn is_same_path(a: &Path, b: &Path) -> bool {
    a == b || a.canonicalize().ok().zip(b.canonicalize().ok()).is_some_and(|(a, b)| a == b)
}

fn merge_shard(
    inputs: &[&Table],
    range: (Key, Key),
    writer: ShardWriter,
    options: &JoinOptions<'_>,
) -> Result<ShardInfo> {
    let cursors = inputs.iter().map(|table| Cursor::new(table, range, options.drop_groups));
    let mut rows = MergedRows::new(cursors.collect())?;
    let mut output = Output { writer, options, rows: 0 };
    let mut visited = VisitedRows::new(&mut output);
    while let Some(row) = rows.next()? {
        visited.push(row)?;
    }
    visited.end_position()?;
    JoinedRoots::open(inputs, None, range)?.for_each(|root| output.writer.push_root(root))?;
    output.finish()
}

/// A shard that a join is writing; between rows, it checks whether to stop and reports progress.
pub(super) struct Output<'a> {
    pub(super) writer: ShardWriter,
    pub(super) options: &'a JoinOptions<'a>,
    /// The number of rows since the last report.
    pub(super) rows: u64,
}

impl Output<'_> {
    #[inline]
    pub(super) fn push(&mut self, row: &Row) -> Result<()> {
        self.writer.push(row)?;
        self.rows += 1;
        if self.rows == ROWS_A_STEP { self.report() } else { Ok(()) }
    }

    fn report(&mut self) -> Result<()> {
        (self.options.progress)(std::mem::take(&mut self.rows));
        check_stop(self.options.stop)
    }

    pub(super) fn finish(mut self) -> Result<ShardInfo> {
        self.report()?;
        self.writer.finish()
    }
}

/// The rows of several cursors, in order; rows with the same identity are added up.
pub(super) struct MergedRows<'a> {
    cursors: Vec<Cursor<'a>>,
    /// The next row of each cursor; the entry of a cursor that has ended is ignored.
    rows: Vec<Row>,
    /// The identity of each cursor's next row, with the cursor's index; cursors that have ended are left out.
    heads: BinaryHeap<Reverse<(u128, usize)>>,
}

impl<'a> MergedRows<'a> {
    pub(super) fn new(mut cursors: Vec<Cursor<'a>>) -> Result<Self> {
        let mut heads = BinaryHeap::with_capacity(cursors.len());
        let mut rows = vec![Row::default(); cursors.len()];
        for (cursor, (source, row)) in cursors.iter_mut().zip(&mut rows).enumerate() {
            if let Some(first) = source.next()? {
                *row = first;
                heads.push(Reverse((first.id(), cursor)));
            }
        }
        Ok(Self { cursors, rows, heads })
    }

    /// The next row, summed over all cursors. If the steps of the summed rows differ, the smallest step is
    /// kept.
    pub(super) fn next(&mut self) -> Result<Option<Row>> {
        let Some((id, mut sum)) = self.pop()? else { return Ok(None) };
        while self.heads.peek().is_some_and(|Reverse((head, _))| *head == id) {
            let Some((_, row)) = self.pop()? else { unreachable!("just peeked") };
            let sums = sum.tally.checked_add(row.tally).zip(sum.ratings.checked_add(row.ratings));
            (sum.tally, sum.ratings) = sums.ok_or(Error::CountTooLarge { key: sum.key, mv: sum.mv })?;
            sum.step = sum.step.min(row.step);
        }
        Ok(Some(sum))
    }

    fn pop(&mut self) -> Result<Option<(u128, Row)>> {
        let Some(mut top) = self.heads.peek_mut() else { return Ok(None) };
        let Reverse((id, cursor)) = &mut *top;
        let popped = (*id, self.rows[*cursor]);
        match self.cursors[*cursor].next()? {
            Some(row) => (*id, self.rows[*cursor]) = (row.id(), row),
            None => drop(PeekMut::pop(top)),
        }
        Ok(Some(popped))
    }
}
