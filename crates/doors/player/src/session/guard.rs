//! Applies position learning to the engine's searches once the game has left the book.
//!
//! Crafty puts the learned values of positions into its transposition table when a game begins, so that its
//! searches find them (Crafty: position learning). UCI has no command for that. Instead, the player tells the
//! engine which moves to search. The player leaves out moves that allow the opponent to reach a position with
//! a bad learned value for the engine.

use experience::LoadedRows;
use position::{ExperienceKind, Key, is_playable, position_after};
use shakmaty::{Chess, Move, Position as _};

/// The legal moves after which no reply leads to a position with a learned value of −0.80 or less, from the
/// point of view of the side to move in `position`. `None` if no legal move is left out, or if none would
/// remain.
pub(super) fn unrefuted(position: &Chess, rows: &LoadedRows) -> Option<Vec<Move>> {
    if rows.is_empty() {
        return None;
    }
    let legal = position.legal_moves();
    let good: Vec<_> = legal.iter().filter(|mv| !is_refuted(position, **mv, rows)).copied().collect();
    (!good.is_empty() && good.len() < legal.len()).then_some(good)
}

fn is_refuted(position: &Chess, mv: Move, rows: &LoadedRows) -> bool {
    let after = position_after(position, mv);
    after.legal_moves().into_iter().any(|reply| {
        let reached = position_after(&after, reply);
        let learned = rows.of(Key::of(&reached)).filter(|row| row.kind == ExperienceKind::Position);
        learned.filter_map(|row| row.experience.eval).any(|eval| !is_playable(eval))
    })
}
