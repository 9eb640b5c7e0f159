//! Reads sorted candidates, one group at a time.

use extsort::{BucketRows, Least, Row, Sorted};
use run::Result;

use super::candidate::{Candidate, WORDS};

/// Once this many games of a group are in memory, they are offered to `take`.
const GROUP_GAMES_MAX: usize = 1 << 15;

/// Reads the groups in a bucket, one after another.
///
/// # Memory
///
/// Uses a hundred bytes for each game of the current group that `take` has not moved out of the group.
pub(super) struct GroupReader {
    rows: BucketRows<WORDS, Least>,
    batch: Vec<Row<WORDS>>,
    at: usize,
    /// The games of the group that was read last.
    pub(super) group: Vec<Candidate>,
}

impl GroupReader {
    pub(super) fn open(sorted: &Sorted<WORDS, Least>, bucket: u32) -> Result<Self> {
        Ok(Self::new(sorted.bucket(bucket)?))
    }

    pub(super) fn new(rows: BucketRows<WORDS, Least>) -> Self {
        Self { rows, batch: Vec::new(), at: 0, group: Vec::new() }
    }

    /// Reads the next group; returns `false` if there is none. While a large group is being read, `take` is
    /// called with the games read so far, and may move them out of the group.
    pub(super) fn next(&mut self, mut take: impl FnMut(&mut Vec<Candidate>) -> Result<()>) -> Result<bool> {
        self.group.clear();
        let first = self.peek()?.map(|first| first.group);
        let mut games_max = GROUP_GAMES_MAX;
        while let Some(candidate) = self.peek()? {
            if first != Some(candidate.group) {
                break;
            }
            self.group.push(candidate);
            self.at += 1;
            if self.group.len() == games_max {
                take(&mut self.group)?;
                games_max = games_max.max(2 * self.group.len());
            }
        }
        Ok(first.is_some())
    }

    /// The next game, no matter which group it belongs to.
    pub(super) fn next_game(&mut self) -> Result<Option<Candidate>> {
        let game = self.peek()?;
        self.at += usize::from(game.is_some());
        Ok(game)
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
