//! A chunk: what a worker gets to read.

use std::ops::Range;

use super::{
    bounds::GameBounds,
    cut::{Games, pieces},
    line_ends::LineEnds,
    place::Place,
    rule::Rule,
};

/// The longest text whose memory is kept for another chunk.
const KEPT_BYTES_MAX: usize = 4 << 20;

/// A text of whole games, in the order of their input.
#[derive(Clone, Debug)]
pub struct Chunk {
    /// The place of its first byte.
    pub place: Place,
    /// Its bytes: from a game start, or the start of a stream, to another or the end.
    pub text: Vec<u8>,
    /// Offset at which the next chunk of its part begins: behind the text, or behind a game that is longer
    /// than what the text shows of it.
    pub(crate) end: u64,
    pub(crate) rule: Rule,
    pub(crate) bounds: GameBounds,
    /// Its games that are copies, ascending by where they begin in it.
    pub(crate) copies: Vec<(u64, Option<Place>)>,
}

impl Chunk {
    /// Marks games as copies of others: where each begins (as [`Piece::offset`](super::Piece::offset)), and
    /// the place of the game that it is a copy of, `None` for one that was counted before; ascending.
    pub fn mark_copies(&mut self, copies: Vec<(u64, Option<Place>)>) {
        self.copies = copies;
    }

    /// What the game at `offset` is a copy of, as it was marked; `None` if it is no copy.
    #[must_use]
    pub fn copy_at(&self, offset: usize) -> Option<Option<Place>> {
        let found = self.copies.binary_search_by_key(&(offset as u64), |(at, _)| *at);
        found.ok().map(|index| self.copies[index].1)
    }

    /// The games of the chunk.
    pub fn games(&self) -> Games<'_> {
        pieces(&self.text, self.rule, self.bounds)
    }

    /// Gives back the memory of a text that is much longer than most, because of one game. A text of the
    /// usual length keeps it, to be used again.
    pub fn release_long_text(&mut self) {
        if self.text.capacity() > KEPT_BYTES_MAX {
            self.text = Vec::new();
        }
    }

    /// How large its games may be.
    #[must_use]
    pub fn bounds(&self) -> GameBounds {
        self.bounds
    }

    /// The text of its part that the chunk is made of.
    #[must_use]
    pub fn span(&self) -> Range<u64> {
        self.place.offset..self.end
    }

    /// How its lines end.
    pub fn line_ends(&self) -> LineEnds {
        self.rule.ends
    }

    /// Place of a byte of the chunk, such as [`super::Piece::offset`].
    #[must_use]
    pub fn place_of(&self, offset: usize) -> Place {
        Place { offset: self.place.offset + offset as u64, ..self.place }
    }
}
