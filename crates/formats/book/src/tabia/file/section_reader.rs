//! Reads whole sections of a book in order.

use std::ops::Range;

use super::{BookFile, Bytes, block_of};
use crate::{Result, tabia::header::HEADER_BYTES};

/// Reads ranges of a book's file with `pread`, mostly in ascending order, and checks every block that it
/// reads.
///
/// # Memory
///
/// Holds at most the blocks that one range spans.
#[derive(Debug)]
pub(crate) struct SectionReader<'a> {
    file: &'a BookFile,
    /// The checked bytes, followed by unused memory that later blocks can fill.
    window: Vec<u8>,
    /// The number of checked bytes in the window. The last of them is the last byte of a block.
    checked: usize,
    /// The offset of the window in the file.
    at: usize,
}

impl<'a> SectionReader<'a> {
    /// Creates a reader that has not read anything yet.
    pub(crate) fn new(file: &'a BookFile) -> Self {
        Self { file, window: Vec::new(), checked: 0, at: HEADER_BYTES }
    }

    /// Moves the window so that it covers a range, and reads the bytes that it does not have yet.
    #[cold]
    fn move_to(&mut self, range: &Range<usize>) -> Result<()> {
        if (self.at..self.at + self.checked).contains(&range.start) {
            let dropped = range.start - self.at;
            self.window.copy_within(dropped..self.checked, 0);
            self.checked -= dropped;
            self.at = range.start;
        } else {
            self.checked = 0;
            self.at = self.file.range_of(block_of(range.start)).start;
        }
        while self.at + self.checked < range.end {
            self.read_block(block_of(self.at + self.checked)).inspect_err(|_| self.checked = 0)?;
        }
        Ok(())
    }

    /// Reads the block that follows the checked bytes.
    fn read_block(&mut self, block: usize) -> Result<()> {
        let range = self.file.range_of(block);
        let end = self.checked + range.len();
        if self.window.len() < end {
            self.window.resize(end, 0);
        }
        let bytes = &mut self.window[self.checked..end];
        self.file.read_block(block, bytes)?;
        self.checked = end;
        Ok(())
    }
}

impl Bytes for SectionReader<'_> {
    #[inline]
    fn bytes(&mut self, range: Range<usize>) -> Result<&[u8]> {
        if range.start < self.at || range.end > self.at + self.checked {
            self.move_to(&range)?;
        }
        Ok(&self.window[range.start - self.at..range.end - self.at])
    }
}
