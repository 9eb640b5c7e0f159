//! A file that was read whole: another program's book, which is small.

use std::{
    fs,
    ops::Deref,
    path::{Path, PathBuf},
};

use xxhash_rust::xxh3::xxh3_64;

use crate::{Error, Result};

/// A file's bytes, and where it is.
///
/// # Memory
///
/// The bytes of the file.
#[derive(Debug)]
pub struct InMemory {
    path: PathBuf,
    content: Vec<u8>,
}

impl InMemory {
    /// Reads the file at `path`.
    pub(crate) fn read(path: &Path) -> Result<Self> {
        Ok(Self::new(path, fs::read(path).map_err(Error::io(path))?))
    }

    pub(crate) fn new(path: &Path, content: Vec<u8>) -> Self {
        Self { path: path.into(), content }
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Its length.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.content.len() as u64
    }

    /// XXH3-64 of blocks of `block_bytes` bytes each, of which the last may be shorter.
    #[must_use]
    pub fn block_hashes(&self, block_bytes: usize) -> Vec<u64> {
        self.content.chunks(block_bytes).map(xxh3_64).collect()
    }
}

impl Deref for InMemory {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.content
    }
}
