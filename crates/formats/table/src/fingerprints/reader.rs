//! Reads fingerprints.

use std::{
    io::Read as _,
    path::{Path, PathBuf},
    sync::Arc,
};

use position::{Fingerprint, Players};

use super::FingerprintsInfo;
use crate::{Error, Result, file_bytes::FileBytes, hash::check_whole};

/// The number of fingerprints that are read at a time.
const BATCH: usize = 4096;

/// The fingerprints of a table's games, in ascending order.
///
/// # Memory
///
/// 96 KiB.
pub struct Fingerprints {
    path: PathBuf,
    bytes: Arc<FileBytes>,
    count: u64,
    /// The index of the first fingerprint that has not been read yet.
    next: u64,
    batch: Vec<u8>,
    /// How many bytes of the batch have been returned.
    given: usize,
}

impl Fingerprints {
    /// Checks the length and the checksum of the whole file, and starts at its first fingerprint.
    pub(crate) fn open(file: Arc<FileBytes>, path: &Path, info: &FingerprintsInfo) -> Result<Self> {
        let bytes = info.fingerprints.saturating_mul(Fingerprint::BYTES as u64);
        check_whole(&file, path, (bytes, &info.xxh3), &|_| ())?;
        let path = path.to_owned();
        Ok(Self { path, bytes: file, count: info.fingerprints, next: 0, batch: Vec::new(), given: 0 })
    }

    /// The same fingerprints, starting with the first one whose game number is at least `game`. The file is
    /// not checked a second time.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read.
    pub fn from_game(&self, game: u64) -> Result<Self> {
        let (mut low, mut high) = (0, self.count);
        while low < high {
            let middle = low + (high - low) / 2;
            let mut bytes = [0; 8];
            self.read_at(middle, &mut bytes)?;
            if u64::from_le_bytes(bytes) < game { low = middle + 1 } else { high = middle }
        }
        let (path, bytes, count) = (self.path.clone(), Arc::clone(&self.bytes), self.count);
        Ok(Self { path, bytes, count, next: low, batch: Vec::new(), given: 0 })
    }

    /// The next fingerprint, if there is one.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read.
    pub fn read(&mut self) -> Result<Option<Fingerprint>> {
        let next = self.peek()?;
        self.given += Fingerprint::BYTES * usize::from(next.is_some());
        Ok(next)
    }

    /// The fingerprint that [`read`](Self::read) will return next.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read.
    pub fn peek(&mut self) -> Result<Option<Fingerprint>> {
        if self.given == self.batch.len() {
            let count = (self.count - self.next).min(BATCH as u64);
            let mut batch = std::mem::take(&mut self.batch);
            batch.resize(count as usize * Fingerprint::BYTES, 0);
            self.read_at(self.next, &mut batch)?;
            (self.batch, self.given, self.next) = (batch, 0, self.next + count);
        }
        Ok(self.batch[self.given..].first_chunk().map(Fingerprint::of_bytes))
    }

    /// Reads all fingerprints up to and including game number `game`, and adds the players of the games with
    /// exactly that number to `found`.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read.
    pub fn of_game(&mut self, game: u64, found: &mut Vec<Players>) -> Result<()> {
        while let Some(fingerprint) = self.peek()?.filter(|next| next.game <= game) {
            self.read()?;
            if fingerprint.game == game {
                found.push(fingerprint.players);
            }
        }
        Ok(())
    }

    /// Reads all remaining fingerprints; fails if they are not in ascending order.
    pub(crate) fn check_order(mut self) -> Result<()> {
        let mut last = Fingerprint::default();
        while let Some(next) = self.read()? {
            if next < last {
                let what = "the fingerprints do not ascend".to_owned();
                return Err(Error::Manifest { path: self.path, what });
            }
            last = next;
        }
        Ok(())
    }

    fn read_at(&self, index: u64, bytes: &mut [u8]) -> Result<()> {
        let at = index * Fingerprint::BYTES as u64;
        self.bytes.read_from(at).read_exact(bytes).map_err(Error::io(&self.path))
    }
}
