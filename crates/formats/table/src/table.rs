//! Opens a table.

use std::{
    io,
    path::{Path, PathBuf},
    sync::{Arc, OnceLock},
};

use parquet::file::metadata::PageIndexPolicy;
use position::Key;

use crate::{
    Counting, Error, Examples, Fingerprints, Manifest, Result, Roots, Row, ShardInfo, ShardRows,
    file_bytes::FileBytes,
    hash::check_whole,
    manifest::{MANIFEST_NAME, OLD_MANIFEST_NAME},
    parallel::for_each_shard,
    part::Part,
    roots::roots_name,
    version::{Version, descriptors, open_version},
};

/// The maximum number of attempts to open a table. Opening is retried only if the table was replaced in the
/// meantime. All attempts can therefore fail only if the table is replaced again and again, each time before
/// it has been opened.
const ATTEMPTS: u32 = 20;

/// The largest part, in bytes, that is checked as a whole before a position is looked up in it. Each
/// [`Table`] checks a part only once, which takes about two milliseconds.
const CHECKED_BYTES_MAX: u64 = 16 << 20;

/// A table as it was when it was opened: if another table takes its place, reading continues with the old
/// table, or fails with [`Error::Replaced`].
///
/// A path may also be the URL of a table in a store. A file in a store that is to be read from beginning to
/// end is first copied to the system's folder for temporary files; each thread has one copy of a part at a
/// time.
///
/// # Memory
///
/// Holds the manifest and, for every shard that [`rows_of`](Self::rows_of) has read from, the metadata and
/// the page index of its part. The part files are kept open, unless the total number of part files that all
/// tables keep open would then exceed an eighth of the process's limit on open files.
pub struct Table {
    path: PathBuf,
    version: Box<dyn Version>,
    manifest: Box<Manifest>,
    /// The metadata of those parts in which positions were looked up.
    parts: Vec<OnceLock<Part>>,
    /// The parts whose checksum was found to be correct.
    checked: Vec<OnceLock<()>>,
    examples: OnceLock<Box<Examples>>,
}

impl Table {
    /// Opens the table at `path`, a folder or a URL: reads and checks its manifest, and makes sure that every
    /// part exists and has the right length. A replacement that was interrupted is completed first; if the
    /// table is replaced while it is being opened, opening starts over.
    ///
    /// # Errors
    ///
    /// Fails if there is no table, if the table's format is too new, if its manifest is damaged, or if a part
    /// is missing or has the wrong length.
    pub fn open(path: &Path) -> Result<Self> {
        for _ in 1..ATTEMPTS {
            match Self::open_once(path, descriptors()) {
                Err(Error::Replaced { .. }) => {}
                opened => return opened,
            }
        }
        Self::open_once(path, descriptors())
    }

    /// Makes one attempt to open the table. The process can have at most `descriptors` files open.
    pub(crate) fn open_once(path: &Path, descriptors: u64) -> Result<Self> {
        if store::url_of(path)?.is_none() {
            output::recover(path).map_err(Error::io(path))?;
        }
        let (mut version, manifest) = open_manifest(path)?;
        version.open_parts(&manifest.shards, descriptors)?;
        let parts = manifest.shards.iter().map(|_| OnceLock::new()).collect();
        let checked = vec![OnceLock::new(); manifest.shards.len()];
        Ok(Self {
            path: path.to_owned(),
            version,
            manifest: Box::new(manifest),
            parts,
            checked,
            examples: OnceLock::new(),
        })
    }

    /// The path of the table, as it was given to [`open`](Self::open).
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The manifest.
    #[must_use]
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// How the table was counted.
    #[must_use]
    pub fn counting(&self) -> &Counting {
        &self.manifest.counting
    }

    /// The shards, in ascending order of their key ranges.
    #[must_use]
    pub fn shards(&self) -> &[ShardInfo] {
        &self.manifest.shards
    }

    /// Checks the whole file of fingerprints, and returns the fingerprints of the games that the table
    /// counts; returns `None` if the table was counted without leaving out copies of games.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read or is damaged.
    pub fn fingerprints(&self) -> Result<Option<Fingerprints>> {
        let Some(info) = &self.manifest.fingerprints else { return Ok(None) };
        let name = self.manifest.fingerprints_name();
        Fingerprints::open(self.version.open_whole(&name)?, &self.path.join(&name), info).map(Some)
    }

    /// Checks the whole file of a shard's roots and returns these roots, or `None` if the shard has none.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read or is damaged.
    ///
    /// # Panics
    ///
    /// Panics if there is no such shard.
    pub fn roots(&self, shard: u32) -> Result<Option<Roots>> {
        let part = &self.manifest.shards[shard as usize];
        let Some(info) = &part.roots else { return Ok(None) };
        let name = roots_name(&part.part);
        Roots::open(&*self.version.open_whole(&name)?, self.path.join(&name), info).map(Some)
    }

    /// The example games for the table's positions; `None` if the table has no examples.
    ///
    /// # Errors
    ///
    /// Fails if the files cannot be read, or their indexes are damaged.
    pub fn examples(&self) -> Result<Option<&Examples>> {
        let Some(info) = &self.manifest.examples else { return Ok(None) };
        if let Some(examples) = self.examples.get() {
            return Ok(Some(examples));
        }
        let opened = Examples::open(&self.path, info, |name| self.version.open(name))?;
        Ok(Some(self.examples.get_or_init(|| Box::new(opened))))
    }

    /// The checksum of the manifest. It identifies the table, because the manifest contains the checksums of
    /// the parts.
    #[must_use]
    pub fn digest(&self) -> &str {
        &self.manifest.xxh3
    }

    /// The rows of a shard, in ascending order. The part's checksum is verified first, but only once per
    /// `Table`.
    ///
    /// # Errors
    ///
    /// Fails if the part file cannot be read or is damaged.
    ///
    /// # Panics
    ///
    /// Panics if there is no such shard.
    pub fn shard_rows(&self, shard: u32) -> Result<ShardRows> {
        let info = &self.manifest.shards[shard as usize];
        self.rows_between(shard, (info.first, info.last))
    }

    /// The rows of a shard whose keys are in the inclusive range `wanted`.
    pub(crate) fn rows_between(&self, shard: u32, wanted: (Key, Key)) -> Result<ShardRows> {
        let info = &self.manifest.shards[shard as usize];
        let bytes = self.version.whole_part(shard, info)?;
        self.check_part(shard, &|_| ())?;
        let part = self.metadata(info, &bytes, PageIndexPolicy::Skip)?;
        Ok(ShardRows::new(part, bytes, wanted))
    }

    /// Checks a part's checksum, unless that has already been done. `progress` is called after each read,
    /// with the number of bytes read.
    ///
    /// # Errors
    ///
    /// Fails if the part file cannot be read or is damaged.
    ///
    /// # Panics
    ///
    /// Panics if there is no such shard.
    pub fn check_part(&self, shard: u32, progress: &(dyn Fn(u64) + Sync)) -> Result<()> {
        let checked = &self.checked[shard as usize];
        if checked.get().is_none() {
            let info = &self.manifest.shards[shard as usize];
            let bytes = self.version.whole_part(shard, info)?;
            check_whole(&bytes, &self.path.join(&info.part), (info.bytes, &info.xxh3), progress)?;
            checked.get_or_init(|| ());
        }
        Ok(())
    }

    /// Checks all parts that this `Table` has not checked yet, on up to `threads` threads. After that,
    /// [`rows_of`](Self::rows_of) returns exactly the rows that were written. `check_stop` is called before
    /// each part, and `done` after it.
    ///
    /// # Errors
    ///
    /// Fails if a part cannot be read or is damaged, or with the error that `check_stop` returns.
    pub fn check_parts<E: From<Error> + Send>(
        &self,
        threads: usize,
        check_stop: impl Fn() -> Result<(), E> + Sync,
        done: impl Fn() + Sync,
    ) -> Result<(), E> {
        let check = |shard| {
            self.check_part(shard, &|_| ())?;
            done();
            Ok(())
        };
        for_each_shard(threads, self.shards().len() as u32, check_stop, |_| false, check).map(drop)
    }

    /// The rows of one position, in ascending order of (move, group). Reads one page of each column. A part
    /// of up to 16 MiB is checked first; a larger part, or one in a store, is checked only by
    /// [`check_parts`](Self::check_parts).
    ///
    /// # Errors
    ///
    /// Fails if the part file cannot be read or decoded, or is damaged.
    pub fn rows_of(&self, key: Key) -> Result<Vec<Row>> {
        let shard = self.manifest.shards.partition_point(|shard| shard.last < key);
        if self.version.is_local() && self.manifest.shards[shard].bytes <= CHECKED_BYTES_MAX {
            self.check_part(shard as u32, &|_| ())?;
        }
        self.look_up(shard, key)
    }

    /// Returns the rows of a position without checking the part.
    pub(crate) fn look_up(&self, shard: usize, key: Key) -> Result<Vec<Row>> {
        if let Some(part) = self.parts[shard].get() {
            return part.rows_of(&self.version.part(shard as u32, &self.manifest.shards[shard])?, key);
        }
        let (part, bytes) = self.open_part(shard as u32, PageIndexPolicy::Required)?;
        self.parts[shard].get_or_init(|| part).rows_of(&bytes, key)
    }

    /// The path and the bytes of a part, which is not checked; see [`check_part`](Self::check_part).
    ///
    /// # Errors
    ///
    /// Fails if the part file cannot be opened.
    ///
    /// # Panics
    ///
    /// Panics if there is no such shard.
    pub fn part_bytes(&self, shard: u32) -> Result<(PathBuf, FileBytes)> {
        let info = &self.manifest.shards[shard as usize];
        Ok((self.path.join(&info.part), FileBytes::clone(&*self.version.whole_part(shard, info)?)))
    }

    /// Opens a part from which only a few pages are read.
    pub(crate) fn open_part(
        &self,
        shard: u32,
        page_index: PageIndexPolicy,
    ) -> Result<(Part, Arc<FileBytes>)> {
        let info = &self.manifest.shards[shard as usize];
        let bytes = self.version.part(shard, info)?;
        Ok((self.metadata(info, &bytes, page_index)?, bytes))
    }

    fn metadata(&self, info: &ShardInfo, bytes: &FileBytes, page_index: PageIndexPolicy) -> Result<Part> {
        let path = self.path.join(&info.part);
        Part::open(bytes, &path, self.counting(), (info.first, info.last), page_index)
    }
}

/// The version of the table that is currently at `path`, and its manifest.
pub(crate) fn open_manifest(path: &Path) -> Result<(Box<dyn Version>, Manifest)> {
    let not_a_table = |source: io::Error| match source.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => {
            let what = if path.exists() { "it has no _manifest.json" } else { "nothing is there" };
            Error::NotATable { path: path.to_owned(), what }
        }
        _ => Error::Io { path: path.to_owned(), source },
    };
    let version = open_version(path).map_err(not_a_table)?;
    for name in [MANIFEST_NAME, OLD_MANIFEST_NAME] {
        match version.read(name) {
            Err(Error::Io { source, .. }) if source.kind() == io::ErrorKind::NotFound => {}
            Err(Error::Store(store::Error::Missing { .. })) => {}
            text => return Ok((version, Manifest::parse(&text?, &path.join(name))?)),
        }
    }
    Err(not_a_table(io::ErrorKind::NotFound.into()))
}
