//! Checks all of a table.

use std::{
    fs::File,
    io::{self, Read},
    path::Path,
    sync::atomic::AtomicBool,
};

use position::Tally;
use xxhash_rust::xxh3::Xxh3Default;

use crate::{
    Error, Result, ShardInfo, Table, hex,
    parallel::{check_cancel, for_each_shard},
};

/// What was read while a table was checked.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Verified {
    /// Part files.
    pub shards: u64,
    /// Rows decoded.
    pub rows: u64,
    /// Bytes of the part files.
    pub bytes: u64,
    /// Sums over all rows: moves played and games ended, by outcome.
    pub tally: Tally,
}

impl Table {
    /// Reads every byte and every row: checksums, decoding, order, key ranges, row counts and sums. Any flipped bit of any file
    /// is found, here or by [`open`](Self::open).
    ///
    /// `progress` is told of bytes read, by any thread; setting `cancel` stops.
    ///
    /// # Errors
    ///
    /// The first thing that is wrong in the first part, by number, that is.
    pub fn verify(
        &self,
        threads: usize,
        cancel: &AtomicBool,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Verified> {
        let shards = self.shards().len() as u32;
        let parts = for_each_shard(
            threads,
            shards,
            || check_cancel(cancel),
            |shard| {
                let info = &self.shards()[shard as usize];
                let path = self.path().join(&info.part);
                self.check_part(shard, progress)?;
                self.check_rows(shard, info, &path)
            },
        )?;
        let mut verified = Verified { shards: u64::from(shards), ..Verified::default() };
        for (info, tally) in self.shards().iter().zip(parts) {
            verified.rows += info.rows;
            verified.bytes += info.bytes;
            verified.tally += tally;
        }
        expect(self.path(), "rows of all parts", self.manifest().rows, verified.rows)?;
        Ok(verified)
    }

    fn check_rows(&self, shard: u32, info: &ShardInfo, path: &Path) -> Result<Tally> {
        let (mut rows, mut batch) = (self.shard_rows(shard)?, Vec::new());
        let (mut count, mut sum) = (0, Tally::default());
        while rows.next_batch(&mut batch)? {
            count += batch.len() as u64;
            for row in &batch {
                let added = sum.checked_add(row.tally);
                sum = added.ok_or(Error::CountTooLarge { key: row.key, mv: row.mv })?;
            }
        }
        expect(path, "rows", info.rows, count)?;
        for (what, expected, got) in [
            ("sum of white", info.tally.white, sum.white),
            ("sum of draws", info.tally.draws, sum.draws),
            ("sum of black", info.tally.black, sum.black),
        ] {
            expect(path, what, expected, got)?;
        }
        Ok(sum)
    }
}

/// Checks a part's length and checksum.
pub(crate) fn check_bytes(info: &ShardInfo, path: &Path, progress: &(dyn Fn(u64) + Sync)) -> Result<()> {
    let (bytes, xxh3) = digest(path, progress).map_err(Error::io(path))?;
    if bytes != info.bytes {
        return Err(Error::Length { path: path.to_owned(), expected: info.bytes, got: bytes });
    }
    if xxh3 != info.xxh3 {
        return Err(Error::Checksum { path: path.to_owned(), expected: info.xxh3.clone(), got: xxh3 });
    }
    Ok(())
}

fn digest(path: &Path, progress: &(dyn Fn(u64) + Sync)) -> io::Result<(u64, String)> {
    let (mut file, mut buffer) = (File::open(path)?, vec![0; 1 << 18]);
    let (mut hash, mut bytes) = (Xxh3Default::new(), 0);
    loop {
        match file.read(&mut buffer) {
            Ok(0) => return Ok((bytes, hex::digits(hash.digest()))),
            Ok(read) => {
                hash.update(&buffer[..read]);
                bytes += read as u64;
                progress(read as u64);
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

fn expect(path: &Path, what: &'static str, expected: u64, got: u64) -> Result<()> {
    if expected == got {
        return Ok(());
    }
    Err(Error::Mismatch { path: path.to_owned(), what, expected: expected.to_string(), got: got.to_string() })
}
