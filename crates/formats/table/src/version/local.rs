//! A table's folder on disk; the folder and its part files are opened once.
//!
//! A table is replaced by swapping its folder with another folder; then the old folder is removed. A reader
//! therefore opens the folder only once, and opens each file relative to the open folder, so that all the
//! files belong to one version of the table. Part files that are open remain readable after they have been
//! removed. Once the old folder has been removed, its reader cannot open any more files in it, and the
//! table's path leads to a different folder.

use std::{
    fs::File,
    io::{self, Read as _},
    os::unix::fs::MetadataExt as _,
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
};

use rustix::{
    fs::{AtFlags, CWD, Mode, OFlags, fstat, openat, statat},
    io::{Errno, retry_on_intr},
    process::{Resource, getrlimit},
};

use super::{Version, check_length};
use crate::{Error, Result, ShardInfo, file_bytes::FileBytes};

/// The part files that are kept open may use at most `1 / DESCRIPTORS_SHARE` of the file descriptors that the
/// process may have. The rest are left for spilled runs, outputs and inputs.
const DESCRIPTORS_SHARE: u64 = 8;

/// The number of part files that the tables in this process keep open.
static KEPT_OPEN: AtomicUsize = AtomicUsize::new(0);

/// An open table folder.
#[derive(Debug)]
pub(crate) struct LocalVersion {
    path: PathBuf,
    folder: File,
    /// The open part files; `None` if the process has too few descriptors for all of them.
    parts: Option<OpenParts>,
}

/// Part files that are kept open until this value is dropped.
#[derive(Debug)]
struct OpenParts {
    parts: Vec<Arc<FileBytes>>,
    _places: Places,
}

/// Descriptors that are counted in [`KEPT_OPEN`] until this value is dropped.
#[derive(Debug)]
struct Places(usize);

impl LocalVersion {
    /// Opens the folder at `path`.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let folder = File::from(retry_on_intr(|| openat(CWD, path, flags, Mode::empty()))?);
        Ok(Self { path: path.to_owned(), folder, parts: None })
    }

    fn open_part(&self, shard: &ShardInfo) -> Result<Arc<FileBytes>> {
        let part = self.open(&shard.part)?;
        check_length(&self.path, shard, part.count())?;
        Ok(part)
    }

    fn open_file(&self, name: &str) -> io::Result<File> {
        let flags = OFlags::RDONLY | OFlags::CLOEXEC;
        Ok(retry_on_intr(|| openat(&self.folder, name, flags, Mode::empty()))?.into())
    }

    /// The error for a file in the folder that cannot be opened.
    fn error(&self, name: &str, source: io::Error) -> Error {
        if source.kind() == io::ErrorKind::NotFound && !self.is_in_place() {
            return Error::Replaced(self.path.clone());
        }
        Error::Io { path: self.path.join(name), source }
    }

    /// Whether the folder at the table's path is still the folder that was opened. While that folder is open,
    /// its inode number is not reused, so no other folder can have the same number.
    fn is_in_place(&self) -> bool {
        let Ok(ours) = fstat(&self.folder) else { return false };
        let there = self.path.metadata();
        there.is_ok_and(|there| (there.dev(), there.ino()) == (ours.st_dev, ours.st_ino))
    }
}

impl Version for LocalVersion {
    fn is_local(&self) -> bool {
        true
    }

    /// # Errors
    ///
    /// Fails with [`Error::Replaced`] if the file was removed together with its folder, or with the system's
    /// error if it cannot be read for any other reason.
    fn read(&self, name: &str) -> Result<Vec<u8>> {
        let mut text = Vec::new();
        let read = self.open_file(name).and_then(|mut file| file.read_to_end(&mut text));
        read.map(|_| text).map_err(|error| self.error(name, error))
    }

    fn open(&self, name: &str) -> Result<Arc<FileBytes>> {
        let opened = self.open_file(name).and_then(FileBytes::new);
        opened.map(Arc::new).map_err(|error| self.error(name, error))
    }

    fn open_parts(&mut self, shards: &[ShardInfo], descriptors: u64) -> Result<()> {
        if let Some(places) = Places::take(shards.len(), descriptors) {
            let opened = shards.iter().map(|shard| self.open_part(shard)).collect::<Result<Vec<_>>>();
            match opened {
                Err(error) if is_out_of_descriptors(&error) => {}
                opened => {
                    self.parts = Some(OpenParts { parts: opened?, _places: places });
                    return Ok(());
                }
            }
        }
        shards.iter().try_for_each(|shard| {
            let stat = statat(&self.folder, &shard.part, AtFlags::empty());
            let stat = stat.map_err(|error| self.error(&shard.part, error.into()))?;
            check_length(&self.path, shard, stat.st_size.cast_unsigned())
        })
    }

    fn part(&self, index: u32, shard: &ShardInfo) -> Result<Arc<FileBytes>> {
        match &self.parts {
            Some(kept) => Ok(Arc::clone(&kept.parts[index as usize])),
            None => self.open_part(shard),
        }
    }
}

impl Places {
    /// Reserves `wanted` more descriptors. Returns `None` if all reserved descriptors together would then
    /// exceed the share of `limit` that part files may use.
    fn take(wanted: usize, limit: u64) -> Option<Self> {
        let fits = |kept: usize| {
            let kept = kept + wanted;
            (kept as u64 <= limit / DESCRIPTORS_SHARE).then_some(kept)
        };
        KEPT_OPEN.try_update(Relaxed, Relaxed, fits).ok().map(|_| Self(wanted))
    }
}

impl Drop for Places {
    fn drop(&mut self) {
        KEPT_OPEN.fetch_sub(self.0, Relaxed);
    }
}

/// The number of files that the process may have open.
pub(crate) fn descriptors() -> u64 {
    getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX)
}

fn is_out_of_descriptors(error: &Error) -> bool {
    let Error::Io { source, .. } = error else { return false };
    [Errno::MFILE, Errno::NFILE].iter().any(|full| source.raw_os_error() == Some(full.raw_os_error()))
}
