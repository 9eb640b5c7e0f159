//! Builds a learning book, position by position.

use std::collections::BTreeSet;

use position::{Key, PackedMove};

use super::{
    LearningBook, LessonLimits,
    book::Edge,
    positions::{Position, Positions},
    provenance::{Chains, NONE},
};
use crate::Error;

/// Builds a [`LearningBook`] from positions in ascending order of keys.
#[derive(Clone, Debug, Default)]
#[must_use]
pub struct LearningBookBuilder {
    positions: Vec<Position>,
    edges: Vec<Edge>,
}

impl LearningBookBuilder {
    /// A builder with room for `positions` positions and `moves` moves.
    pub fn with_capacity(positions: usize, moves: usize) -> Self {
        // One more position, for the end mark.
        Self { positions: Vec::with_capacity(positions + 1), edges: Vec::with_capacity(moves) }
    }

    /// Adds a position with its book moves. Each move starts out with a learned value (in pawns, from the
    /// mover's point of view) and a number of lessons. The moves may be in any order. Move 0 is not a book
    /// move and is skipped, and so are positions without moves.
    ///
    /// # Errors
    ///
    /// Fails with [`Error::KeyOrder`] if `key` is not greater than the previous key. If the moves cannot be
    /// added, fails with [`Error::DuplicateMove`], [`Error::NotFinite`] or [`Error::TooManyMoves`]. On
    /// failure, the builder is unchanged.
    pub fn push(
        &mut self,
        key: Key,
        moves: impl IntoIterator<Item = (PackedMove, f32, u32)>,
    ) -> Result<(), Error> {
        let start = self.edges.len();
        let pushed = self.push_moves(key, moves);
        if pushed.is_err() {
            self.edges.truncate(start);
        }
        pushed
    }

    fn push_moves(
        &mut self,
        key: Key,
        moves: impl IntoIterator<Item = (PackedMove, f32, u32)>,
    ) -> Result<(), Error> {
        if let Some(before) = self.positions.last().map(|last| last.key()).filter(|&before| before >= key) {
            return Err(Error::KeyOrder { key, before });
        }
        let start = self.edges.len();
        for (mv, learn, count) in moves {
            if !learn.is_finite() {
                return Err(Error::NotFinite { key, mv, learn });
            }
            if !mv.is_terminal() {
                self.edges.push(Edge { learn, count, taught: NONE, mv });
            }
        }
        self.close(key, start)
    }

    /// Sorts the moves from index `start` on, and assigns them to `key`.
    fn close(&mut self, key: Key, start: usize) -> Result<(), Error> {
        let moves = &mut self.edges[start..];
        moves.sort_unstable_by_key(|edge| edge.mv);
        if let Some(pair) = moves.windows(2).find(|pair| pair[0].mv == pair[1].mv) {
            return Err(Error::DuplicateMove { key, mv: pair[0].mv });
        }
        if self.edges.len() >= NONE as usize {
            return Err(Error::TooManyMoves);
        }
        if self.edges.len() > start {
            self.positions.push(Position::new(key, start as u32));
        }
        Ok(())
    }

    /// The book.
    pub fn finish(self) -> LearningBook {
        LearningBook {
            positions: Positions::new(self.positions, self.edges.len() as u32),
            edges: self.edges,
            chains: Chains::default(),
            banned: BTreeSet::new(),
            limits: LessonLimits::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const E4: PackedMove = PackedMove(0x31c);
    const D4: PackedMove = PackedMove(0x2db);

    #[test]
    fn what_is_refused_leaves_no_trace() {
        let mut builder = LearningBook::builder();
        builder.push(Key(5), [(E4, 0.5, 1)]).unwrap();
        let refused = builder.push(Key(5), [(D4, 0.0, 0)]);
        assert_eq!(refused, Err(Error::KeyOrder { key: Key(5), before: Key(5) }));
        let refused = builder.push(Key(6), [(E4, 0.0, 0), (D4, 0.0, 0), (E4, 0.0, 0)]);
        assert_eq!(refused, Err(Error::DuplicateMove { key: Key(6), mv: E4 }));
        assert!(builder.push(Key(6), [(D4, 0.0, 0), (E4, f32::NAN, 0)]).is_err());
        builder.push(Key(7), [(PackedMove::TERMINAL, 0.0, 0)]).unwrap();
        let book = builder.finish();
        assert_eq!(book.edges().count(), 1);
    }

    #[test]
    fn moves_come_out_sorted() {
        let mut builder = LearningBook::builder();
        builder.push(Key(1), [(E4, 0.25, 3), (D4, 0.0, 0)]).unwrap();
        let book = builder.finish();
        let edges: Vec<_> = book.edges().map(|edge| (edge.key, edge.mv, edge.learn, edge.count)).collect();
        assert_eq!(edges, [(Key(1), D4, 0.0, 0), (Key(1), E4, 0.25, 3)]);
    }
}
