//! Writes fingerprints.

use std::{
    fs::File,
    io::Write,
    path::{Path, PathBuf},
};

use position::Fingerprint;

use super::{FINGERPRINTS_NAME, FingerprintsInfo};
use crate::{Error, Result, sink::Sink};

/// Writes the fingerprints of a table's games.
pub struct FingerprintsWriter {
    path: PathBuf,
    file: Sink,
    fingerprints: u64,
    last: Fingerprint,
}

impl FingerprintsWriter {
    /// Creates the file `_fingerprints` in a folder.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be created.
    pub fn create(folder: &Path) -> Result<Self> {
        let path = folder.join(FINGERPRINTS_NAME);
        let file = Sink::new(File::create_new(&path).map_err(Error::io(&path))?);
        Ok(Self { path, file, fingerprints: 0, last: Fingerprint::default() })
    }

    /// Adds a game.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be written.
    ///
    /// # Panics
    ///
    /// Panics if the fingerprints are not in ascending order.
    pub fn push(&mut self, fingerprint: Fingerprint) -> Result<()> {
        assert!(self.last <= fingerprint, "fingerprints ascend");
        self.last = fingerprint;
        self.fingerprints += 1;
        self.file.write_all(&fingerprint.to_bytes()).map_err(Error::io(&self.path))
    }

    /// Waits until the file has been synced to disk, and returns its entry for the manifest; `dedup_games`
    /// says which copies were left out of the table.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be written.
    pub fn finish(self, dedup_games: &str) -> Result<FingerprintsInfo> {
        let Self { path, file, fingerprints, .. } = self;
        let (file, _, xxh3) = file.finish().map_err(Error::io(&path))?;
        file.sync_all().map_err(Error::io(&path))?;
        Ok(FingerprintsInfo { dedup_games: dedup_games.to_owned(), fingerprints, xxh3 })
    }
}
