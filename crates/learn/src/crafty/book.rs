//! The book the learning happens in.

use std::ops::Range;

use position::{Key, PackedMove};

use super::{
    LearningBookBuilder, Origin, Taught,
    positions::Positions,
    provenance::{Chains, NONE},
};
use crate::search::is_playable;

/// Positions with their book moves, each with what it learned.
///
/// # Memory
///
/// Sixteen bytes a move and thirteen to fourteen a position, plus sixteen for each move a source taught.
#[derive(Clone, Debug)]
pub struct LearningBook {
    pub(super) positions: Positions,
    pub(super) edges: Vec<Edge>,
    pub(super) chains: Chains,
}

/// A book move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    /// Pawns, mover's view.
    pub(super) learn: f32,
    /// Lessons.
    pub(super) count: u32,
    /// First link of its chain of sources.
    pub(super) taught: u32,
    pub(super) mv: PackedMove,
}

/// A book move as [`LearningBook::edges`] gives it.
#[derive(Clone, Copy, Debug)]
pub struct LearnedEdge<'a> {
    /// The position before the move.
    pub key: Key,
    /// The move.
    pub mv: PackedMove,
    /// Learned value, pawns, mover's view; 0 where nothing was learned.
    pub learn: f32,
    /// How many lessons made it, those it came with included.
    pub count: u32,
    head: u32,
    chains: &'a Chains,
}

impl LearnedEdge<'_> {
    /// Whether a record or game taught it here.
    #[must_use]
    pub fn is_taught(&self) -> bool {
        self.head != NONE
    }

    /// What each source taught it here, by number of source.
    #[must_use]
    pub fn taught(&self) -> Vec<Taught> {
        let mut taught: Vec<_> = self.chains.iter(self.head).collect();
        taught.reverse();
        taught
    }
}

impl LearningBook {
    /// A book to be filled.
    #[must_use]
    pub fn builder() -> LearningBookBuilder {
        LearningBookBuilder::default()
    }

    /// Number of positions with a move.
    #[must_use]
    pub fn positions(&self) -> usize {
        self.positions.len()
    }

    /// Number of moves.
    #[must_use]
    pub fn len(&self) -> usize {
        self.edges.len()
    }

    /// Whether it holds no move.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.edges.is_empty()
    }

    /// Every move, by key and move.
    pub fn edges(&self) -> impl Iterator<Item = LearnedEdge<'_>> {
        self.positions
            .iter()
            .flat_map(move |(key, moves)| self.edges[moves].iter().map(move |edge| self.learned(key, edge)))
    }

    /// One move.
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

    /// How many of `moves` are playable; with `flipped`, from the other side's view.
    #[inline]
    pub(super) fn playable(&self, moves: Range<usize>, flipped: bool) -> u32 {
        let sign = if flipped { -1.0 } else { 1.0 };
        self.edges[moves].iter().map(|edge| u32::from(is_playable(sign * edge.learn))).sum()
    }

    /// Which of `moves` is `mv`.
    #[inline]
    pub(super) fn find_move(&self, moves: Range<usize>, mv: PackedMove) -> Option<u32> {
        let at = self.edges[moves.clone()].iter().position(|edge| edge.mv == mv)?;
        Some((moves.start + at) as u32)
    }

    /// Notes who taught the move at `edge`.
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
        assert!(book.is_empty());
        assert!(book.edge(Key::START, PackedMove(1)).is_none());
        assert_eq!(book.edges().count(), 0);
    }
}
