//! The checksum section, and the writer that computes it.
//!
//! # Format
//!
//! The bytes between the header and this section are divided into blocks of 65,536 bytes; the last block may
//! be shorter. The section contains the XXH3-64 hash (seed 0) of each block in order, as eight little-endian
//! bytes. A hash of the section itself is in the header.

use std::{
    fs::File,
    io::{self, Write},
};

use xxhash_rust::xxh3::xxh3_64;

/// The size of a block in bytes.
pub(crate) const BLOCK_BYTES: usize = 64 * 1024;

/// Writes the bytes after the header, block by block.
///
/// # Memory
///
/// The writer holds one block, and eight bytes for each block written.
#[derive(Debug)]
pub(crate) struct BlockWriter {
    block: Vec<u8>,
    checksums: Vec<u8>,
}

impl BlockWriter {
    pub(crate) fn new() -> Self {
        Self { block: Vec::with_capacity(BLOCK_BYTES), checksums: Vec::new() }
    }

    /// Writes `bytes` to `file`, either now or together with a later block.
    pub(crate) fn write(&mut self, file: &mut File, mut bytes: &[u8]) -> io::Result<()> {
        while !bytes.is_empty() {
            let (now, later) = bytes.split_at(bytes.len().min(BLOCK_BYTES - self.block.len()));
            self.block.extend(now);
            bytes = later;
            if self.block.len() == BLOCK_BYTES {
                self.write_block(file)?;
            }
        }
        Ok(())
    }

    fn write_block(&mut self, file: &mut File) -> io::Result<()> {
        self.checksums.extend(xxh3_64(&self.block).to_le_bytes());
        file.write_all(&self.block)?;
        self.block.clear();
        Ok(())
    }

    /// Writes the last block and then the checksums, and returns the checksums.
    pub(crate) fn finish(&mut self, file: &mut File) -> io::Result<Vec<u8>> {
        if !self.block.is_empty() {
            self.write_block(file)?;
        }
        file.write_all(&self.checksums)?;
        Ok(std::mem::take(&mut self.checksums))
    }
}
