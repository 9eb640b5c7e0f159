//! Writes a table's directory and puts it in place.

use std::{
    fs::{self, File},
    io,
    path::Path,
};

use output::{Existing, OutputFolder, Prepared};
use parquet::file::metadata::PageIndexPolicy;

use crate::{
    CountedInput, Counting, Error, ExampleRule, ExamplesInfo, ExamplesWriter, FingerprintsInfo,
    FingerprintsWriter, Result, ShardInfo, ShardRows, ShardWriter, Table,
    file_bytes::FileBytes,
    manifest::{MARKER, Manifest},
    part::{Part, Syncer, Workspaces},
    roots::{ROOTS_NAME, roots_beside, roots_name},
    shards::{key_range, shard_count_is_valid},
    table::open_manifest,
};

/// The default number of shards of a table.
pub const DEFAULT_SHARDS: u32 = 16;

/// Writes a table into a temporary directory next to the final one, and puts it in place once all files have
/// been synced to disk.
///
/// A writer that is dropped before [`finish`](Self::finish) or [`prepare`](Self::prepare) leaves nothing
/// behind.
///
/// If two writers write the same table at the same time, the one that finishes last replaces the other's
/// table. To prevent this, the caller takes an [`OutputLock`](output::OutputLock) before it creates the
/// writer.
#[must_use]
pub struct TableWriter {
    folder: OutputFolder,
    counting: Counting,
    shards: u32,
    syncer: Syncer,
    workspaces: Workspaces,
    /// The digest of the older table; the new table was made from the older one and will replace it.
    made_from: Option<String>,
    fingerprints: Option<FingerprintsInfo>,
    examples: Option<ExamplesInfo>,
}

impl TableWriter {
    /// Starts a table whose final path will be `path`; `shards` is its number of shards, a power of two from
    /// 1 to 65,536.
    ///
    /// # Errors
    ///
    /// Fails if the directory cannot be created, or if `path` exists already, unless it is a table and
    /// `replace` is true.
    ///
    /// # Panics
    ///
    /// Panics if `shards` is not a power of two in 1..=65536.
    pub fn create(path: &Path, counting: Counting, shards: u32, replace: bool) -> Result<Self> {
        assert!(shard_count_is_valid(u64::from(shards)), "{shards} shards");
        Ok(Self {
            folder: OutputFolder::create(path, MARKER, Existing::replaced_if(replace))?,
            counting,
            shards,
            syncer: Syncer::start(),
            workspaces: Workspaces::default(),
            made_from: None,
            fingerprints: None,
            examples: None,
        })
    }

    /// Declares that the new table was made from `table` and will replace it. [`finish`](Self::finish) fails
    /// if another table has taken the place of `table` by then, because the counts of the other table would
    /// be lost.
    pub(crate) fn in_place_of(self, table: &Table) -> Self {
        Self { made_from: Some(table.digest().to_owned()), ..self }
    }

    /// Creates the writer for the fingerprints of the table's games. The caller must call
    /// [`with_fingerprints`](Self::with_fingerprints) with the entry that the finished writer returns;
    /// otherwise, the table will not have the fingerprints.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be created.
    pub fn fingerprints(&self) -> Result<FingerprintsWriter> {
        FingerprintsWriter::create(self.folder.dir())
    }

    /// Adds the manifest's entry for the fingerprints of the table's games, if there is such an entry.
    pub fn with_fingerprints(self, fingerprints: Option<FingerprintsInfo>) -> Self {
        Self { fingerprints, ..self }
    }

    /// The writer of examples. The caller must call [`with_examples`](Self::with_examples) with the entry
    /// that the finished writer returns; otherwise, the table will not have the examples.
    ///
    /// # Errors
    ///
    /// Fails if the folder or a file cannot be created.
    pub fn examples(&self, rule: ExampleRule) -> Result<ExamplesWriter> {
        ExamplesWriter::create(self.folder.dir(), rule)
    }

    /// Adds the manifest's entry for the table's examples, if there is such an entry.
    pub fn with_examples(self, examples: Option<ExamplesInfo>) -> Self {
        Self { examples, ..self }
    }

    /// The rows of a finished shard, in ascending order.
    ///
    /// # Errors
    ///
    /// Fails if the part file cannot be read.
    pub fn rows_of(&self, shard: &ShardInfo) -> Result<ShardRows> {
        let path = self.folder.dir().join(&shard.part);
        let (bytes, keys) = (FileBytes::at(&path)?, (shard.first, shard.last));
        let part = Part::open(&bytes, &path, &self.counting, keys, PageIndexPolicy::Skip)?;
        Ok(ShardRows::new(part, bytes, keys))
    }

    /// The number of shards of the table.
    #[must_use]
    pub fn shards(&self) -> u32 {
        self.shards
    }

    /// The first and the last key of a shard, both inclusive.
    pub fn key_range(&self, shard: u32) -> (position::Key, position::Key) {
        key_range(shard, self.shards)
    }

    /// Creates the writer for one shard. Any thread may write any shard, in any order; every shard must be
    /// written exactly once, even if it is empty.
    ///
    /// # Errors
    ///
    /// Fails if the part file cannot be created.
    ///
    /// # Panics
    ///
    /// Panics if there is no such shard.
    pub fn shard(&self, shard: u32) -> Result<ShardWriter> {
        assert!(shard < self.shards, "shard {shard} of {}", self.shards);
        ShardWriter::create(
            self.folder.dir(),
            &self.counting,
            (shard, self.shards),
            self.syncer.queue.clone(),
            self.workspaces.clone(),
        )
    }

    /// Adds a part that was written [outside a table](ShardWriter::alone) to this table, under the name that
    /// `part` gives. The file at `path` is kept: it is hard-linked into the table, or copied if the file
    /// system has no hard links.
    ///
    /// # Errors
    ///
    /// Fails if the file does not exist, cannot be linked or copied, or does not have the length that `part`
    /// states.
    pub fn adopt(&self, part: &ShardInfo, path: &Path) -> Result<()> {
        let bytes = fs::metadata(path).map_err(Error::io(path))?.len();
        if bytes != part.bytes {
            return Err(Error::Length { path: path.to_owned(), expected: part.bytes, got: bytes });
        }
        self.take(path, &part.part)?;
        if part.roots.is_none() {
            return Ok(());
        }
        let folder = self.folder.dir().join(ROOTS_NAME);
        fs::create_dir_all(&folder).map_err(Error::io(&folder))?;
        self.take(&roots_beside(path), &roots_name(&part.part))
    }

    fn take(&self, path: &Path, name: &str) -> Result<()> {
        let place = self.folder.dir().join(name);
        fs::hard_link(path, &place).or_else(|_| copy(path, &place)).map_err(Error::io(path))
    }

    /// Writes the manifest, waits until all files have been synced to disk, and puts the table in place. If
    /// the writer was created with `replace`, the table replaces an older one.
    ///
    /// # Errors
    ///
    /// Fails if a file cannot be written or renamed, or if another process created the output in the
    /// meantime.
    ///
    /// # Panics
    ///
    /// Panics unless `shards` consists of exactly one entry for each shard, as returned by the shard's
    /// writer.
    pub fn finish(self, shards: Vec<ShardInfo>, sources: Vec<CountedInput>) -> Result<Table> {
        appear(self.prepare(shards, sources)?)
    }

    /// Writes the manifest and waits until all files have been synced to disk. The returned table still has a
    /// temporary name.
    ///
    /// # Errors
    ///
    /// Fails if a file cannot be written.
    ///
    /// # Panics
    ///
    /// Panics as [`finish`](Self::finish) does.
    pub fn prepare(self, shards: Vec<ShardInfo>, sources: Vec<CountedInput>) -> Result<(Table, Prepared)> {
        self.prepare_with(shards, sources, Vec::new())
    }

    /// Like [`prepare`](Self::prepare), but also records the inputs that were subtracted.
    ///
    /// # Errors
    ///
    /// Fails as [`prepare`](Self::prepare) does.
    ///
    /// # Panics
    ///
    /// Panics as [`finish`](Self::finish) does.
    pub fn prepare_with(
        self,
        mut shards: Vec<ShardInfo>,
        sources: Vec<CountedInput>,
        subtracted: Vec<CountedInput>,
    ) -> Result<(Table, Prepared)> {
        shards.sort_by_key(|shard| shard.first);
        let ranges = (0..self.shards).map(|shard| key_range(shard, self.shards).0);
        assert!(shards.iter().map(|shard| shard.first).eq(ranges), "every shard is finished once");
        let mut manifest = Manifest::new(self.counting, shards, sources, subtracted);
        (manifest.fingerprints, manifest.examples) = (self.fingerprints, self.examples);
        self.syncer.finish()?;
        if let Some(digest) = &self.made_from {
            check_unchanged(self.folder.path(), digest)?;
        }
        let prepared = self.folder.prepare(manifest.seal().as_bytes())?;
        Ok((Table::open(prepared.temporary_path())?, prepared))
    }
}

/// Copies a file, and waits until the copy has been synced to disk. If copying fails, the copy is removed.
fn copy(from: &Path, to: &Path) -> io::Result<()> {
    let copied = fs::copy(from, to).and_then(|_| File::open(to)?.sync_all());
    copied.inspect_err(|_| drop(fs::remove_file(to)))
}

/// Checks that the table at `path` still has this digest.
fn check_unchanged(path: &Path, digest: &str) -> Result<()> {
    match open_manifest(path) {
        Ok((_, manifest)) if manifest.xxh3 == digest => Ok(()),
        Ok(_) | Err(Error::NotATable { .. } | Error::Replaced { .. }) => {
            Err(Error::NotTheOneRead(path.to_owned()))
        }
        Err(error) => Err(error),
    }
}

/// Puts a prepared table in place, and opens it under its final name.
pub(crate) fn appear((table, prepared): (Table, Prepared)) -> Result<Table> {
    drop(table);
    let path = prepared.path().to_owned();
    prepared.publish().map_err(|error| error.source)?;
    Table::open(&path)
}
