//! A move in a position, with the games in which it was played.

use crate::{PackedMove, Tally};

/// One move that was played from a position, summed over all groups.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Edge {
    /// The move, never 0.
    pub mv: PackedMove,
    /// The games in which the move was played, by result.
    pub tally: Tally,
}
