//! A move of a position with its games.

use crate::{PackedMove, Tally};

/// One move that was played from a position, summed over groups.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Edge {
    /// The move, never 0.
    pub mv: PackedMove,
    /// The games that played it, by outcome.
    pub tally: Tally,
}
