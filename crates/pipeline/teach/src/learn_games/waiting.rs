//! Stores the games from which something may be learned, until the moves of the book are known.

use count::TouchedKeys;
use games::spool::Spool;
use lessons::{GameRules, NoLesson, OpponentWeight, PlayedGame};
use pgn::{annotated::AnnotatedGame, filter::Filters};
use position::Key;
use run::{Context, Result, Status};
use stage::GameSink;

/// Games from which something may be learned, in input order, and the keys of the positions in these games.
pub(super) struct CollectedGames<'f> {
    filters: &'f Filters,
    rules: GameRules,
    spool: Spool,
    keys: TouchedKeys,
    /// The weights of opponents that the player has not met in any game so far.
    unmet: Vec<OpponentWeight>,
}

impl<'f> CollectedGames<'f> {
    /// Makes a collector for the games of the player named in `filters`.
    pub(super) fn new(context: &Context, filters: &'f Filters, rules: GameRules) -> Self {
        let (spool, keys) = (Spool::new(&context.temp_dir), TouchedKeys::default());
        Self { filters, unmet: rules.opponents.clone(), rules, spool, keys }
    }

    /// A warning for each opponent that has a weight but no game against the player.
    pub(super) fn warnings(&self) -> impl Iterator<Item = String> {
        self.unmet
            .iter()
            .map(|weight| format!("the player has no game against the opponent named in `{weight}`"))
    }

    /// The keys of the positions in the games, ascending and without duplicates.
    pub(super) fn take_keys(&mut self) -> Vec<Key> {
        std::mem::take(&mut self.keys).finish()
    }

    /// The games.
    pub(super) fn into_spool(self) -> Spool {
        self.spool
    }
}

impl GameSink for CollectedGames<'_> {
    /// Keeps a game once for each side that the player played, except for sides from which nothing can be
    /// learned.
    fn take<'g>(&mut self, game: &AnnotatedGame<'g>) -> Result<Status<'g>> {
        let sides = self.filters.sides(&game.tags);
        let sides: Vec<_> = sides.into_iter().map(|own| PlayedGame::of_pgn(game, own)).collect();
        self.unmet.retain(|weight| !sides.iter().any(|side| weight.names(&side.opponent)));
        let (mut admitted, mut refused) = (Vec::new(), None);
        for side in sides {
            match self.rules.admit(&side) {
                Ok(()) => admitted.push(side),
                Err(why) => refused = refused.or(Some(why)),
            }
        }
        if admitted.is_empty() {
            return Ok(Status::Idle(refused.map_or("player", NoLesson::name)));
        }
        self.keys.extend(game.plies.iter().map(|ply| ply.key));
        self.spool.push(&admitted)?;
        Ok(Status::Waiting)
    }
}
