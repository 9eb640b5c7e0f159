//! A search that owes a `bestmove`.

use engine::Found;
use shakmaty::{Chess, Color, Position as _};

use crate::{line::Line, protocol::Go};

/// A search.
#[derive(Clone, Debug)]
pub(super) struct Search {
    pub(super) go: Go,
    /// Where it searches; `None` where the GUI's position could not be read.
    pub(super) line: Option<Line>,
    /// Whether the engine searches; otherwise nothing does, and the player waits for `stop` or `ponderhit`.
    pub(super) by_engine: bool,
    /// Whether the GUI has stopped it.
    pub(super) is_stopped: bool,
    /// The last value of its best line.
    pub(super) found: Option<Found>,
}

impl Search {
    pub(super) fn new(go: Go, line: Option<&Line>, by_engine: bool) -> Self {
        Self { go, line: line.cloned(), by_engine, is_stopped: false, found: None }
    }

    /// The side that is to move; White where the position is not known.
    pub(super) fn side(&self) -> Color {
        self.line.as_ref().map_or(Color::White, |line| line.position.turn())
    }

    /// Whether an answer is a move of the position, or says that there is none.
    pub(super) fn accepts(&self, answer: &str) -> bool {
        self.line.as_ref().is_none_or(|line| line.legal(answer).is_some() || is_over(&line.position))
    }
}

fn is_over(position: &Chess) -> bool {
    position.legal_moves().is_empty()
}
