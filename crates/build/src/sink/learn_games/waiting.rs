//! Games that may teach, waiting for the book.

use lessons::{GameRules, PlayedGame};
use pgn::{
    annotated::{AnnotatedBatch, AnnotatedGame},
    batches::Batch as _,
    filter::Filters,
    verdict::Verdict,
};
use position::Key;

use super::spooled;
use crate::{
    Context, Result,
    driver::{Reading, in_order::OrderedSink},
    shard::TouchedKeys,
    spool::Spool,
    status::Status,
};

/// Games that may teach, in input order, and the positions they met.
pub(super) struct Waiting<'f> {
    filters: &'f Filters,
    rules: GameRules,
    spool: Spool,
    keys: TouchedKeys,
}

impl<'f> Waiting<'f> {
    /// For games of the player that `filters` name.
    pub(super) fn new(context: &Context, filters: &'f Filters, rules: GameRules) -> Self {
        Self { filters, rules, spool: Spool::new(&context.temp_dir), keys: TouchedKeys::default() }
    }

    /// The positions met, ascending, each once.
    pub(super) fn take_keys(&mut self) -> Vec<Key> {
        std::mem::take(&mut self.keys).finish()
    }

    /// The games.
    pub(super) fn into_spool(self) -> Spool {
        self.spool
    }

    fn take(&mut self, game: &AnnotatedGame<'_>) -> Result<Status<'static>> {
        let Some(own) = self.filters.side(&game.tags) else {
            return Ok(Status::Idle("player-on-both-sides"));
        };
        let played = PlayedGame::of_pgn(game, own);
        if let Err(why) = self.rules.admit(&played) {
            return Ok(Status::Idle(why.name()));
        }
        self.keys.extend(played.moves().map(|(key, _)| key));
        self.spool.push(|entry| spooled::write(&played, entry))?;
        Ok(Status::Waiting)
    }
}

impl OrderedSink<AnnotatedBatch> for Waiting<'_> {
    fn push(&mut self, batch: AnnotatedBatch, reading: &Reading<'_>) -> Result<()> {
        let mut status = reading.chunk_status(batch.place());
        for game in batch.games() {
            let of_game = match game.verdict {
                Verdict::Accepted { .. } => self.take(&game)?,
                verdict => Status::of(verdict),
            };
            status.note_game(&game, of_game);
        }
        reading.add(&status)
    }
}
