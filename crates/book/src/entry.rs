//! A position of a book, as it goes in and comes out.

use position::{Key, PackedMove, Tally};
use shakmaty::Color;

/// One position: its tally and its kept moves.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct PositionEntry {
    /// Which position.
    pub key: Key,
    /// Who is to move.
    pub turn: Color,
    /// How often the position occurred: the sum of all its table rows, terminal visits and dropped moves too.
    pub tally: Tally,
    /// The kept moves, ascending by move. A position without any is a leaf: a kept move of another position leads to it.
    pub edges: Vec<BookEdge>,
}

/// One kept move.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct BookEdge {
    /// The move, never 0.
    pub mv: PackedMove,
    /// Games that played it, by outcome.
    pub tally: Tally,
}

impl PositionEntry {
    /// Whether no move is kept here.
    #[must_use]
    pub fn is_leaf(&self) -> bool {
        self.edges.is_empty()
    }
}

/// An entry to decode into: without edges, nothing counted.
impl Default for PositionEntry {
    fn default() -> Self {
        Self { key: Key(0), turn: Color::White, tally: Tally::default(), edges: Vec::new() }
    }
}
