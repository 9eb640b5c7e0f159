//! What the board of an opening must be.

use position::Key;
use shakmaty::{Chess, Color, Position as _};

use super::{OtherSuite, exchange::has_tactics};
use crate::Pieces;

/// What the board of an opening must be; by default anything but the end of a game.
#[derive(Clone, Debug, Default)]
pub struct BoardRules {
    /// Who is to move.
    pub turn: Option<Color>,
    /// The side to move is not in check.
    pub no_check: bool,
    /// The side to move wins nothing at once: no capture or promotion gains material in the exchange that
    /// follows on its square.
    pub no_tactics: bool,
    /// How many pieces are on the board, kings and pawns counted.
    pub pieces: Option<Pieces>,
    /// Suites that have none of the openings.
    pub exclude: Vec<OtherSuite>,
}

impl BoardRules {
    /// The reason why a position does not fit, if it does not.
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
