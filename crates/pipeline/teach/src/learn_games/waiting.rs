//! Games that may teach and wait for the book.

use count::TouchedKeys;
use games::spool::Spool;
use lessons::{GameRules, Idle, PlayedGame};
use pgn::{annotated::AnnotatedGame, filter::Filters};
use position::Key;
use run::{Context, Result, Status};
use stage::GameSink;

/// Games that may teach, in input order, and the positions they met.
pub(super) struct Waiting<'f> {
    filters: &'f Filters,
    rules: GameRules,
    spool: Spool,
    keys: TouchedKeys,
}

impl<'f> Waiting<'f> {
    /// A collector of games of the player that `filters` name.
    pub(super) fn new(context: &Context, filters: &'f Filters, rules: GameRules) -> Self {
        Self { filters, rules, spool: Spool::new(&context.temp_dir), keys: TouchedKeys::default() }
    }

    /// The keys of the positions met, ascending without repeats.
    pub(super) fn take_keys(&mut self) -> Vec<Key> {
        std::mem::take(&mut self.keys).finish()
    }

    /// The games.
    pub(super) fn into_spool(self) -> Spool {
        self.spool
    }
}

impl GameSink for Waiting<'_> {
    /// Takes a game once for each side of the player that it may teach.
    fn take<'g>(&mut self, game: &AnnotatedGame<'g>) -> Result<Status<'g>> {
        let sides = self.filters.sides(&game.tags);
        let sides: Vec<_> = sides.into_iter().map(|own| PlayedGame::of_pgn(game, own)).collect();
        let (mut admitted, mut refused) = (Vec::new(), None);
        for side in sides {
            match self.rules.admit(&side) {
                Ok(()) => admitted.push(side),
                Err(why) => refused = refused.or(Some(why)),
            }
        }
        if admitted.is_empty() {
            return Ok(Status::Idle(refused.map_or("player", Idle::name)));
        }
        self.keys.extend(game.plies.iter().map(|ply| ply.key));
        self.spool.push(&admitted)?;
        Ok(Status::Waiting)
    }
}
