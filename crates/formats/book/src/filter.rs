//! The filter that decides which moves of a table a book keeps.

mod per_color;
mod ratio;

use std::fmt::Write as _;

use position::Tally;
use shakmaty::Color;

pub use self::{per_color::PerColor, ratio::Ratio};
use crate::BookEdge;

/// The conditions that a move must meet to be kept, tested in this order: colour, games, score, share, and
/// finally the number of moves per position.
///
/// All comparisons use exact integer arithmetic, so a move exactly at a threshold is kept.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct BookFilter {
    /// Only moves of this colour are kept.
    pub color: Option<Color>,
    /// The minimum number of games with the move.
    pub min_games: PerColor<u64>,
    /// The minimum score of the mover: (wins + draws / 2) / games.
    pub min_score: PerColor<Ratio>,
    /// The minimum share of the position's tally that a move must have.
    pub min_share: PerColor<Ratio>,
    /// The maximum number of moves per position. The moves with the most games are kept; ties go to the
    /// better score, then to the lower packed move.
    pub top: Option<u32>,
}

impl BookFilter {
    /// Whether the filter keeps every move. (Every move in a table has at least one game.)
    #[must_use]
    pub fn keeps_everything(&self) -> bool {
        self.describe().is_empty()
    }

    /// Drops the moves that the filter does not keep, and leaves the others in order. `position` is the tally
    /// of all games in the position, whichever move was played.
    pub fn keep(&self, turn: Color, position: Tally, edges: &mut Vec<BookEdge>) {
        if self.color.is_some_and(|color| color != turn) {
            edges.clear();
            return;
        }
        edges.retain(|edge| self.passes(turn, position, edge.tally));
        if let Some(top) = self.top.filter(|&top| edges.len() > top as usize) {
            edges.sort_by_key(|edge| {
                (std::cmp::Reverse((edge.tally.games(), edge.tally.half_points(turn))), edge.mv)
            });
            edges.truncate(top as usize);
            edges.sort_by_key(|edge| edge.mv);
        }
    }

    fn passes(&self, turn: Color, position: Tally, tally: Tally) -> bool {
        let games = u128::from(tally.games());
        games >= u128::from(self.min_games.of(turn))
            && self.min_score.of(turn).reached_by(u128::from(tally.half_points(turn)), 2 * games)
            && self.min_share.of(turn).reached_by(games, u128::from(position.games()))
    }

    /// The filter on one line, such as `color=white min-games=5 min-score=white=0.4,black=0.35 top=3`. Equal
    /// filters give equal text, which is empty if every move is kept.
    #[must_use]
    pub fn describe(&self) -> String {
        let mut text = String::new();
        let mut add = |name: &str, value: &dyn std::fmt::Display| {
            let gap = if text.is_empty() { "" } else { " " };
            // Writing to a string cannot fail.
            let _ = write!(text, "{gap}{name}={value}");
        };
        if let Some(color) = self.color {
            add("color", &color);
        }
        if self.min_games.white > 1 || self.min_games.black > 1 {
            add("min-games", &self.min_games);
        }
        if self.min_score != PerColor::default() {
            add("min-score", &self.min_score);
        }
        if self.min_share != PerColor::default() {
            add("min-share", &self.min_share);
        }
        if let Some(top) = self.top {
            add("top", &top);
        }
        text
    }
}

#[cfg(test)]
mod tests;
