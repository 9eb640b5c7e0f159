//! Conditions on the board of an opening.

use position::Key;
use shakmaty::{Chess, Color, Position as _};

use super::{OtherSuite, exchange::has_tactics};
use crate::Pieces;

/// Conditions on the board of an opening. By default every board fits on which the game is not over.
#[derive(Clone, Debug, Default)]
pub struct BoardRules {
    /// The side to move; any if it is `None`.
    pub turn: Option<Color>,
    /// The side to move is not in check.
    pub no_check: bool,
    /// The side to move cannot win material at once: no capture or promotion gains material by the exchange
    /// on its square.
    pub no_tactics: bool,
    /// How many men are on the board, including kings and pawns; any number if it is `None`.
    pub pieces: Option<Pieces>,
    /// Suites whose positions must not be chosen.
    pub exclude: Vec<OtherSuite>,
}

impl BoardRules {
    /// Why a position does not fit; `None` if it fits.
    pub(super) fn refuse(&self, key: Key, position: &Chess) -> Option<&'static str> {
        let count = position.board().occupied().count() as u16;
        let fits = |pieces: Pieces| (pieces.fewest..=pieces.most).contains(&count);
        if self.turn.is_some_and(|turn| turn != position.turn()) {
            Some("turn")
        } else if self.pieces.is_some_and(|wanted| !fits(wanted)) {
            Some("pieces")
        } else if self.exclude.iter().any(|other| other.has(key)) {
            Some("excluded")
        } else if self.no_check && position.is_check() {
            Some("check")
        } else if position.is_game_over() {
            Some("game over")
        } else if self.no_tactics && has_tactics(position) {
            Some("tactics")
        } else {
            None
        }
    }
}
