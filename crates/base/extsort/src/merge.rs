//! Merges many sorted cursors into one and combines rows with equal ids.
//!
//! Instead of a tournament tree, this uses one buffer with a few decoded rows from each cursor. In each step,
//! it radix-sorts the buffered rows whose ids are smaller than all ids still to be read. Per row, this costs
//! the same for two cursors as for two thousand. A tournament tree would cause one mispredicted comparison
//! per row and level.

use std::marker::PhantomData;

use crate::radix::NumberSorter;
use crate::{Combine, Error, Result, Row};

/// Returns rows with ascending ids, a few at a time.
pub(crate) trait Cursor<const SUMS: usize>: Send {
    /// Fills the front of `rows`, which must not be empty, with the next rows. Returns the number of rows,
    /// which is 0 at the end.
    fn refill(&mut self, rows: &mut [Row<SUMS>]) -> Result<usize>;
}

/// The maximum number of cursors in a merge. The buffer has at most 65,536 rows, because a row's index has 16
/// bits, and each cursor needs room for at least [`ROWS_LEAST`] rows.
pub(crate) const CURSORS_MAX: usize = (SLOT_MASK + 1) / ROWS_LEAST;

/// The maximum number of cursors that can have [`ROWS_MIN`] rows each.
pub(crate) const CURSORS_EASY: usize = (SLOT_MASK + 1) / ROWS_MIN;

/// A mask for the index in a head. A head is a row's id, with the lowest 16 bits replaced by the row's index
/// in the buffer.
const SLOT_MASK: usize = 0xffff;
/// The minimum number of buffered rows per cursor, unless there are more than [`CURSORS_EASY`] cursors. A
/// refill reads about half of this number. Merging with fewer rows per cursor is slower, but still faster
/// than another pass over all rows.
const ROWS_MIN: usize = 64;
/// The minimum number of buffered rows per cursor in the largest possible merge.
const ROWS_LEAST: usize = 16;
/// The maximum number of buffered rows per cursor.
const ROWS_MAX: usize = 256;
/// The maximum number of rows in a batch that a merge returns.
pub(crate) const BATCH_ROWS: usize = 1024;

/// The number of rows in the buffer, chosen to fit into the L2 cache. With many cursors the buffer is larger,
/// since each cursor has a minimum number of rows.
const BUFFER_ROWS: usize = 1 << 13;

/// With at least this many cursors, the whole buffer is used.
pub(crate) const BUFFER_CURSORS: usize = BUFFER_ROWS / ROWS_MAX;

/// The number of buffered rows per cursor in a merge of `cursors` cursors.
const fn cursor_rows(cursors: usize) -> usize {
    let rows = BUFFER_ROWS / if cursors == 0 { 1 } else { cursors };
    if cursors > CURSORS_EASY {
        (SLOT_MASK + 1) / cursors
    } else if rows >= ROWS_MAX {
        ROWS_MAX
    } else if rows <= ROWS_MIN {
        ROWS_MIN
    } else {
        rows
    }
}

/// The number of bytes of memory that a merge of `cursors` cursors needs, not counting the cursors
/// themselves.
pub(crate) const fn buffer_bytes<const SUMS: usize>(cursors: usize) -> usize {
    let rows = cursors * cursor_rows(cursors);
    // Each row takes up space in `buffer`, `heads` and `sorted`.
    rows * (size_of::<Row<SUMS>>() + 2 * size_of::<u128>()) + NumberSorter::MEMORY_BYTES
}

/// A cursor and its unmerged rows in the buffer.
struct Input<const SUMS: usize> {
    from: usize,
    to: usize,
    /// Whether the cursor may have further rows, which are not in the buffer yet.
    more: bool,
    cursor: Box<dyn Cursor<SUMS>>,
}

impl<const SUMS: usize> Input<SUMS> {
    /// Refills `buffer`, this cursor's part of the merge buffer, if no more than half of its rows are left.
    fn top_up(&mut self, buffer: &mut [Row<SUMS>]) -> Result<()> {
        if !self.more || self.to - self.from > buffer.len() / 2 {
            return Ok(());
        }
        buffer.copy_within(self.from..self.to, 0);
        (self.from, self.to) = (0, self.to - self.from);
        while self.more && self.to < buffer.len() {
            let count = self.cursor.refill(&mut buffer[self.to..])?;
            self.to += count;
            self.more = count > 0;
        }
        Ok(())
    }
}

/// Merges cursors into one.
///
/// # Memory
/// Takes [`buffer_bytes`] plus the memory of each cursor.
pub(crate) struct Merger<const SUMS: usize, C> {
    inputs: Vec<Input<SUMS>>,
    cursor_rows: usize,
    /// The rows of all inputs, one input after another. Each input has room for
    /// [`cursor_rows`](Self::cursor_rows) rows.
    buffer: Vec<Row<SUMS>>,
    /// The ids of the rows being merged. The lowest 16 bits of each contain the index of its row in the
    /// buffer.
    heads: Vec<u128>,
    sorted: Vec<u128>,
    /// The number of sorted heads that have already been merged.
    at: usize,
    sorter: NumberSorter,
    combine: PhantomData<C>,
}

impl<const SUMS: usize, C: Combine<SUMS>> Merger<SUMS, C> {
    pub(crate) fn new(cursors: Vec<Box<dyn Cursor<SUMS>>>) -> Self {
        assert!(cursors.len() <= CURSORS_MAX, "a merge has at most {CURSORS_MAX} cursors");
        let cursor_rows = cursor_rows(cursors.len());
        let rows = cursors.len() * cursor_rows;
        let input = |cursor| Input { from: 0, to: 0, more: true, cursor };
        Self {
            inputs: cursors.into_iter().map(input).collect(),
            cursor_rows,
            buffer: vec![Row::EMPTY; rows],
            heads: Vec::with_capacity(rows),
            sorted: Vec::with_capacity(rows),
            at: 0,
            sorter: NumberSorter::new(),
            combine: PhantomData,
        }
    }

    /// Replaces the contents of `out` with the next rows, at most `rows_max`. Returns `false` if there are no
    /// more rows.
    ///
    /// # Errors
    /// Fails if a cursor fails, and with [`Error::SumOverflow`] if a sum would reach 2^64.
    pub(crate) fn next_batch(&mut self, out: &mut Vec<Row<SUMS>>, rows_max: usize) -> Result<bool> {
        out.clear();
        loop {
            while let Some(head) = self.sorted.get(self.at) {
                let row = &self.buffer[*head as usize & SLOT_MASK];
                let rows = out.len();
                match out.last_mut() {
                    Some(last) if last.id == row.id => {
                        if !last.absorb::<C>(row) {
                            return Err(Error::SumOverflow(row.id));
                        }
                    }
                    // A full batch is held back until a row with a new id arrives, because more rows with the
                    // last id may still come.
                    _ if rows == rows_max => return Ok(true),
                    _ => out.push(*row),
                }
                self.at += 1;
            }
            if !self.next_heads()? {
                return Ok(!out.is_empty());
            }
        }
    }

    /// Sorts the heads (see [`SLOT_MASK`]) of the rows that can be merged now. These are the buffered rows
    /// whose ids are smaller than all ids still to be read. Returns `false` if there are no such rows.
    fn next_heads(&mut self) -> Result<bool> {
        self.at = 0;
        // A cursor's next row may have any id greater than that of its last row in the buffer. The buffer is
        // therefore complete up to the smallest of these last ids.
        let mut bound = u128::MAX;
        for (input, buffer) in self.inputs.iter_mut().zip(self.buffer.chunks_exact_mut(self.cursor_rows)) {
            input.top_up(buffer)?;
            if input.more {
                bound = bound.min(buffer[input.to - 1].id);
            }
        }
        let (least, greatest) = self.take_heads(bound);
        self.sorted.resize(self.heads.len(), 0);
        if self.inputs.len() == 1 {
            self.sorted.copy_from_slice(&self.heads);
        } else {
            self.sorter.sort(&self.heads, &mut self.sorted, least, greatest);
        }
        Ok(!self.heads.is_empty())
    }

    /// Replaces the contents of `heads` with the heads of all buffered rows whose ids are at most `bound`,
    /// and marks these rows as taken. Returns the smallest and the largest of their ids.
    fn take_heads(&mut self, bound: u128) -> (u128, u128) {
        let (mut least, mut greatest) = (u128::MAX, 0);
        self.heads.clear();
        for (number, input) in self.inputs.iter_mut().enumerate() {
            let start = number * self.cursor_rows;
            let rows = &self.buffer[start + input.from..start + input.to];
            let count = rows.partition_point(|row| row.id <= bound);
            if let (Some(first), Some(last)) = (rows[..count].first(), rows[..count].last()) {
                least = least.min(first.id);
                greatest = greatest.max(last.id);
            }
            // The lowest 16 bits of an id are payload and so are zero. The index goes there, so that a single
            // number is sorted instead of a pair.
            let slots = start + input.from..;
            self.heads.extend(rows[..count].iter().zip(slots).map(|(row, slot)| row.id | slot as u128));
            input.from += count;
        }
        (least.min(greatest), greatest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Sum;

    struct Rows(std::vec::IntoIter<Row<1>>);

    impl Cursor<1> for Rows {
        fn refill(&mut self, rows: &mut [Row<1>]) -> Result<usize> {
            let read = rows.iter_mut().take(2).zip(&mut self.0).map(|(to, row)| *to = row);
            Ok(read.count())
        }
    }

    fn merger(lists: &[&[(u128, u16, u64)]]) -> Merger<1, Sum> {
        let cursor = |list: &&[(u128, u16, u64)]| {
            let rows = list.iter().map(|(id, note, sum)| Row { id: id << 16, note: *note, sums: [*sum] });
            Box::new(Rows(rows.collect::<Vec<_>>().into_iter())) as Box<dyn Cursor<1>>
        };
        Merger::new(lists.iter().map(cursor).collect())
    }

    #[test]
    fn equal_ids_are_summed_across_batches_and_keep_the_smallest_note() {
        let mut merger = merger(&[&[(1, 5, 1), (2, 9, 1), (3, 1, 1)], &[(2, 7, 10), (3, 1, 1)], &[]]);
        let mut out = Vec::new();
        let mut all = Vec::new();
        while merger.next_batch(&mut out, 1).unwrap() {
            assert_eq!(out.len(), 1);
            all.push((out[0].id >> 16, out[0].note, out[0].sums[0]));
        }
        assert_eq!(all, [(1, 5, 1), (2, 7, 11), (3, 1, 2)]);
    }

    /// Merges the lists, and compares the result with a map of all their rows. Each row counts one.
    fn check(lists: &[Vec<u64>]) {
        let lists: Vec<Vec<(u128, u16, u64)>> = lists
            .iter()
            .map(|list| list.iter().map(|id| (u128::from(*id) << 45, (*id % 7) as u16, 1)).collect())
            .collect();
        let mut expected = std::collections::BTreeMap::new();
        for (id, note, sum) in lists.iter().flatten() {
            expected.entry(id << 16).or_insert((*note, 0)).1 += sum;
        }
        let slices: Vec<_> = lists.iter().map(Vec::as_slice).collect();
        let (mut merger, mut out, mut all) = (merger(&slices), Vec::new(), Vec::new());
        while merger.next_batch(&mut out, 100).unwrap() {
            all.extend(out.iter().map(|row| (row.id, (row.note, row.sums[0]))));
        }
        assert!(all.iter().copied().eq(expected));
    }

    /// A list of ids for each source. Every second id may also be in the lists of other sources; the rest are
    /// in one list only. The greater `spread`, the closer together the ids are.
    fn lists(seed: u64, sources: u64, rows: u64, spread: u32) -> Vec<Vec<u64>> {
        let id = |number: u64| (number ^ seed).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> spread;
        let list = |source: u64| {
            let rows = if source.is_multiple_of(5) { 3 * rows } else { source % (rows + 1) };
            let own = source << 40;
            let mut list: Vec<u64> =
                (0..rows).map(|row| id(if row % 2 == 0 { row } else { own + row })).collect();
            list.sort_unstable();
            list.dedup();
            list
        };
        (0..sources).map(list).collect()
    }

    #[test]
    fn as_many_cursors_as_there_can_be() {
        check(&lists(1, CURSORS_MAX as u64, 20, 10));
        check(&lists(1, CURSORS_EASY as u64 + 1, 70, 10));
        check(&lists(1, 1, 5000, 10));
        check(&[]);
    }

    #[test]
    fn cursors_that_follow_each_other() {
        check(&(0..50).map(|source| (source * 1000..source * 1000 + 999).collect()).collect::<Vec<_>>());
    }

    proptest::proptest! {
        #![proptest_config(proptest::prelude::ProptestConfig::with_cases(64))]

        #[test]
        fn prop_equals_a_map(seed: u64, sources in 0u64..70, rows in 0u64..700, spread in 0u32..64) {
            check(&lists(seed, sources, rows, spread));
        }
    }

    #[test]
    fn a_sum_past_64_bits_is_an_error() {
        let mut merger = merger(&[&[(4, 0, u64::MAX)], &[(4, 0, 1)]]);
        let error = merger.next_batch(&mut Vec::new(), 8).unwrap_err();
        assert!(matches!(error, Error::SumOverflow(id) if id == 4 << 16));
    }
}
