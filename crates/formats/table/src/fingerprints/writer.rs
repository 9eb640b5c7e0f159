//! Writes fingerprints.

use std::{
    fs::File,
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
};

use position::Fingerprint;
use xxhash_rust::xxh3::Xxh3Default;

use super::{FINGERPRINTS_NAME, FingerprintsInfo};
use crate::{Error, Result, hex};

/// Writes the fingerprints of a table's games.
pub struct FingerprintsWriter {
    path: PathBuf,
    file: BufWriter<HashedFile>,
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
        let file = File::create_new(&path).map_err(Error::io(&path))?;
        let file = BufWriter::new(HashedFile { file, hash: Xxh3Default::new() });
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
        let file = file.into_inner().map_err(|error| Error::io(&path)(error.into_error()))?;
        let HashedFile { file, hash } = file;
        file.sync_all().map_err(Error::io(&path))?;
        let xxh3 = hex::digits(hash.digest());
        Ok(FingerprintsInfo { dedup_games: dedup_games.to_owned(), fingerprints, xxh3 })
    }
}

/// A file, and the hash of the bytes written to it. Behind a buffer, many fingerprints are hashed at a time.
struct HashedFile {
    file: File,
    hash: Xxh3Default,
}

impl Write for HashedFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.file.write(bytes)?;
        self.hash.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}
