//! A position of a book, in memory.

use position::{Edge, Key, Tally};
use shakmaty::Color;

/// One position: its tally and its kept moves.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct PositionEntry {
    /// The key of the position.
    pub key: Key,
    /// The side to move.
    pub turn: Color,
    /// The games that reached the position: the sum of all its table rows, including terminal visits and
    /// dropped moves.
    pub tally: Tally,
    /// The kept moves, ascending by move. A position without kept moves is a leaf: it is in the book because
    /// a kept move leads to it.
    pub edges: Vec<Edge>,
}

impl PositionEntry {
    /// Whether the position has no kept moves.
    #[must_use]
    pub fn is_leaf(&self) -> bool {
        self.edges.is_empty()
    }
}

/// An empty entry for a decoder to fill.
impl Default for PositionEntry {
    fn default() -> Self {
        Self { key: Key(0), turn: Color::White, tally: Tally::default(), edges: Vec::new() }
    }
}
