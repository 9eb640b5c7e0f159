//! A temporary file that contains the moves of all candidates. The moves are needed to find truncated copies.

use std::{
    fs::File,
    os::unix::fs::FileExt as _,
    path::{Path, PathBuf},
    sync::atomic::{AtomicU64, Ordering::Relaxed},
};

use fault::FileFault;
use run::Result;

/// A file in which many threads store the moves of games, one game after another.
pub(super) struct MovesFile {
    file: File,
    folder: PathBuf,
    end: AtomicU64,
}

impl MovesFile {
    pub(super) fn create(folder: &Path) -> Result<Self> {
        let file = tempfile::tempfile_in(folder);
        let file = file.map_err(|source| FileFault::new("write in", folder, source))?;
        Ok(Self { file, folder: folder.into(), end: AtomicU64::new(0) })
    }

    /// Reserves `bytes` at the end and returns their offset.
    pub(super) fn take_room(&self, bytes: u64) -> u64 {
        self.end.fetch_add(bytes, Relaxed)
    }

    /// Writes into reserved room.
    pub(super) fn write(&self, at: u64, moves: &[u8]) -> Result<()> {
        self.file.write_all_at(moves, at).map_err(FileFault::of("write in", &self.folder))
    }

    /// Appends the bytes at `at` to `moves`.
    pub(super) fn read(&self, at: u64, bytes: u64, moves: &mut Vec<u8>) -> Result<()> {
        let start = moves.len();
        moves.resize(start + bytes as usize, 0);
        self.file.read_exact_at(&mut moves[start..], at).map_err(FileFault::of("read in", &self.folder))
    }
}
