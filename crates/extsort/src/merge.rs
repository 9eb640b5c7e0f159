//! Many sorted sources into one, equal ids summed.

use crate::loser_tree::{EXHAUSTED, LoserTree, head, source_of};
use crate::{Error, Result, Row};

/// Rows of ascending ids, a batch at a time.
pub(crate) trait Source<const LANES: usize>: Send {
    /// Replaces `batch` by the next rows, by none at the end.
    fn refill(&mut self, batch: &mut Vec<Row<LANES>>) -> Result<()>;
}

/// A source and the rows read from it that are not merged yet.
struct Lane<const LANES: usize> {
    batch: Vec<Row<LANES>>,
    at: usize,
    source: Box<dyn Source<LANES>>,
}

impl<const LANES: usize> Lane<LANES> {
    /// The id of the next row, tagged with the lane's number.
    #[inline]
    fn head(&mut self, tag: usize) -> Result<u128> {
        if self.at == self.batch.len() {
            self.source.refill(&mut self.batch)?;
            self.at = 0;
        }
        Ok(self.batch.get(self.at).map_or(EXHAUSTED, |row| head(row.id, tag)))
    }
}

/// Merges sources through a loser tree.
///
/// # Memory
/// A batch of rows for each source, and what the source itself buffers.
pub(crate) struct Merger<const LANES: usize> {
    lanes: Vec<Lane<LANES>>,
    tree: LoserTree,
}

impl<const LANES: usize> Merger<LANES> {
    /// Reads the first batch of every source.
    pub(crate) fn new(sources: Vec<Box<dyn Source<LANES>>>) -> Result<Self> {
        let mut lanes: Vec<Lane<LANES>> =
            sources.into_iter().map(|source| Lane { batch: Vec::new(), at: 0, source }).collect();
        let heads: Result<Vec<u128>> =
            lanes.iter_mut().enumerate().map(|(tag, lane)| lane.head(tag)).collect();
        Ok(Self { tree: LoserTree::new(&heads?), lanes })
    }

    /// Replaces `out` by the next rows, at most `rows_max` of them; `false` if there are none.
    ///
    /// # Errors
    /// Those of the sources, and [`Error::SumOverflow`].
    pub(crate) fn next_batch(&mut self, out: &mut Vec<Row<LANES>>, rows_max: usize) -> Result<bool> {
        out.clear();
        while self.tree.winner() != EXHAUSTED {
            let tag = source_of(self.tree.winner());
            let lane = &mut self.lanes[tag];
            let row = &lane.batch[lane.at];
            let rows = out.len();
            match out.last_mut() {
                Some(last) if last.id == row.id => {
                    if !last.absorb(row) {
                        return Err(Error::SumOverflow { id: row.id });
                    }
                }
                _ if rows == rows_max => break,
                _ => out.push(*row),
            }
            lane.at += 1;
            let head = lane.head(tag)?;
            self.tree.replace(tag, head);
        }
        Ok(!out.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Rows(std::vec::IntoIter<Row<1>>);

    impl Source<1> for Rows {
        fn refill(&mut self, batch: &mut Vec<Row<1>>) -> Result<()> {
            batch.clear();
            batch.extend(self.0.by_ref().take(2));
            Ok(())
        }
    }

    fn merger(lists: &[&[(u128, u16, u64)]]) -> Merger<1> {
        let source = |list: &&[(u128, u16, u64)]| {
            let rows = list.iter().map(|(id, note, sum)| Row { id: id << 16, note: *note, sums: [*sum] });
            Box::new(Rows(rows.collect::<Vec<_>>().into_iter())) as Box<dyn Source<1>>
        };
        Merger::new(lists.iter().map(source).collect()).unwrap()
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

    #[test]
    fn a_sum_past_64_bits_is_an_error() {
        let mut merger = merger(&[&[(4, 0, u64::MAX)], &[(4, 0, 1)]]);
        let error = merger.next_batch(&mut Vec::new(), 8).unwrap_err();
        assert!(matches!(error, Error::SumOverflow { id } if id == 4 << 16));
    }
}
