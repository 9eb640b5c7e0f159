//! The folder `_roots`, which stores a table's roots: the positions, other than the start position, that its
//! games started from.
//!
//! # Format
//!
//! The folder has one file for each part that has roots: `part-00000` for `part-00000.parquet`. A file is a
//! list of roots of 65 bytes each, in strictly ascending order of key. A root consists of the key, the four
//! words of the [placement](position::Placement), the side to move (one byte: 0 White, 1 Black), and the
//! numbers of games that White won, that were drawn, and that Black won. All numbers in a root except the
//! side to move are u64, little-endian. The manifest's entry for the part records the number of roots, the
//! tally of their games, and the XXH3-64 of the file. All games that did not start from a root started from
//! the start position.

use std::{
    fs::{self, File},
    io::{self, BufReader, Read as _, Write as _},
    path::{Path, PathBuf},
};

use position::{Key, PackedMove, Root, Tally};

use crate::{
    Error, Result, RootsInfo,
    file_bytes::{FileBytes, ReadFrom},
    hash::check_whole,
    part::SyncQueue,
    sink::Sink,
};

/// The folder's name in a table's directory.
pub(crate) const ROOTS_NAME: &str = "_roots";
const ROOT_BYTES: usize = Root::BYTES + 24;

/// A position that games started from, and how those games ended.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct RootRow {
    /// The position.
    pub root: Root,
    /// The number of games that started from the position, by result.
    pub tally: Tally,
}

/// The path of the file with a part's roots, relative to the table's directory.
#[must_use]
pub fn roots_name(part: &str) -> String {
    format!("{ROOTS_NAME}/{}", part.trim_end_matches(".parquet"))
}

/// The path of the file with the roots of `part`, a part file that was written [outside a
/// table](crate::ShardWriter::alone).
#[must_use]
pub fn roots_beside(part: &Path) -> PathBuf {
    part.with_extension("roots")
}

impl RootRow {
    fn to_bytes(self) -> [u8; ROOT_BYTES] {
        let mut bytes = [0; ROOT_BYTES];
        let (root, games) = bytes.split_at_mut(Root::BYTES);
        root.copy_from_slice(&self.root.to_bytes());
        let Tally { white, draws, black } = self.tally;
        let places = games.as_chunks_mut().0.iter_mut();
        places.zip([white, draws, black]).for_each(|(place, games)| *place = games.to_le_bytes());
        bytes
    }

    fn of_bytes(bytes: &[u8; ROOT_BYTES]) -> Self {
        let (root, games) = bytes.split_first_chunk().unwrap_or((&[0; Root::BYTES], &[]));
        let [white, draws, black] = [0, 1, 2].map(|at| u64::from_le_bytes(games.as_chunks().0[at]));
        Self { root: Root::of_bytes(root), tally: Tally { white, draws, black } }
    }
}

/// Writes the roots of a shard; the file is created when the first root is written.
pub(crate) struct RootsWriter {
    path: PathBuf,
    file: Option<Sink>,
    last: Option<Key>,
    info: RootsInfo,
}

impl RootsWriter {
    pub(crate) fn new(path: PathBuf) -> Self {
        let info = RootsInfo { roots: 0, tally: Tally::default(), xxh3: String::new() };
        Self { path, file: None, last: None, info }
    }

    /// Adds a root.
    ///
    /// # Panics
    ///
    /// Panics if the keys are not in strictly ascending order.
    pub(crate) fn push(&mut self, row: RootRow) -> Result<()> {
        assert!(self.last < Some(row.root.key), "roots ascend");
        let sum = self.info.tally.checked_add(row.tally);
        self.last = Some(row.root.key);
        self.info.tally = sum.ok_or(Error::CountTooLarge { key: row.root.key, mv: PackedMove::TERMINAL })?;
        self.info.roots += 1;
        let file = match self.file.take() {
            Some(file) => file,
            None => self.create().map_err(Error::io(&self.path))?,
        };
        self.file.insert(file).write_all(&row.to_bytes()).map_err(Error::io(&self.path))
    }

    fn create(&self) -> io::Result<Sink> {
        self.path.parent().map_or(Ok(()), fs::create_dir_all)?;
        Ok(Sink::new(File::create_new(&self.path)?))
    }

    /// Finishes the file and passes it on to `sync`. Returns the manifest's entry for the roots, or `None` if
    /// there are no roots.
    pub(crate) fn finish(self, sync: &SyncQueue) -> Result<Option<RootsInfo>> {
        let Self { path, file: Some(file), mut info, .. } = self else { return Ok(None) };
        let finish = || {
            let (file, _, xxh3) = file.finish()?;
            sync.push(path.clone(), file)?;
            Ok(xxh3)
        };
        info.xxh3 = finish().map_err(Error::io(&path))?;
        Ok(Some(info))
    }
}

/// The roots of a shard, in ascending order of key.
///
/// # Memory
///
/// 8 KiB.
pub struct Roots {
    path: PathBuf,
    rows: BufReader<ReadFrom>,
    left: u64,
}

impl Roots {
    /// Checks the file's length and checksum, and prepares to read its first root.
    pub(crate) fn open(file: &FileBytes, path: PathBuf, info: &RootsInfo) -> Result<Self> {
        let bytes = info.roots.saturating_mul(ROOT_BYTES as u64);
        check_whole(file, &path, (bytes, &info.xxh3), &|_| ())?;
        Ok(Self { path, rows: BufReader::new(file.read_from(0)), left: info.roots })
    }

    fn read(&mut self) -> Result<RootRow> {
        let mut bytes = [0; ROOT_BYTES];
        self.rows.read_exact(&mut bytes).map_err(Error::io(&self.path))?;
        Ok(RootRow::of_bytes(&bytes))
    }

    /// Checks that the roots are in strictly ascending order, lie within the shard, and match their keys, and
    /// that their games add up to the number that the manifest states.
    pub(crate) fn check(mut self, (first, last): (Key, Key), info: &RootsInfo) -> Result<()> {
        let path = self.path.clone();
        let bad = |what: &str| Err(Error::Manifest { path: path.clone(), what: what.to_owned() });
        let (mut before, mut sum) = (None, Tally::default());
        while let Some(RootRow { root, tally }) = self.next().transpose()? {
            if before >= Some(root.key) || root.key < first || root.key > last {
                return bad("the roots do not ascend within their shard");
            }
            if !root.is_sound() {
                return bad("the position of a root is not that of its key");
            }
            before = Some(root.key);
            sum = sum.checked_add(tally).unwrap_or_default();
        }
        if sum == info.tally {
            Ok(())
        } else {
            bad("the games of the roots are others than the manifest says")
        }
    }
}

impl Iterator for Roots {
    type Item = Result<RootRow>;

    fn next(&mut self) -> Option<Result<RootRow>> {
        self.left = self.left.checked_sub(1)?;
        Some(self.read())
    }
}
