//! One version of a table: the contents of its folder, on disk or in a store.

mod local;
mod stored;

use std::{fmt::Debug, io, path::Path, sync::Arc};

use crate::{Error, Result, ShardInfo, file_bytes::FileBytes};

use local::LocalVersion;
use stored::StoredVersion;

pub(crate) use local::descriptors;

/// The files of a table's folder.
pub(crate) trait Version: Debug + Send + Sync {
    /// Whether files can be read without requests to a store.
    fn is_local(&self) -> bool;

    /// The whole contents of the file called `name`.
    fn read(&self, name: &str) -> Result<Vec<u8>>;

    /// Opens the file called `name`, for reading at a few offsets.
    fn open(&self, name: &str) -> Result<Arc<FileBytes>>;

    /// Opens the file called `name`, for reading from beginning to end, more than once.
    fn open_whole(&self, name: &str) -> Result<Arc<FileBytes>> {
        self.open(name)
    }

    /// Checks that the part files exist with the right lengths. Keeps them open if the limit on the process's
    /// open files, `descriptors`, allows it.
    fn open_parts(&mut self, shards: &[ShardInfo], descriptors: u64) -> Result<()>;

    /// Returns the part file of shard `index`, opened for reading at a few offsets.
    fn part(&self, index: u32, shard: &ShardInfo) -> Result<Arc<FileBytes>>;

    /// Returns the part file of shard `index`, opened for reading from beginning to end.
    fn whole_part(&self, index: u32, shard: &ShardInfo) -> Result<Arc<FileBytes>> {
        self.part(index, shard)
    }
}

/// The version of the table that is currently at `path`, which is a folder or a folder's URL.
pub(crate) fn open_version(path: &Path) -> io::Result<Box<dyn Version>> {
    Ok(match store::url_of(path)? {
        Some(url) => Box::new(StoredVersion::new(url)),
        None => Box::new(LocalVersion::open(path)?),
    })
}

/// Fails if a part file does not have the length that the manifest states.
fn check_length(folder: &Path, shard: &ShardInfo, got: u64) -> Result<()> {
    if got == shard.bytes {
        return Ok(());
    }
    Err(Error::Length { path: folder.join(&shard.part), expected: shard.bytes, got })
}
