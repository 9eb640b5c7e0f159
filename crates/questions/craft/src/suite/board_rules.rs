//! Conditions on the board of an opening.

use position::Key;
use shakmaty::{Chess, Color, Position as _};

use super::{OtherSuite, exchange::has_tactics};
use crate::Pieces;

/// Conditions on the board of an opening. By default, all boards match except those on which the game is
/// over.
#[derive(Clone, Debug, Default)]
pub struct BoardRules {
    /// The side that must have the move; `None` allows either side.
    pub turn: Option<Color>,
    /// If set, the side to move must not be in check.
    pub no_check: bool,
    /// If set, the side to move must have no capture or promotion that gains material even after all
    /// recaptures on the same square.
    pub no_tactics: bool,
    /// How many men must be on the board, including kings and pawns; `None` allows any number.
    pub pieces: Option<Pieces>,
    /// Suites whose positions must not be chosen.
    pub exclude: Vec<OtherSuite>,
}

impl BoardRules {
    /// Returns the reason why a position does not match the conditions, or `None` if the position matches.
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
