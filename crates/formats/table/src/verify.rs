//! Verifies a whole table.

use std::{path::Path, sync::atomic::AtomicBool};

use position::Tally;

use crate::{Error, Examples, Fingerprints, RatingSums, Result, Table, parallel::for_each_part};

/// Totals of everything that was read while checking a table.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Verification {
    /// The number of part files.
    pub shards: u64,
    /// The number of rows decoded.
    pub rows: u64,
    /// The total size of the part files in bytes.
    pub bytes: u64,
    /// The sum of the tallies of all rows. Terminal visits are included, so the sum counts ends of games as
    /// well as moves.
    pub tally: Tally,
    /// The sums of the rows' ratings; [`RatingSums::NONE`] in a table without ratings.
    pub ratings: RatingSums,
}

impl Table {
    /// Reads every byte and every row, and checks checksums, decoding, order, key ranges, row counts and
    /// sums. Any flipped bit in any file is found, either here or by [`open`](Self::open).
    ///
    /// Each thread calls `progress` after each of its reads, with the number of bytes read. Once `stop` is
    /// set, no further part is started.
    ///
    /// # Errors
    ///
    /// Fails with the first fault in the first faulty part (by index), or with [`Error::Stopped`] once `stop`
    /// is set.
    pub fn verify(
        &self,
        threads: usize,
        stop: &AtomicBool,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Verification> {
        let shards = self.shards().len() as u32;
        for_each_part(threads, shards, stop, |shard| self.verify_part(shard, progress))?;
        let mut verified = Verification { shards: u64::from(shards), ..Verification::default() };
        for info in self.shards() {
            verified.rows += info.rows;
            verified.bytes += info.bytes;
            verified.tally += info.tally;
            verified.ratings += info.ratings.unwrap_or_default();
        }
        self.fingerprints()?.map_or(Ok(()), Fingerprints::check_order)?;
        self.examples()?.map_or(Ok(()), Examples::check)?;
        expect(self.path(), "rows of all parts", self.manifest().rows, verified.rows)?;
        Ok(verified)
    }

    fn verify_part(&self, shard: u32, progress: &(dyn Fn(u64) + Sync)) -> Result<()> {
        let info = &self.shards()[shard as usize];
        self.check_part(shard, progress)?;
        if let Some((roots, entry)) = self.roots(shard)?.zip(info.roots.as_ref()) {
            roots.check((info.first, info.last), entry)?;
        }
        let (mut rows, mut batch) = (self.shard_rows(shard)?, Vec::new());
        let (mut count, mut tally, mut ratings) = (0, Tally::default(), RatingSums::default());
        while rows.next_batch(&mut batch)? {
            count += batch.len() as u64;
            for row in &batch {
                let sums = tally.checked_add(row.tally).zip(ratings.checked_add(row.ratings));
                (tally, ratings) = sums.ok_or(Error::CountTooLarge { key: row.key, mv: row.mv })?;
            }
        }
        let (path, listed) = (self.path().join(&info.part), info.ratings.unwrap_or_default());
        [
            ("rows", info.rows, count),
            ("sum of white", info.tally.white, tally.white),
            ("sum of draws", info.tally.draws, tally.draws),
            ("sum of black", info.tally.black, tally.black),
            ("sum of mover_elo_sum", listed.mover_elo, ratings.mover_elo),
            ("sum of opponent_elo_sum", listed.opponent_elo, ratings.opponent_elo),
            ("sum of rated_games", listed.rated_games, ratings.rated_games),
        ]
        .into_iter()
        .try_for_each(|(what, expected, got)| expect(&path, what, expected, got))
    }
}

fn expect(path: &Path, what: &'static str, expected: u64, got: u64) -> Result<()> {
    if expected == got {
        return Ok(());
    }
    Err(Error::Mismatch { path: path.to_owned(), what, expected: expected.to_string(), got: got.to_string() })
}
