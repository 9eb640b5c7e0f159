//! A learning book: book moves and their learned values.

use std::{collections::BTreeSet, ops::Range};

use position::{Key, PackedMove};
use shakmaty::Color;

use super::{
    Family, LearningBookBuilder, LessonLimits, Origin, SourceLessons,
    positions::Positions,
    provenance::{Chains, NONE},
};
use crate::search::is_playable;

/// The book moves in each position, and the values learned for these moves.
///
/// # Memory
///
/// Uses sixteen bytes of memory for each move, thirteen to fourteen for each position, and another sixteen
/// for each source from which a move has lessons.
#[derive(Clone, Debug)]
#[must_use]
pub struct LearningBook {
    pub(super) positions: Positions,
    pub(super) edges: Vec<Edge>,
    pub(super) chains: Chains,
    /// The moves that were playable until lessons in this book made them unplayable.
    pub(super) banned: BTreeSet<u32>,
    pub(super) limits: LessonLimits,
}

/// A book move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    /// The learned value in pawns, from the mover's point of view.
    pub(super) learn: f32,
    /// The number of lessons.
    pub(super) count: u32,
    /// The first link in the move's chain of sources.
    pub(super) taught: u32,
    pub(super) mv: PackedMove,
}

/// A book move, as returned by [`LearningBook::edges`].
#[derive(Clone, Copy, Debug)]
pub struct LearnedEdge<'a> {
    /// The position before the move.
    pub key: Key,
    /// The move.
    pub mv: PackedMove,
    /// The learned value in pawns, from the mover's point of view; 0 if nothing was learned.
    pub learn: f32,
    /// The number of lessons, including those from before this book was built.
    pub count: u32,
    head: u32,
    chains: &'a Chains,
}

impl LearnedEdge<'_> {
    /// Whether a record or game has taught this book anything about the move.
    #[must_use]
    pub fn is_taught(&self) -> bool {
        self.head != NONE
    }

    /// Returns this book's lessons for the move, with one entry for each source, in ascending order of
    /// sources.
    #[must_use]
    pub fn taught(&self) -> Vec<SourceLessons> {
        let mut taught: Vec<_> = self.chains.iter(self.head).collect();
        taught.reverse();
        taught
    }
}

impl LearningBook {
    /// A builder for a book.
    pub fn builder() -> LearningBookBuilder {
        LearningBookBuilder::default()
    }

    /// Limits how much future lessons can change this book.
    pub fn limited(self, limits: LessonLimits) -> Self {
        Self { limits, ..self }
    }

    /// All moves, in ascending order of key and move.
    pub fn edges(&self) -> impl Iterator<Item = LearnedEdge<'_>> {
        self.positions
            .iter()
            .flat_map(move |(key, moves)| self.edges[moves].iter().map(move |edge| self.learned(key, edge)))
    }

    /// The moves that lessons in this book have made unplayable, as ascending indices into
    /// [`edges`](Self::edges).
    #[must_use]
    pub fn banned(&self) -> impl ExactSizeIterator<Item = usize> {
        self.banned.iter().map(|&edge| edge as usize)
    }

    /// The move `mv` in position `key`; `None` if it is not a book move.
    #[must_use]
    pub fn edge(&self, key: Key, mv: PackedMove) -> Option<LearnedEdge<'_>> {
        let moves = self.positions.find(key);
        let edge = self.edges[moves].iter().find(|edge| edge.mv == mv)?;
        Some(self.learned(key, edge))
    }

    fn learned(&self, key: Key, edge: &Edge) -> LearnedEdge<'_> {
        let &Edge { learn, count, taught: head, mv } = edge;
        LearnedEdge { key, mv, learn, count, head, chains: &self.chains }
    }

    /// Returns the number of playable moves that `side` has in a position, according to the rules of
    /// `family`.
    #[must_use]
    pub fn alternatives(&self, family: Family, key: Key, side: Color) -> u32 {
        self.playable(self.positions.find(key), family.tests_white_view() && side.is_black())
    }

    /// The number of playable moves among `moves`. If `flipped` is true, values are seen from the other
    /// side's point of view.
    #[inline]
    pub(super) fn playable(&self, moves: Range<usize>, flipped: bool) -> u32 {
        let sign = if flipped { -1.0 } else { 1.0 };
        self.edges[moves].iter().map(|edge| u32::from(is_playable(sign * edge.learn))).sum()
    }

    /// The index of `mv`, if it is one of `moves`.
    #[inline]
    pub(super) fn find_move(&self, moves: Range<usize>, mv: PackedMove) -> Option<u32> {
        let at = self.edges[moves.clone()].iter().position(|edge| edge.mv == mv)?;
        Some((moves.start + at) as u32)
    }

    /// Records a lesson for the move at `edge`, along with its source.
    #[inline]
    pub(super) fn note(&mut self, edge: usize, origin: Origin) {
        let edge = &mut self.edges[edge];
        edge.count = edge.count.saturating_add(1);
        self.chains.note(&mut edge.taught, origin);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_book_finds_nothing() {
        let book = LearningBook::builder().finish();
        assert!(book.edge(Key::START, PackedMove(1)).is_none());
        assert_eq!(book.edges().count(), 0);
    }
}
