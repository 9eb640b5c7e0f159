//! Records how much of its inputs an interrupted run has read, so that another run can continue from there.

use std::{collections::BTreeMap, ops::Range};

/// The part of one input that was read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InputDone {
    /// The hashes of the input's first blocks. In a plain file these blocks are not read again.
    pub blocks: Vec<u64>,
    /// For each part, the ranges of text whose games have been counted: the
    /// [spans](crate::input::Chunk::span) of its chunks.
    pub parts: BTreeMap<u32, Spans>,
}

/// Ranges of the text that neither overlap nor touch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Spans {
    /// Maps the start of each range to its end.
    ends: BTreeMap<u64, u64>,
}

impl Spans {
    /// Adds a range that overlaps none of the others; ranges that touch become one.
    pub fn insert(&mut self, span: Range<u64>) {
        let (mut start, mut end) = (span.start, span.end);
        if let Some((&before, &touching)) = self.ends.range(..=start).next_back()
            && touching >= start
        {
            (start, end) = (before, end.max(touching));
        }
        if let Some(after) = self.ends.remove(&end) {
            end = after;
        }
        self.ends.insert(start, end);
    }

    /// The ranges, in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = Range<u64>> + '_ {
        self.ends.iter().map(|(&start, &end)| start..end)
    }

    /// Whether the byte at `offset` is in a range.
    #[must_use]
    pub fn contains(&self, offset: u64) -> bool {
        self.ends.range(..=offset).next_back().is_some_and(|(_, &end)| offset < end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_that_touch_become_one_in_any_order() {
        let spans = [0..3, 3..5, 5..9, 12..14, 20..21];
        for first in 0..spans.len() {
            let mut all = Spans::default();
            (0..spans.len()).for_each(|at| all.insert(spans[(first + at * 2) % spans.len()].clone()));
            assert_eq!(all.iter().collect::<Vec<_>>(), [0..9, 12..14, 20..21]);
            assert!(all.contains(0) && all.contains(8) && all.contains(13));
            assert!(!all.contains(9) && !all.contains(14) && !all.contains(21));
        }
    }
}
