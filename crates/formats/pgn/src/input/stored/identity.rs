//! The identity of an input: a hash of its stored bytes that can be computed piece by piece.
//!
//! # Format
//! The bytes are cut into blocks of [`BLOCK_BYTES`], the last of which may be shorter; an empty input has no
//! block. The identity is the XXH3-64 of the blocks' XXH3-64s, eight little-endian bytes each, in order. So a
//! reader of a single block can hash it alone, and a reader that continues where others stopped needs only
//! the hashes of the earlier blocks. For an input of one block, the identity can be computed from the XXH3-64
//! of all its bytes.

use xxhash_rust::xxh3::{Xxh3Default, xxh3_64};

/// Bytes of a block.
pub const BLOCK_BYTES: u64 = 64 << 20;

/// The identity of the input whose blocks have these hashes.
#[must_use]
pub fn identity_of_blocks(blocks: &[u64]) -> u64 {
    let bytes: Vec<u8> = blocks.iter().flat_map(|block| block.to_le_bytes()).collect();
    xxh3_64(&bytes)
}

/// Hashes the blocks of an input, one after another.
pub(crate) struct BlockHasher {
    block: Xxh3Default,
    /// The number of bytes of the current block that have been hashed so far; less than [`BLOCK_BYTES`].
    block_bytes: u64,
}

impl BlockHasher {
    /// Creates a hasher at the first byte of a block.
    pub(crate) fn new() -> Self {
        Self { block: Xxh3Default::new(), block_bytes: 0 }
    }

    /// Hashes the next bytes; calls `completed` with the hash of each block that they complete.
    pub(crate) fn update(&mut self, mut bytes: &[u8], mut completed: impl FnMut(u64)) {
        while let Some((rest_of_block, after)) = bytes.split_at_checked(self.missing_bytes()) {
            self.block.update(rest_of_block);
            completed(self.block.digest());
            *self = Self::new();
            bytes = after;
        }
        self.block.update(bytes);
        self.block_bytes += bytes.len() as u64;
    }

    fn missing_bytes(&self) -> usize {
        usize::try_from(BLOCK_BYTES - self.block_bytes).unwrap_or(usize::MAX)
    }

    /// The hash of the incomplete block at the end, if there is one.
    pub(crate) fn last(&self) -> Option<u64> {
        (self.block_bytes > 0).then(|| self.block.digest())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blocks(bytes: &[u8], step: usize) -> Vec<u64> {
        let (mut hasher, mut blocks) = (BlockHasher::new(), Vec::new());
        for piece in bytes.chunks(step) {
            hasher.update(piece, |block| blocks.push(block));
        }
        blocks.extend(hasher.last());
        blocks
    }

    #[test]
    fn blocks_are_the_same_however_the_bytes_come() {
        let block = BLOCK_BYTES as usize;
        let bytes: Vec<u8> =
            (0..2 * block as u32 + 5).map(|at| (at.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
        let expected = [&bytes[..block], &bytes[block..2 * block], &bytes[2 * block..]].map(xxh3_64);
        for step in [bytes.len(), block, block + 1, 1 << 20, 999_983] {
            assert_eq!(blocks(&bytes, step), expected, "{step} bytes at a time");
        }
        assert_eq!(blocks(&bytes[..2 * block], 1 << 20), expected[..2], "no empty block at the end");
        assert_eq!(blocks(b"", 1), []);
    }

    #[test]
    fn the_identity_is_the_hash_of_the_hashes() {
        assert_eq!(identity_of_blocks(&[]), xxh3_64(b""));
        assert_eq!(
            identity_of_blocks(&[0x0102, 3]),
            xxh3_64(&[2, 1, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0])
        );
        let whole = xxh3_64(b"[Event \"x\"]");
        assert_eq!(identity_of_blocks(&blocks(b"[Event \"x\"]", 3)), xxh3_64(&whole.to_le_bytes()));
    }
}
