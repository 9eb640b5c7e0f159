//! Holds a whole file in memory. This is meant for the books of other programs, which are small.

use std::{
    fs::File,
    io::{self, Read as _},
    ops::Deref,
    path::{Path, PathBuf},
};

use xxhash_rust::xxh3::xxh3_64;

use crate::{Error, Result};

/// The number of bytes that are checked before the whole file is read.
const HEAD_BYTES: u64 = 8192;

/// A file's contents in memory, and its path.
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
    /// Reads the file at `path` if `check` accepts its length and its first bytes (at most [`HEAD_BYTES`] of
    /// them).
    pub(crate) fn read(path: &Path, check: impl FnOnce(Self, u64) -> Result<()>) -> Result<Self> {
        let failed = Error::io(path);
        let mut file = File::open(path).map_err(&failed)?;
        let bytes = file.metadata().map_err(&failed)?.len();
        let mut head = Vec::new();
        file.by_ref().take(HEAD_BYTES).read_to_end(&mut head).map_err(&failed)?;
        check(Self::new(path, head.clone()), bytes)?;
        let mut content = head;
        file.read_to_end(&mut content).map_err(&failed)?;
        if content.len() as u64 != bytes {
            return Err(failed(io::Error::other("it changed while it was read")));
        }
        Ok(Self::new(path, content))
    }

    pub(crate) fn new(path: &Path, content: Vec<u8>) -> Self {
        Self { path: path.into(), content }
    }

    /// The path of the file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The length of the file in bytes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.content.len() as u64
    }

    /// The XXH3-64 of each block of `block_bytes` bytes; the last block may be shorter.
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
