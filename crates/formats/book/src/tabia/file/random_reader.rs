//! Reads a few bytes anywhere in a book.

use std::{ops::Range, sync::Arc};

use super::{Blocks, BookFile, Bytes, FileNumber, blocks_of, cache::CACHE};
use crate::Result;

/// Reads ranges of a book's file in any order. A block is checked when it is first read.
///
/// # Memory
///
/// Needs no memory for a mapped file. For other files it holds the last block that it took from the cache,
/// and a copy of the last range that spanned several blocks.
#[derive(Debug)]
pub(crate) struct RandomReader<'a> {
    file: &'a BookFile,
    /// The number and the bytes of the block last read from the cache.
    block: Option<(usize, Arc<Vec<u8>>)>,
    /// The bytes of the last range that spanned several blocks.
    joined: Vec<u8>,
}

impl<'a> RandomReader<'a> {
    /// Creates a reader that has not read anything yet.
    #[inline]
    pub(crate) fn new(file: &'a BookFile) -> Self {
        Self { file, block: None, joined: Vec::new() }
    }

    /// The bytes of a range, read through the cache.
    fn cached(&mut self, number: FileNumber, range: Range<usize>) -> Result<&[u8]> {
        let blocks = blocks_of(&range);
        match blocks.len() {
            0 => return Ok(&[]),
            1 => return self.in_block(number, blocks.start, range),
            _ => {}
        }
        let mut joined = std::mem::take(&mut self.joined);
        joined.clear();
        for block in blocks {
            let of_block = self.file.range_of(block);
            let part = range.start.max(of_block.start)..range.end.min(of_block.end);
            joined.extend_from_slice(self.in_block(number, block, part)?);
        }
        self.joined = joined;
        Ok(&self.joined)
    }

    /// Returns the bytes of a range that lies within one block.
    fn in_block(&mut self, number: FileNumber, block: usize, range: Range<usize>) -> Result<&[u8]> {
        let held = match self.block.take() {
            Some(held) if held.0 == block => held,
            _ => (block, CACHE.get_or_read((number, block), || self.file.block(block))?),
        };
        let start = self.file.range_of(block).start;
        let (_, bytes) = self.block.insert(held);
        Ok(&bytes[range.start - start..range.end - start])
    }
}

impl Bytes for RandomReader<'_> {
    #[inline]
    fn bytes(&mut self, range: Range<usize>) -> Result<&[u8]> {
        match &self.file.blocks {
            Blocks::Mapped(blocks) => self.file.mapped(blocks, range),
            &Blocks::Cached(number) => self.cached(number, range),
        }
    }
}
