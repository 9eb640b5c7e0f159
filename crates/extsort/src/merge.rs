//! Many sorted sources into one, equal ids summed.
//!
//! There is no tournament between the sources. Each has some decoded rows on a desk; all rows up to the
//! first id that some source may still hold back are sorted at once, by radix, which costs the same for
//! two sources as for two thousand.

use crate::radix::NumberSorter;
use crate::{Error, Result, Row};

/// Rows of ascending ids, some at a time.
pub(crate) trait Source<const LANES: usize>: Send {
    /// Fills the front of `rows`, which is not empty, with the next rows; how many, 0 at the end.
    fn refill(&mut self, rows: &mut [Row<LANES>]) -> Result<usize>;
}

/// The most sources a merge can have: every one has some of the 65,536 rows that 16 bits tell apart.
pub(crate) const SOURCES_MAX: usize = (SLOT_MASK + 1) / LANE_ROWS_MIN;

const SLOT_MASK: usize = 0xffff;
/// The fewest rows of a source on the desk.
const LANE_ROWS_MIN: usize = 64;
/// The most rows of a source on the desk.
const LANE_ROWS_MAX: usize = 256;
/// The most rows that come out of a merge at a time.
pub(crate) const BATCH_ROWS: usize = 1024;

/// Rows on the desk, unless there are so many sources that it takes more: they fit the L2 cache.
const DESK_ROWS: usize = 1 << 13;

/// So many sources and more take the whole desk.
pub(crate) const DESK_SOURCES: usize = DESK_ROWS / LANE_ROWS_MAX;

/// The rows of each of so many sources that are on the desk.
const fn lane_rows(sources: usize) -> usize {
    let rows = DESK_ROWS / if sources == 0 { 1 } else { sources };
    if rows >= LANE_ROWS_MAX {
        LANE_ROWS_MAX
    } else if rows <= LANE_ROWS_MIN {
        LANE_ROWS_MIN
    } else {
        rows
    }
}

/// What a merge of so many sources holds beside what they hold themselves.
pub(crate) const fn desk_bytes<const LANES: usize>(sources: usize) -> usize {
    let rows = sources * lane_rows(sources);
    // A row, its head, and its head sorted.
    rows * (size_of::<Row<LANES>>() + 2 * size_of::<u128>()) + NumberSorter::MEMORY_BYTES
}

/// A source and which of its rows on the desk are not merged yet.
struct Lane<const LANES: usize> {
    from: usize,
    to: usize,
    /// Whether the source has more rows than those on the desk.
    more: bool,
    source: Box<dyn Source<LANES>>,
}

impl<const LANES: usize> Lane<LANES> {
    /// Fills the lane's part of the desk again if less than half of it is left.
    fn top_up(&mut self, desk: &mut [Row<LANES>]) -> Result<()> {
        if !self.more || self.to - self.from > desk.len() / 2 {
            return Ok(());
        }
        desk.copy_within(self.from..self.to, 0);
        (self.from, self.to) = (0, self.to - self.from);
        while self.more && self.to < desk.len() {
            let count = self.source.refill(&mut desk[self.to..])?;
            self.to += count;
            self.more = count > 0;
        }
        Ok(())
    }
}

/// Merges sources.
///
/// # Memory
/// [`desk_bytes`], and what each source itself buffers.
pub(crate) struct Merger<const LANES: usize> {
    lanes: Vec<Lane<LANES>>,
    lane_rows: usize,
    /// So many rows of every lane, one lane after the other.
    desk: Vec<Row<LANES>>,
    /// The ids of the rows being merged, each with its place on the desk in its lowest 16 bits.
    heads: Vec<u128>,
    sorted: Vec<u128>,
    /// How many of the sorted are merged.
    at: usize,
    sorter: NumberSorter,
}

impl<const LANES: usize> Merger<LANES> {
    pub(crate) fn new(sources: Vec<Box<dyn Source<LANES>>>) -> Self {
        assert!(sources.len() <= SOURCES_MAX, "a merge has at most {SOURCES_MAX} sources");
        let lane_rows = lane_rows(sources.len());
        let rows = sources.len() * lane_rows;
        let lane = |source| Lane { from: 0, to: 0, more: true, source };
        Self {
            lanes: sources.into_iter().map(lane).collect(),
            lane_rows,
            desk: vec![Row::EMPTY; rows],
            heads: Vec::with_capacity(rows),
            sorted: Vec::with_capacity(rows),
            at: 0,
            sorter: NumberSorter::new(),
        }
    }

    /// Replaces `out` by the next rows, at most `rows_max` of them; `false` if there are none.
    ///
    /// # Errors
    /// Those of the sources, and [`Error::SumOverflow`].
    pub(crate) fn next_batch(&mut self, out: &mut Vec<Row<LANES>>, rows_max: usize) -> Result<bool> {
        out.clear();
        loop {
            while let Some(head) = self.sorted.get(self.at) {
                let row = &self.desk[*head as usize & SLOT_MASK];
                let rows = out.len();
                match out.last_mut() {
                    Some(last) if last.id == row.id => {
                        if !last.absorb(row) {
                            return Err(Error::SumOverflow { id: row.id });
                        }
                    }
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

    /// Sorts the heads of all rows that no source can come before any more; `false` if there are none.
    fn next_heads(&mut self) -> Result<bool> {
        self.at = 0;
        let mut bound = u128::MAX;
        for (lane, desk) in self.lanes.iter_mut().zip(self.desk.chunks_exact_mut(self.lane_rows)) {
            lane.top_up(desk)?;
            if lane.more {
                bound = bound.min(desk[lane.to - 1].id);
            }
        }
        let (least, greatest) = self.take_heads(bound);
        self.sorted.resize(self.heads.len(), 0);
        if self.lanes.len() == 1 {
            self.sorted.copy_from_slice(&self.heads);
        } else {
            self.sorter.sort(&self.heads, &mut self.sorted, least, greatest);
        }
        Ok(!self.heads.is_empty())
    }

    /// Takes the heads of all rows up to `bound`; the least id and the greatest.
    fn take_heads(&mut self, bound: u128) -> (u128, u128) {
        let (mut least, mut greatest) = (u128::MAX, 0);
        self.heads.clear();
        for (number, lane) in self.lanes.iter_mut().enumerate() {
            let start = number * self.lane_rows;
            let rows = &self.desk[start + lane.from..start + lane.to];
            let count = rows.partition_point(|row| row.id <= bound);
            if let (Some(first), Some(last)) = (rows[..count].first(), rows[..count].last()) {
                least = least.min(first.id);
                greatest = greatest.max(last.id);
            }
            let slots = start + lane.from..;
            self.heads.extend(rows[..count].iter().zip(slots).map(|(row, slot)| row.id | slot as u128));
            lane.from += count;
        }
        (least.min(greatest), greatest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Rows(std::vec::IntoIter<Row<1>>);

    impl Source<1> for Rows {
        fn refill(&mut self, rows: &mut [Row<1>]) -> Result<usize> {
            let read = rows.iter_mut().take(2).zip(&mut self.0).map(|(to, row)| *to = row);
            Ok(read.count())
        }
    }

    fn merger(lists: &[&[(u128, u16, u64)]]) -> Merger<1> {
        let source = |list: &&[(u128, u16, u64)]| {
            let rows = list.iter().map(|(id, note, sum)| Row { id: id << 16, note: *note, sums: [*sum] });
            Box::new(Rows(rows.collect::<Vec<_>>().into_iter())) as Box<dyn Source<1>>
        };
        Merger::new(lists.iter().map(source).collect())
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

    /// Merges the lists and compares with a sort of them all; every row counts one.
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

    /// Spread evenly or crowded, shared or one source's alone.
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
    fn as_many_sources_as_there_can_be() {
        check(&lists(1, SOURCES_MAX as u64, 20, 10));
        check(&lists(1, 1, 5000, 10));
        check(&[]);
    }

    #[test]
    fn sources_that_follow_each_other() {
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
        assert!(matches!(error, Error::SumOverflow { id } if id == 4 << 16));
    }
}
