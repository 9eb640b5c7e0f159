//! Which lines are written.

use std::ops::ControlFlow;

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

fn no_games_as(text: &str) -> String {
    format!("expected variations or lines, not `{text}`")
}

/// Which lines are written.
#[derive(Clone, Debug, Default)]
pub struct LinesOptions {
    /// The moves that all lines begin with.
    pub start: NamedLine,
    /// The most plies of a line, from the start position; `None` if lines go on to the book's end.
    pub max_ply: Option<u32>,
    /// The fewest games of a move; Polyglot books have none, and none of their moves is left out.
    pub min_games: u64,
    /// The least share of its position's games or weights that a move has, 0 to 1.
    pub min_share: f64,
    /// The most lines; those that come up most often are written. `None` means all.
    pub lines: Option<u64>,
}

impl LinesOptions {
    /// Whether the options ask for all lines.
    pub(super) fn are_all(&self) -> bool {
        let Self { start, max_ply, min_games, min_share, lines } = self;
        start.moves.is_empty() && (*max_ply, *lines, *min_games) == (None, None, 0) && *min_share <= 0.0
    }
}

/// The resources that the making of lines may take.
#[derive(Clone, Copy)]
pub struct LinesWork<'w> {
    /// Threads to work with.
    pub threads: usize,
    /// Lines that need more memory are refused.
    pub memory_bytes: u64,
    /// A callback that is asked now and then whether to go on.
    pub go_on: &'w (dyn Fn() -> ControlFlow<()> + Sync),
}
