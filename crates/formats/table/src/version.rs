//! One version of a table: what is in its folder, on disk or in a store.

mod local;
mod stored;

use std::{fmt::Debug, io, path::Path, sync::Arc};

use crate::{Error, Result, ShardInfo, file_bytes::FileBytes};

use local::LocalVersion;
use stored::StoredVersion;

pub(crate) use local::descriptors;

/// The files of a table's folder.
pub(crate) trait Version: Debug + Send + Sync {
    /// Whether a byte of it costs no request.
    fn is_local(&self) -> bool;

    /// The file of this name, whole.
    fn read(&self, name: &str) -> Result<Vec<u8>>;

    /// The file of this name, to be read at a few places.
    fn open(&self, name: &str) -> Result<Arc<FileBytes>>;

    /// The file of this name, to be read from its beginning to its end, and more than once.
    fn open_whole(&self, name: &str) -> Result<Arc<FileBytes>> {
        self.open(name)
    }

    /// Checks that the part files are there in their lengths. A process that may have many `descriptors`
    /// files open keeps them open.
    fn open_parts(&mut self, shards: &[ShardInfo], descriptors: u64) -> Result<()>;

    /// The part file of shard `index`, as [`open`](Self::open) gives files.
    fn part(&self, index: u32, shard: &ShardInfo) -> Result<Arc<FileBytes>>;

    /// The part file of shard `index`, as [`open_whole`](Self::open_whole) gives files.
    fn whole_part(&self, index: u32, shard: &ShardInfo) -> Result<Arc<FileBytes>> {
        self.part(index, shard)
    }
}

/// The version of the table that is at `path` now, a folder or the URL of one.
pub(crate) fn open_version(path: &Path) -> io::Result<Box<dyn Version>> {
    Ok(match store::url_of(path)? {
        Some(url) => Box::new(StoredVersion::new(url)),
        None => Box::new(LocalVersion::open(path)?),
    })
}

/// Refuses a part file that has another length than its manifest says.
fn check_length(folder: &Path, shard: &ShardInfo, got: u64) -> Result<()> {
    if got == shard.bytes {
        return Ok(());
    }
    Err(Error::Length { path: folder.join(&shard.part), expected: shard.bytes, got })
}
