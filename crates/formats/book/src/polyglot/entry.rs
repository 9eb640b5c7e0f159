//! One entry of a Polyglot book.

use position::{Key, PackedMove};

/// The size of an entry in bytes.
pub(crate) const ENTRY_BYTES: usize = 16;

/// A move in a position, with the weight of the move.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct PolyglotEntry {
    /// The position.
    pub key: Key,
    /// The move; 0 is not a move.
    pub mv: PackedMove,
    /// The weight; moves are chosen in proportion to their weights.
    pub weight: u16,
    /// The bits that Polyglot once used for learning; [`LearnField`](super::LearnField) determines what Tabia
    /// writes there.
    pub learn: u32,
}

impl PolyglotEntry {
    /// Encodes the entry as bytes.
    #[must_use]
    pub fn to_bytes(self) -> [u8; ENTRY_BYTES] {
        let bits = u128::from(self.key.0) << 64
            | u128::from(self.mv.0) << 48
            | u128::from(self.weight) << 32
            | u128::from(self.learn);
        bits.to_be_bytes()
    }

    /// Decodes an entry from its bytes.
    #[must_use]
    pub fn from_bytes(bytes: [u8; ENTRY_BYTES]) -> Self {
        let bits = u128::from_be_bytes(bytes);
        Self {
            key: Key((bits >> 64) as u64),
            mv: PackedMove((bits >> 48) as u16),
            weight: (bits >> 32) as u16,
            learn: bits as u32,
        }
    }
}
