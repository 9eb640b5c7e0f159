//! The edges of one part of the walk whose positions the walk has not reached yet.
//!
//! # Format
//!
//! Rows of twelve bytes, ascending by key and move: key u64, move u16, step u16, little-endian. A position
//! that games only end in has one row with move 0.
//!
//! # Stability
//!
//! Unnamed temporary files of one process.

use std::{
    fs::File,
    io::{BufReader, BufWriter, Read, Seek, Write},
    ops::Range,
    path::{Path, PathBuf},
};

use position::{Key, PackedMove, Step};
use table::SortedRows;

use crate::{
    Error, Result,
    stream::{self, GroupedPosition},
};

const ROW_BYTES: usize = 12;
const BUFFER_BYTES: usize = 1 << 18;

/// The rows that are left.
///
/// # Memory
///
/// One bit a position.
pub(crate) struct Pending {
    file: File,
    /// Where the file is, for errors: it has no name.
    folder: PathBuf,
    rows: u64,
    positions: u64,
    /// One bit a position of the file, in its order.
    reached: Vec<u64>,
    reached_positions: u64,
}

/// A position and the moves played from it.
#[derive(Default)]
pub(crate) struct PendingPosition {
    pub(crate) key: Key,
    pub(crate) moves: Vec<(PackedMove, Step)>,
}

/// Writes the rows of a [`Pending`].
pub(crate) struct PendingWriter {
    file: BufWriter<File>,
    folder: PathBuf,
    rows: u64,
    positions: u64,
}

/// Reads positions in order.
pub(crate) struct PendingReader<'p> {
    file: BufReader<&'p mut File>,
    folder: &'p Path,
    rows_left: u64,
    next: Option<(Key, PackedMove, Step)>,
    /// Number of the position last read.
    index: Option<u64>,
}

impl Pending {
    /// All edges of consecutive shards, groups put together.
    pub(crate) fn of_shards(edges: &impl SortedRows, shards: Range<u32>, temp_dir: &Path) -> Result<Self> {
        let (mut position, mut pending) = (GroupedPosition::default(), PendingPosition::default());
        let mut writer = PendingWriter::create(temp_dir)?;
        for shard in shards {
            let mut positions = stream::open(edges, shard)?;
            while positions.next_into(&mut position)? {
                pending.key = position.key;
                pending.moves.clear();
                pending.moves.extend(position.moves().map(|rows| (rows[0].mv, rows[0].step)));
                writer.push(&pending)?;
            }
        }
        writer.finish()
    }

    /// Whether enough positions were reached that the file is worth writing anew without them.
    pub(crate) fn is_stale(&self) -> bool {
        self.reached_positions > self.positions / 4
    }

    /// Whether any position is left.
    pub(crate) fn is_done(&self) -> bool {
        self.reached_positions == self.positions
    }

    pub(crate) fn set_reached(&mut self, indices: &[u64]) {
        for index in indices {
            self.reached[(index / 64) as usize] |= 1 << (index % 64);
        }
        self.reached_positions += indices.len() as u64;
    }

    /// A reader at the first position, and which positions were reached.
    pub(crate) fn read(&mut self) -> Result<(PendingReader<'_>, &[u64])> {
        self.file.rewind().map_err(Error::io(&self.folder))?;
        let mut reader = PendingReader {
            file: BufReader::with_capacity(BUFFER_BYTES, &mut self.file),
            folder: &self.folder,
            rows_left: self.rows,
            next: None,
            index: None,
        };
        reader.advance()?;
        Ok((reader, &self.reached))
    }
}

impl PendingWriter {
    pub(crate) fn create(temp_dir: &Path) -> Result<Self> {
        let file = tempfile::tempfile_in(temp_dir).map_err(Error::io(temp_dir))?;
        let file = BufWriter::with_capacity(BUFFER_BYTES, file);
        Ok(Self { file, folder: temp_dir.to_owned(), rows: 0, positions: 0 })
    }

    pub(crate) fn push(&mut self, position: &PendingPosition) -> Result<()> {
        if position.moves.is_empty() {
            self.row(position.key, (PackedMove::TERMINAL, Step::default()))?;
        }
        self.positions += 1;
        position.moves.iter().try_for_each(|edge| self.row(position.key, *edge))
    }

    fn row(&mut self, key: Key, (mv, step): (PackedMove, Step)) -> Result<()> {
        let mut bytes = [0; ROW_BYTES];
        bytes[..8].copy_from_slice(&key.0.to_le_bytes());
        bytes[8..10].copy_from_slice(&mv.0.to_le_bytes());
        bytes[10..].copy_from_slice(&step.0.to_le_bytes());
        self.rows += 1;
        self.file.write_all(&bytes).map_err(Error::io(&self.folder))
    }

    pub(crate) fn finish(self) -> Result<Pending> {
        let flushed = self.file.into_inner().map_err(std::io::IntoInnerError::into_error);
        let file = flushed.map_err(Error::io(&self.folder))?;
        let words = self.positions.div_ceil(64) as usize;
        Ok(Pending {
            file,
            folder: self.folder,
            rows: self.rows,
            positions: self.positions,
            reached: vec![0; words],
            reached_positions: 0,
        })
    }
}

impl PendingReader<'_> {
    /// Reads the next position into `position` and gives its number; `None` at the end.
    pub(crate) fn next_into(&mut self, position: &mut PendingPosition) -> Result<Option<u64>> {
        let Some((key, _, _)) = self.next else { return Ok(None) };
        position.key = key;
        position.moves.clear();
        while let Some((_, mv, step)) = self.next.filter(|(next, ..)| *next == key) {
            if !mv.is_terminal() {
                position.moves.push((mv, step));
            }
            self.advance()?;
        }
        self.index = Some(self.index.map_or(0, |index| index + 1));
        Ok(self.index)
    }

    fn advance(&mut self) -> Result<()> {
        self.next = None;
        if self.rows_left > 0 {
            self.rows_left -= 1;
            let mut bytes = [0; ROW_BYTES];
            self.file.read_exact(&mut bytes).map_err(Error::io(self.folder))?;
            let low = |range: Range<usize>| {
                bytes[range].iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte))
            };
            self.next = Some((Key(low(0..8)), PackedMove(low(8..10) as u16), Step(low(10..12) as u16)));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_disk_is_reported_with_the_folder() {
        let full = File::options().write(true).open("/dev/full").unwrap();
        let folder = PathBuf::from("spilled/here");
        let mut writer = PendingWriter { file: BufWriter::new(full), folder, rows: 0, positions: 0 };
        writer.push(&PendingPosition::default()).unwrap();
        let error = writer.finish().err().unwrap().to_string();
        assert!(error.starts_with("spilled/here: No space left"), "{error}");
    }
}
