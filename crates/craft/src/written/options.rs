//! Which lines are written.

use position::NamedLine;
use strum::{Display, EnumString, IntoStaticStr};

/// How lines become games.
#[derive(Clone, Copy, Debug, Default, Display, EnumString, Eq, IntoStaticStr, PartialEq)]
#[strum(parse_err_fn = no_games_as, parse_err_ty = String, serialize_all = "lowercase")]
pub enum GamesAs {
    /// One game with variations.
    #[default]
    Variations,
    /// A game a line.
    Lines,
}

impl GamesAs {
    /// The name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.into()
    }
}

fn no_games_as(text: &str) -> String {
    format!("`{text}` is neither variations nor lines")
}

/// Which lines are written.
#[derive(Clone, Debug, Default)]
pub struct LinesOptions {
    /// The moves that all lines begin with.
    pub start: NamedLine,
    /// The most plies of a line, from the start position; `None`: to the book's end.
    pub max_ply: Option<u32>,
    /// The fewest games of a move; Polyglot books have none, and none of their moves is left out.
    pub min_games: u64,
    /// The least share of its position's games or weights that a move has, 0 to 1.
    pub min_share: f64,
    /// The most lines, those that come up most often; `None`: all.
    pub lines: Option<u64>,
}
