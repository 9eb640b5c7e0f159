//! Sorted candidates, group by group.

use extsort::{BucketRows, Least, Row, Sorted};

use super::candidate::{Candidate, WORDS};
use crate::Result;

/// Games of a group at which those that are known to be copies leave it.
const GROUP_GAMES_MAX: usize = 1 << 17;

/// The groups of a bucket, one after another.
///
/// # Memory
///
/// A hundred bytes for each game of a group that stays.
pub(super) struct Groups {
    rows: BucketRows<WORDS, Least>,
    batch: Vec<Row<WORDS>>,
    at: usize,
    /// The games of the group that was read last.
    pub(super) group: Vec<Candidate>,
}

impl Groups {
    pub(super) fn open(sorted: &Sorted<WORDS, Least>, bucket: u32) -> Result<Self> {
        Ok(Self { rows: sorted.bucket(bucket)?, batch: Vec::new(), at: 0, group: Vec::new() })
    }

    /// Reads the next group; `false` at the end. A group that becomes large is given to `thin` before all of
    /// it is read, which may take games out of it.
    pub(super) fn next(&mut self, mut thin: impl FnMut(&mut Vec<Candidate>) -> Result<()>) -> Result<bool> {
        self.group.clear();
        let mut games_max = GROUP_GAMES_MAX;
        while let Some(candidate) = self.peek()? {
            if self.group.first().is_some_and(|first| first.group != candidate.group) {
                break;
            }
            self.group.push(candidate);
            self.at += 1;
            if self.group.len() == games_max {
                thin(&mut self.group)?;
                games_max = games_max.max(2 * self.group.len());
            }
        }
        Ok(!self.group.is_empty())
    }

    /// The first game of the next group.
    pub(super) fn peek(&mut self) -> Result<Option<Candidate>> {
        if self.at == self.batch.len() {
            self.at = 0;
            self.rows.next_batch(&mut self.batch)?;
        }
        Ok(self.batch.get(self.at).map(Candidate::of_row))
    }
}
