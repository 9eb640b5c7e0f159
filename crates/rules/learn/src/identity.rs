//! The identity of a record or game: a 64-bit XXH3 hash that is used to recognise copies.
//!
//! # Stability
//!
//! Identities are stored in experience files (`ExperienceKind::Seen`), so the bytes that are hashed and their
//! order must never change. A string is hashed as its length in one byte followed by its bytes, a number as
//! eight bytes, and a move as two. All numbers are little-endian.

use position::PackedMove;
use xxhash_rust::xxh3::Xxh3Default;

/// Crafty's importer has room for 31 bytes of a name; a longer name overflows its buffer (15.17
/// `LearnImportBook`).
pub(crate) const NAME_BYTES_MAX: usize = 31;

/// Hashes the parts of an identity.
pub(crate) struct Identity(Xxh3Default);

impl Identity {
    pub(crate) fn new() -> Self {
        Self(Xxh3Default::new())
    }

    /// Adds the first 31 bytes of a name, or slightly fewer if that would split a character.
    pub(crate) fn name(mut self, name: &str) -> Self {
        let bytes = &name.as_bytes()[..name.floor_char_boundary(NAME_BYTES_MAX)];
        self.0.update(&[bytes.len() as u8]);
        self.0.update(bytes);
        self
    }

    pub(crate) fn number(mut self, number: i64) -> Self {
        self.0.update(&number.to_le_bytes());
        self
    }

    pub(crate) fn moves(mut self, moves: impl ExactSizeIterator<Item = PackedMove>) -> Self {
        self.0.update(&(moves.len() as u64).to_le_bytes());
        for mv in moves {
            self.0.update(&mv.0.to_le_bytes());
        }
        self
    }

    pub(crate) fn finish(self) -> u64 {
        self.0.digest()
    }
}
