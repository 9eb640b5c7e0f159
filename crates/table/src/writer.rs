//! Makes a table's directory and lets it appear.

use std::{
    fs::{File, Permissions},
    io::Write,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};

use output::folder_of;
use tempfile::TempDir;

use crate::{
    Counting, Error, Result, ShardInfo, ShardWriter, Source, Table,
    manifest::{MANIFEST_NAME, Manifest},
    part::{Syncer, Workspaces},
    shards::{key_range, shard_count_is_valid},
    swap::{self, Exchange},
};

/// Shards of a table that nobody asked for another number of.
pub const DEFAULT_SHARDS: u32 = 16;

/// Writes a table into a directory beside the final one, and swaps it in when all of it is on disk.
///
/// Dropped before [`finish`](Self::finish), it leaves nothing behind.
pub struct TableWriter {
    path: PathBuf,
    dir: TempDir,
    counting: Counting,
    shards: u32,
    replace: bool,
    exchange: Exchange,
    syncer: Syncer,
    workspaces: Workspaces,
}

impl TableWriter {
    /// Starts a table that will appear at `path`, with 2^n shards (1 to 4,096).
    ///
    /// # Errors
    ///
    /// If something is at `path` already and `replace` is not said, or it is there and no table; if the directory cannot be
    /// made.
    ///
    /// # Panics
    ///
    /// If `shards` is not a power of two in 1..=4096.
    pub fn create(path: &Path, counting: Counting, shards: u32, replace: bool) -> Result<Self> {
        assert!(shard_count_is_valid(u64::from(shards)), "{shards} shards");
        swap::recover(path)?;
        swap::check_output(path, replace)?;
        let dir = tempfile::Builder::new()
            .prefix(&swap::sibling_prefix(path))
            .suffix(".tmp")
            .permissions(Permissions::from_mode(0o777))
            .tempdir_in(folder_of(path))
            .map_err(Error::io(path))?;
        Ok(Self {
            path: path.to_owned(),
            dir,
            counting,
            shards,
            replace,
            exchange: Exchange::Kernel,
            syncer: Syncer::start(),
            workspaces: Workspaces::default(),
        })
    }

    #[cfg(test)]
    pub(crate) fn set_exchange(&mut self, exchange: Exchange) {
        self.exchange = exchange;
    }

    /// How many shards the table has.
    #[must_use]
    pub fn shards(&self) -> u32 {
        self.shards
    }

    /// First and last key of a shard, both inclusive.
    #[must_use]
    pub fn key_range(&self, shard: u32) -> (position::Key, position::Key) {
        key_range(shard, self.shards)
    }

    /// The writer of one shard. Shards may be written by any threads in any order; each is written once, empty ones too.
    ///
    /// # Errors
    ///
    /// If the part file cannot be made.
    ///
    /// # Panics
    ///
    /// If there is no such shard.
    pub fn shard(&self, shard: u32) -> Result<ShardWriter> {
        assert!(shard < self.shards, "shard {shard} of {}", self.shards);
        ShardWriter::create(
            self.dir.path(),
            &self.counting,
            (shard, self.shards),
            self.syncer.queue(),
            self.workspaces.clone(),
        )
    }

    /// Writes the manifest, waits until all is on disk, and lets the table appear; in place of an older one if `replace` was
    /// said.
    ///
    /// # Errors
    ///
    /// If something cannot be written or renamed, or the output has come to exist in the meantime.
    ///
    /// # Panics
    ///
    /// If `shards` are not what the writers of all shards gave.
    pub fn finish(self, shards: Vec<ShardInfo>, sources: Vec<Source>) -> Result<Table> {
        self.finish_with(shards, sources, Vec::new())
    }

    pub(crate) fn finish_with(
        self,
        mut shards: Vec<ShardInfo>,
        sources: Vec<Source>,
        subtracted: Vec<Source>,
    ) -> Result<Table> {
        shards.sort_by_key(|shard| shard.first);
        let ranges = (0..self.shards).map(|shard| key_range(shard, self.shards).0);
        assert!(shards.iter().map(|shard| shard.first).eq(ranges), "every shard is finished once");
        let mut manifest = Manifest::new(self.counting, shards, sources, subtracted);
        write_synced(&self.dir.path().join(MANIFEST_NAME), manifest.seal().as_bytes())?;
        swap::sync_dir(self.dir.path())?;
        self.syncer.finish()?;
        swap::publish(self.dir, &self.path, self.replace, self.exchange)?;
        Table::open(&self.path)
    }
}

fn write_synced(path: &Path, bytes: &[u8]) -> Result<()> {
    let write = || {
        let mut file = File::create_new(path)?;
        file.write_all(bytes)?;
        file.sync_all()
    };
    write().map_err(Error::io(path))
}
