//! Checks all of a table.

use std::{path::Path, sync::atomic::AtomicBool};

use position::Tally;

use crate::{
    Error, Examples, Fingerprints, RatingSums, Result, Row, ShardInfo, Table,
    parallel::{check_stop, for_each_shard},
};

/// Totals of what was read while a table was checked.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Verification {
    /// Part files.
    pub shards: u64,
    /// Rows decoded.
    pub rows: u64,
    /// Bytes of the part files.
    pub bytes: u64,
    /// The sum over all rows by outcome: moves played and games ended.
    pub tally: Tally,
    /// The sums of the rows' ratings; [`RatingSums::NONE`] in a table without ratings.
    pub ratings: RatingSums,
}

impl Table {
    /// Reads every byte and every row: checksums, decoding, order, key ranges, row counts and sums. Any
    /// flipped bit in any file is found, here or by [`open`](Self::open).
    ///
    /// `progress` is called with the bytes read, by any thread; once `stop` is set, no further part is begun.
    ///
    /// # Errors
    ///
    /// Fails with the first fault of the first faulty part, by index; with [`Error::Stopped`] once `stop` is
    /// set.
    pub fn verify(
        &self,
        threads: usize,
        stop: &AtomicBool,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Verification> {
        let shards = self.shards().len() as u32;
        let parts = for_each_shard(
            threads,
            shards,
            || check_stop(stop),
            |_| false,
            |shard| {
                let info = &self.shards()[shard as usize];
                let path = self.path().join(&info.part);
                self.check_part(shard, progress)?;
                if let Some((roots, entry)) = self.roots(shard)?.zip(info.roots.as_ref()) {
                    roots.check((info.first, info.last), entry)?;
                }
                self.check_rows(shard, info, &path)
            },
        )?;
        let mut verified = Verification { shards: u64::from(shards), ..Verification::default() };
        for (info, sums) in self.shards().iter().zip(parts) {
            verified.rows += info.rows;
            verified.bytes += info.bytes;
            verified.tally += sums.tally;
            verified.ratings += sums.ratings;
        }
        self.fingerprints()?.map_or(Ok(()), Fingerprints::check_order)?;
        self.examples()?.map_or(Ok(()), Examples::check)?;
        expect(self.path(), "rows of all parts", self.manifest().rows, verified.rows)?;
        Ok(verified)
    }

    fn check_rows(&self, shard: u32, info: &ShardInfo, path: &Path) -> Result<Sums> {
        let (mut rows, mut batch) = (self.shard_rows(shard)?, Vec::new());
        let (mut count, mut sums) = (0, Sums::default());
        while rows.next_batch(&mut batch)? {
            count += batch.len() as u64;
            for row in &batch {
                let more = sums.checked_add(row);
                sums = more.ok_or(Error::CountTooLarge { key: row.key, mv: row.mv })?;
            }
        }
        expect(path, "rows", info.rows, count)?;
        sums.check(info, path)?;
        Ok(sums)
    }
}

/// The sums over the rows of a part.
#[derive(Clone, Copy, Default)]
struct Sums {
    tally: Tally,
    ratings: RatingSums,
}

impl Sums {
    fn checked_add(self, row: &Row) -> Option<Self> {
        Some(Self {
            tally: self.tally.checked_add(row.tally)?,
            ratings: self.ratings.checked_add(row.ratings)?,
        })
    }

    /// Compares the sums with those of the manifest.
    fn check(&self, info: &ShardInfo, path: &Path) -> Result<()> {
        let ratings = info.ratings.unwrap_or_default();
        [
            ("sum of white", info.tally.white, self.tally.white),
            ("sum of draws", info.tally.draws, self.tally.draws),
            ("sum of black", info.tally.black, self.tally.black),
            ("sum of mover_elo_sum", ratings.mover_elo, self.ratings.mover_elo),
            ("sum of opponent_elo_sum", ratings.opponent_elo, self.ratings.opponent_elo),
            ("sum of rated_games", ratings.rated_games, self.ratings.rated_games),
        ]
        .into_iter()
        .try_for_each(|(what, expected, got)| expect(path, what, expected, got))
    }
}

fn expect(path: &Path, what: &'static str, expected: u64, got: u64) -> Result<()> {
    if expected == got {
        return Ok(());
    }
    Err(Error::Mismatch { path: path.to_owned(), what, expected: expected.to_string(), got: got.to_string() })
}
