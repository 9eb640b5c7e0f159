//! The pending edges in one part of a walk: those that are played in positions that the walk has not reached
//! yet.
//!
//! # Format
//!
//! A row is sixteen bytes, little-endian: key u64, move u16, step u16, games u32 (2^32 - 1 if there are
//! more). Rows are in ascending order of key and move. A position from which no game continues has one row,
//! with move 0. Rows are read in windows, and the rows of a position are never split between windows.
//!
//! # Stability
//!
//! The format never leaves the process: it is used only in memory and in unnamed temporary files.

use std::{io::Write as _, ops::Range, os::unix::fs::FileExt as _, path::PathBuf};

use extsort::prefetch;
use position::{Key, PackedMove, Step};
use table::{Gather, Row, SortedRows};
use tempfile::{SpooledData, SpooledTempFile};

use fault::{FileFault, Result};

use crate::{buckets::Buckets, rows};

const ROW_BYTES: usize = 16;
/// The maximum number of bytes in a window. Only a window that holds a single position may be larger.
const WINDOW_BYTES: usize = 1 << 16;

type Bytes = [u8; ROW_BYTES];

/// An edge, summed over its groups.
#[derive(Clone, Copy)]
pub(crate) struct PendingEdge {
    pub(crate) mv: PackedMove,
    pub(crate) step: Step,
    pub(crate) games: u32,
}

/// The remaining rows. Rows are kept in memory if they do not exceed a limit, and in a file otherwise.
///
/// # Memory
///
/// Each row takes one bit, each window sixteen bytes, and each window in memory another two kilobytes, in
/// addition to the memory for rows, which has a limit.
pub(crate) struct Pending {
    data: SpooledData,
    place: Place,
    windows: Vec<Window>,
    /// The buckets of each window if rows are in memory; otherwise empty.
    buckets: Vec<Buckets>,
    pub(crate) rows: u64,
    /// One bit for each row, in order, which is set if the row's position was reached.
    reached: Vec<u64>,
    reached_rows: u64,
}

/// Where rows are kept: in memory, or in a file.
#[derive(Clone)]
pub(crate) struct Place {
    /// The folder in which the unnamed file is created.
    pub(crate) folder: PathBuf,
    /// The maximum number of bytes that rows may take in memory.
    pub(crate) memory_bytes: usize,
}

/// Where a window begins.
#[derive(Clone, Copy)]
struct Window {
    first_key: u64,
    first_row: u64,
}

impl Pending {
    /// Reads all edges of several consecutive shards.
    pub(crate) fn of_shards(edges: &dyn SortedRows, shards: Range<u32>, place: Place) -> Result<Self> {
        let (mut position, mut writer) = (PositionEdges::default(), PendingWriter::new(place));
        for shard in shards {
            let mut positions = rows::open(edges, shard)?;
            while positions.next_into(&mut position)? {
                writer.push(&position.0)?;
            }
        }
        writer.finish()
    }

    /// If many rows belong to positions that were reached, drops these rows by rewriting all others.
    pub(crate) fn drop_reached_if_many(&mut self) -> Result<()> {
        // Rows in a file are read a window at a time; rows in memory are read only as needed.
        let parts = if matches!(self.data, SpooledData::OnDisk(_)) { 4 } else { 2 };
        if self.reached_rows <= self.rows / parts {
            return Ok(());
        }
        let mut writer = PendingWriter::new(self.place.clone());
        let mut buffer = Vec::new();
        for index in 0..self.windows.len() {
            self.read_window(index, &mut buffer)?;
            let mut row = self.windows[index].first_row;
            let rows = self.window(self.bytes_of(index), &buffer).as_chunks().0;
            for position in rows.chunk_by(|a, b| key_of(a) == key_of(b)) {
                if !self.is_reached(row) {
                    writer.push(position)?;
                }
                row += position.len() as u64;
            }
        }
        *self = writer.finish()?;
        Ok(())
    }

    /// Returns the number of bytes used for anything but the rows themselves.
    pub(crate) fn bytes_beside(&self) -> u64 {
        (size_of_val(&*self.reached) + size_of_val(&*self.windows) + size_of_val(&*self.buckets)) as u64
    }

    pub(crate) fn read(&mut self) -> PendingReader<'_> {
        PendingReader {
            pending: self,
            buffer: Vec::new(),
            buckets: Buckets::default(),
            window: None,
            bytes: 0..0,
        }
    }

    fn is_reached(&self, row: u64) -> bool {
        self.reached[(row / 64) as usize] >> (row % 64) & 1 == 1
    }

    fn set_reached(&mut self, row: u64) {
        self.reached[(row / 64) as usize] |= 1 << (row % 64);
    }

    /// The byte range of a window.
    fn bytes_of(&self, index: usize) -> Range<usize> {
        let end = self.windows.get(index + 1).map_or(self.rows, |next| next.first_row);
        self.windows[index].first_row as usize * ROW_BYTES..end as usize * ROW_BYTES
    }

    /// Reads a window into `buffer`, unless the rows are in memory.
    fn read_window(&self, index: usize, buffer: &mut Vec<u8>) -> Result<()> {
        let SpooledData::OnDisk(file) = &self.data else { return Ok(()) };
        let bytes = self.bytes_of(index);
        buffer.resize(bytes.len(), 0);
        file.read_exact_at(buffer, bytes.start as u64).map_err(FileFault::at(&self.place.folder))
    }

    /// Returns the rows of the window with this byte range. If the rows are kept in a file, the caller must
    /// have read this window into `buffer` with [`read_window`](Self::read_window).
    #[inline]
    fn window<'b>(&'b self, bytes: Range<usize>, buffer: &'b [u8]) -> &'b [u8] {
        match &self.data {
            SpooledData::InMemory(rows) => &rows.get_ref()[bytes],
            SpooledData::OnDisk(_) => buffer,
        }
    }
}

/// The rows of a position, encoded as in the file.
#[derive(Default)]
struct PositionEdges(Vec<Bytes>);

impl PositionEdges {
    fn push(&mut self, row: &Row) {
        let (key, mv, step, games) = (row.key.0, row.mv.0, row.step.0, games_of(row));
        let edge = u64::from(games) << 32 | u64::from(step) << 16 | u64::from(mv);
        self.0.push((u128::from(edge) << 64 | u128::from(key)).to_le_bytes());
    }
}

impl Gather for PositionEdges {
    fn begin(&mut self, first: &Row) {
        self.0.clear();
        self.push(first);
    }

    fn add(&mut self, row: &Row) {
        match self.0.last_mut() {
            Some(last) if edge_of(last).mv == row.mv => {
                let games = edge_of(last).games.saturating_add(games_of(row));
                last[12..].copy_from_slice(&games.to_le_bytes());
            }
            // A terminal visit has no move to follow, so its row is kept only if the position has no other
            // row.
            Some(last) if edge_of(last).mv.is_terminal() => {
                self.0.clear();
                self.push(row);
            }
            _ => self.push(row),
        }
    }
}

fn games_of(row: &Row) -> u32 {
    u32::try_from(row.tally.games()).unwrap_or(u32::MAX)
}

fn key_of(row: &Bytes) -> u64 {
    // The key is the first of a row's two words.
    let (words, _) = row.as_chunks();
    u64::from_le_bytes(words[0])
}

/// Divides the rows of a window into buckets.
fn buckets_of(rows: &[u8]) -> Buckets {
    Buckets::of(rows.as_chunks().0.iter().map(key_of))
}

fn edge_of(row: &Bytes) -> PendingEdge {
    let games = u32::from_le_bytes([row[12], row[13], row[14], row[15]]);
    let half = |at: usize| u16::from_le_bytes([row[at], row[at + 1]]);
    PendingEdge { mv: PackedMove(half(8)), step: Step(half(10)), games }
}

/// Writes the rows of a new [`Pending`].
struct PendingWriter {
    data: SpooledTempFile,
    place: Place,
    windows: Vec<Window>,
    rows: u64,
    window: Vec<u8>,
}

impl PendingWriter {
    fn new(place: Place) -> Self {
        let data = tempfile::spooled_tempfile_in(place.memory_bytes, &place.folder);
        Self { data, place, windows: Vec::new(), rows: 0, window: Vec::with_capacity(WINDOW_BYTES) }
    }

    /// Adds the rows of a position.
    fn push(&mut self, position: &[Bytes]) -> Result<()> {
        if self.window.len() + position.as_flattened().len() > WINDOW_BYTES {
            self.write_window()?;
        }
        if let (true, Some(first)) = (self.window.is_empty(), position.first()) {
            self.windows.push(Window { first_key: key_of(first), first_row: self.rows });
        }
        self.window.extend_from_slice(position.as_flattened());
        self.rows += position.len() as u64;
        Ok(())
    }

    fn write_window(&mut self) -> Result<()> {
        self.data.write_all(&self.window).map_err(FileFault::at(&self.place.folder))?;
        self.window.clear();
        Ok(())
    }

    fn finish(mut self) -> Result<Pending> {
        self.write_window()?;
        let words = self.rows.div_ceil(64) as usize;
        let mut pending = Pending {
            data: self.data.into_inner(),
            place: self.place,
            windows: self.windows,
            buckets: Vec::new(),
            rows: self.rows,
            reached: vec![0; words],
            reached_rows: 0,
        };
        if matches!(pending.data, SpooledData::InMemory(_)) {
            let windows = 0..pending.windows.len();
            let bytes = windows.map(|index| pending.bytes_of(index));
            pending.buckets = bytes.map(|bytes| buckets_of(pending.window(bytes, &[]))).collect();
        }
        Ok(pending)
    }
}

/// Finds positions. Callers must ask for keys in ascending order.
pub(crate) struct PendingReader<'p> {
    pending: &'p mut Pending,
    /// The rows of the current window, if they are in a file.
    buffer: Vec<u8>,
    /// The buckets of the current window, if its rows are in a file.
    buckets: Buckets,
    window: Option<usize>,
    /// The byte range of the current window.
    bytes: Range<usize>,
}

impl PendingReader<'_> {
    /// Marks the position whose key is `key` as reached and returns its edges; returns `None` if there is no
    /// such position, or if it had been reached before.
    pub(crate) fn reach(&mut self, key: Key) -> Result<Option<impl Iterator<Item = PendingEdge> + '_>> {
        let Some(window) = self.window_of(key)? else { return Ok(None) };
        let rows = self.rows();
        let bucket = self.buckets_of(window).bucket(key.0);
        let at = bucket.start + rows[bucket].partition_point(|row| key_of(row) < key.0);
        let count = rows[at..].iter().take_while(|row| key_of(row) == key.0).count();
        let first = self.pending.windows[window].first_row + at as u64;
        if count == 0 || self.pending.is_reached(first) {
            return Ok(None);
        }
        for row in first..first + count as u64 {
            self.pending.set_reached(row);
        }
        self.pending.reached_rows += count as u64;
        let edges = self.rows()[at..at + count].iter().map(edge_of);
        Ok(Some(edges.filter(|edge| !edge.mv.is_terminal())))
    }

    /// Loads the rows of `key` into the cache, for a later call.
    pub(crate) fn prefetch(&self, key: Key) {
        let Some(window) = self.window else { return };
        let rows = self.rows();
        let bucket = self.buckets_of(window).bucket(key.0);
        prefetch(rows, bucket.start);
        prefetch(rows, bucket.end);
    }

    /// The rows of the current window.
    #[inline]
    fn rows(&self) -> &[Bytes] {
        self.pending.window(self.bytes.clone(), &self.buffer).as_chunks().0
    }

    fn buckets_of(&self, window: usize) -> &Buckets {
        self.pending.buckets.get(window).unwrap_or(&self.buckets)
    }

    /// Returns the window that would contain `key`; `None` if `key` is before the first window. Reads this
    /// window unless it is already the current window.
    fn window_of(&mut self, key: Key) -> Result<Option<usize>> {
        let from = self.window.unwrap_or(0);
        let windows = self.pending.windows[from..].iter();
        let begun = windows.take_while(|window| window.first_key <= key.0).count();
        let Some(window) = begun.checked_sub(1).map(|ahead| from + ahead) else { return Ok(None) };
        if self.window != Some(window) {
            self.pending.read_window(window, &mut self.buffer)?;
            if self.pending.buckets.is_empty() {
                self.buckets = buckets_of(&self.buffer);
            }
            self.window = Some(window);
            self.bytes = self.pending.bytes_of(window);
        }
        Ok(Some(window))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(key: u64, mv: u16) -> Bytes {
        let mut bytes = [0; ROW_BYTES];
        bytes[..8].copy_from_slice(&key.to_le_bytes());
        bytes[8..10].copy_from_slice(&mv.to_le_bytes());
        bytes
    }

    #[test]
    fn a_folder_that_takes_no_file_is_named() {
        let place = Place { folder: PathBuf::from("/proc/nowhere"), memory_bytes: 8 };
        let mut writer = PendingWriter::new(place);
        writer.push(&[row(1, 1)]).unwrap();
        let error = writer.finish().err().unwrap().to_string();
        assert!(error.starts_with("/proc/nowhere: "), "{error}");
    }

    #[test]
    fn each_position_is_reached_once_and_no_window_cuts_one() {
        check_each_position(0);
        check_each_position(1 << 30);
    }

    fn check_each_position(memory_bytes: usize) {
        let dir = tempfile::tempdir().unwrap();
        let mut writer = PendingWriter::new(Place { folder: dir.path().to_owned(), memory_bytes });
        let moves = |key: u64| 1 + key as usize % 5;
        for key in 0..10_000u64 {
            let rows: Vec<_> = (1..=moves(key)).map(|mv| row(key * 2, mv as u16)).collect();
            writer.push(&rows).unwrap();
        }
        let mut pending = writer.finish().unwrap();
        assert!(pending.windows.len() > 5);
        for stride in [7, 3, 1u64] {
            let mut reader = pending.read();
            for key in (0..10_000u64).step_by(stride as usize) {
                let new =
                    [7, 3].iter().take_while(|&&before| before != stride).all(|before| key % before != 0);
                let found =
                    reader.reach(Key(key * 2)).unwrap().map(|edges| edges.map(|edge| edge.mv.0).collect());
                let expected: Vec<_> = (1..=moves(key) as u16).collect();
                assert_eq!(found, new.then_some(expected), "{key}");
                assert!(reader.reach(Key(key * 2 + 1)).unwrap().is_none());
            }
            let left = pending.rows - pending.reached_rows;
            pending.drop_reached_if_many().unwrap();
            assert_eq!(pending.rows - pending.reached_rows, left);
        }
        assert_eq!(pending.rows, 0);
    }
}
