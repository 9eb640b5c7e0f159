//! Positions after a move.

use shakmaty::{Chess, Move, Position as _};

/// Returns the position after a legal move.
#[inline]
#[must_use]
pub fn position_after(position: &Chess, m: Move) -> Chess {
    let mut after = position.clone();
    after.play_unchecked(m);
    after
}
