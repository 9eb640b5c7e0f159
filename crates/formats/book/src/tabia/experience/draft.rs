//! Builds the experience sections of a book that is being written.

use std::io::{self, Read, Seek, SeekFrom, Write};

use position::{ExperienceKind, ExperienceRow, Key, PackedMove};
use serde_json::Value;
use tempfile::SpooledTempFile;

use super::row;

/// The size in bytes above which the rows are moved to a temporary file.
const ROWS_IN_MEMORY: usize = 1 << 20;

/// The experience rows of a book that is being written.
///
/// # Memory
///
/// Holds sixteen bytes per position with experience, and up to a megabyte of rows; if there are more, all
/// rows are in a temporary file.
#[derive(Debug)]
pub(crate) struct Draft {
    /// The index section.
    pub(crate) index: Vec<u8>,
    rows: SpooledTempFile,
    pub(crate) rows_bytes: u64,
    pub(crate) sources: Value,
    /// Whether there are evaluations among the rows.
    pub(crate) has_evaluations: bool,
    last: Option<(Key, PackedMove, ExperienceKind)>,
    bytes: Vec<u8>,
}

impl Draft {
    pub(crate) fn new(sources: Value) -> Self {
        let rows = tempfile::spooled_tempfile(ROWS_IN_MEMORY);
        let (index, bytes) = (Vec::new(), Vec::new());
        Self { index, rows, rows_bytes: 0, sources, has_evaluations: false, last: None, bytes }
    }

    /// Adds a row.
    ///
    /// # Panics
    ///
    /// Panics if the row does not come after the previous one, or is of kind `seen`.
    pub(crate) fn push(&mut self, row: &ExperienceRow) -> io::Result<()> {
        assert!(self.last < Some(row.id()), "experience rows ascend: {:?} after {:?}", row.id(), self.last);
        assert!(row.kind.is_for_books(), "rows of kind {} are not stored in a book", <&str>::from(row.kind));
        if self.last.is_none_or(|(key, ..)| key != row.key) {
            self.index.extend(row.key.0.to_le_bytes());
            self.index.extend(self.rows_bytes.to_le_bytes());
        }
        self.last = Some(row.id());
        self.has_evaluations |= row.kind.is_evaluation();
        self.bytes.clear();
        row::write(row, &mut self.bytes);
        self.rows_bytes += self.bytes.len() as u64;
        self.rows.write_all(&self.bytes)
    }

    /// Passes the rows section to `write`, piece by piece.
    pub(crate) fn for_each_piece(
        &mut self,
        mut write: impl FnMut(&[u8]) -> io::Result<()>,
    ) -> io::Result<()> {
        self.rows.seek(SeekFrom::Start(0))?;
        let mut piece = vec![0; 64 * 1024];
        loop {
            let bytes = self.rows.read(&mut piece)?;
            if bytes == 0 {
                return Ok(());
            }
            write(&piece[..bytes])?;
        }
    }
}
