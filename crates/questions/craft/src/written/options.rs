//! Options that decide which lines are written.

use std::ops::ControlFlow;

use position::NamedLine;
use strum::{Display, EnumString, IntoStaticStr};

/// How lines become games.
#[derive(Clone, Copy, Debug, Default, Display, EnumString, Eq, IntoStaticStr, PartialEq)]
#[strum(parse_err_fn = no_games_as, parse_err_ty = String, serialize_all = "lowercase")]
pub enum GamesLayout {
    /// A single game, with lines as variations.
    #[default]
    Variations,
    /// One game for each line.
    Lines,
}

fn no_games_as(text: &str) -> String {
    format!("expected variations or lines, not `{text}`")
}

/// Options that decide which lines are written.
#[derive(Clone, Debug, Default)]
pub struct LinesOptions {
    /// The moves that all lines begin with.
    pub start: NamedLine,
    /// The maximum number of plies in a line, counted from the start position. If `None`, lines end only
    /// where the book ends.
    pub max_ply: Option<u32>,
    /// The minimum number of games in which a move must have been played. It has no effect on a Polyglot
    /// book, which does not count games.
    pub min_games: u64,
    /// The minimum share that a move must have of the games or weights in its position, from 0 to 1.
    pub min_share: f64,
    /// The maximum number of lines. The lines that come up most often are written; `None` means all of them.
    pub lines: Option<u64>,
}

impl LinesOptions {
    /// Whether these options ask for all lines of an artefact.
    pub(super) fn are_all(&self) -> bool {
        let Self { start, max_ply, min_games, min_share, lines } = self;
        start.moves.is_empty() && (*max_ply, *lines, *min_games) == (None, None, 0) && *min_share <= 0.0
    }
}

/// The resources that may be used to find the lines.
#[derive(Clone, Copy)]
pub struct LinesWork<'w> {
    /// The number of threads.
    pub threads: usize,
    /// The memory limit. If the lines need more memory than this, nothing is written.
    pub memory_bytes: u64,
    /// Called from time to time to check whether to continue.
    pub go_on: &'w (dyn Fn() -> ControlFlow<()> + Sync),
}
