//! A chunk: the unit of text that a worker reads.

use std::ops::Range;

use super::{
    bounds::GameBounds,
    cut::{Games, pieces},
    line_ends::LineEnds,
    place::Place,
    rule::Rule,
};

/// The maximum capacity, in bytes, of a buffer that is kept for another chunk.
const KEPT_BYTES_MAX: usize = 4 << 20;

/// Text that consists of whole games, in the order of the input.
#[derive(Clone, Debug)]
pub struct Chunk {
    /// The place of the chunk's first byte.
    pub place: Place,
    /// The bytes of the chunk. They begin where a game or the stream starts, and end where a later game
    /// starts or the stream ends. If the chunk is a game that is too long, `text` holds only the beginning of
    /// that game.
    pub text: Vec<u8>,
    /// The offset in the part at which the next chunk begins. This is the end of the text or, if the text is
    /// only the beginning of a game that is too long, the end of that game.
    pub(crate) end: u64,
    pub(crate) rule: Rule,
    /// The limits on the size of the chunk's games.
    pub bounds: GameBounds,
    /// The copies among the chunk's games, in ascending order of their offsets, as passed to
    /// [`Self::mark_copies`].
    pub(crate) copies: Vec<(u64, Option<Place>)>,
}

impl Chunk {
    /// Marks games as copies of others. Each item contains the offset of a copy
    /// ([`Piece::offset`](super::Piece::offset)) and the place of the original game in the inputs. If a table
    /// already counts the original, the item contains `None` instead of that place. The offsets must be in
    /// ascending order.
    pub fn mark_copies(&mut self, copies: Vec<(u64, Option<Place>)>) {
        self.copies = copies;
    }

    /// If the game at `offset` is a copy, returns its mark: the place of the original, or `None` if a table
    /// already counts the original.
    #[must_use]
    pub fn copy_at(&self, offset: usize) -> Option<Option<Place>> {
        let found = self.copies.binary_search_by_key(&(offset as u64), |(at, _)| *at);
        found.ok().map(|index| self.copies[index].1)
    }

    /// The games of the chunk.
    pub fn games(&self) -> Games<'_> {
        pieces(&self.text, self.rule, self.bounds)
    }

    /// Frees the text's memory if a long game has made it unusually large. Otherwise the memory is kept for
    /// another chunk.
    pub fn release_long_text(&mut self) {
        if self.text.capacity() > KEPT_BYTES_MAX {
            self.text = Vec::new();
        }
    }

    /// The range that the chunk covers in the text of its part.
    #[must_use]
    pub fn span(&self) -> Range<u64> {
        self.place.offset..self.end
    }

    /// How the chunk's lines end.
    pub fn line_ends(&self) -> LineEnds {
        self.rule.ends
    }

    /// The place of a byte in the chunk, such as [`super::Piece::offset`].
    #[must_use]
    pub fn place_of(&self, offset: usize) -> Place {
        Place { offset: self.place.offset + offset as u64, ..self.place }
    }
}
