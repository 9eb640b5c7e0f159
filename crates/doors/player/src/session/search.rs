//! A search whose `bestmove` has not arrived yet.

use engine::SearchValue;
use shakmaty::{Chess, Color, Position as _};

use crate::{line::Line, protocol::Go};

/// A search.
#[derive(Clone, Debug)]
pub(super) struct Search {
    pub(super) go: Go,
    /// The line to the position being searched; `None` if the GUI's position could not be read.
    pub(super) line: Option<Line>,
    /// Whether the engine is searching. If not, the player is only waiting for `stop` or `ponderhit`.
    pub(super) by_engine: bool,
    /// Whether the GUI has stopped the search.
    pub(super) is_stopped: bool,
    /// The last result that the engine reported for its best line.
    pub(super) found: Option<SearchValue>,
}

impl Search {
    pub(super) fn new(go: Go, line: Option<&Line>, by_engine: bool) -> Self {
        Self { go, line: line.cloned(), by_engine, is_stopped: false, found: None }
    }

    /// The side to move; White if the position is not known.
    pub(super) fn side(&self) -> Color {
        self.line.as_ref().map_or(Color::White, |line| line.position.turn())
    }

    /// Whether to accept the engine's answer: it must be a legal move, unless the position is not known or
    /// has no legal moves.
    pub(super) fn accepts(&self, answer: &str) -> bool {
        self.line.as_ref().is_none_or(|line| line.legal(answer).is_some() || is_over(&line.position))
    }
}

fn is_over(position: &Chess) -> bool {
    position.legal_moves().is_empty()
}
