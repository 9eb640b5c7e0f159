//! Stops reading when the limit on games is reached.

use std::{fmt, sync::Arc};

use crate::input::cutting::{Piece, PieceKind};

/// A test of a game's text.
type Passes = dyn Fn(&[u8]) -> bool + Send + Sync;

/// A test that decides from a game's text whether the game counts towards
/// [`ChunkOptions::games_max`](super::ChunkOptions::games_max).
#[derive(Clone)]
pub struct GameTest(Arc<Passes>);

impl GameTest {
    /// Creates a test that a game passes if `passes` returns true for its text.
    pub fn new(passes: impl Fn(&[u8]) -> bool + Send + Sync + 'static) -> Self {
        Self(Arc::new(passes))
    }
}

impl fmt::Debug for GameTest {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("GameTest")
    }
}

/// How many more games a limit allows.
pub(crate) struct GamesLeft {
    games: u64,
    /// The test that games must pass to count towards the limit; without a test, all games count.
    test: Option<GameTest>,
}

impl GamesLeft {
    pub(crate) fn new(games_max: Option<u64>, test: Option<GameTest>) -> Self {
        Self { games: games_max.unwrap_or(u64::MAX), test }
    }

    /// Whether the limit is reached.
    pub(crate) fn is_reached(&self) -> bool {
        self.games == 0
    }

    /// Counts the game in `piece` towards the limit, unless the game fails the test. Returns false if the
    /// limit was already reached.
    pub(crate) fn take(&mut self, piece: &Piece<'_>) -> bool {
        if self.is_reached() {
            return false;
        }
        let test = self.test.as_ref().filter(|_| piece.kind == PieceKind::Game);
        let passes = test.is_none_or(|GameTest(passes)| passes(piece.text));
        self.games -= u64::from(passes);
        true
    }
}
