//! Games that may teach, waiting for the book.
//!
//! Whether a game was timed and serious is read from its tags: a `TimeControl` of `-` is no time control (PGN
//! standard, 9.6.1), and a game whose `Termination` is abandoned, unterminated, emergency or rules
//! infraction is not serious (9.8.1).

use learn::games::{self, OwnGame};
use pgn::{
    annotated::{AnnotatedBatch, AnnotatedGame},
    batches::Batch as _,
    filter::{Filters, day_of, elos_of},
    verdict::Verdict,
};
use position::Key;

use super::{GameRule, own_game::SpooledGame};
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
    rule: GameRule,
    spool: Spool,
    keys: TouchedKeys,
}

impl<'f> Waiting<'f> {
    /// For games of the player that `filters` name.
    pub(super) fn new(context: &Context, filters: &'f Filters, rule: GameRule) -> Self {
        Self { filters, rule, spool: Spool::new(&context.temp_dir), keys: TouchedKeys::default() }
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
        match self.own_game(game) {
            Err(why) => Ok(Status::Idle(why)),
            Ok(own) => {
                self.keys.extend(game.plies.iter().map(|ply| ply.key));
                let date = day_of(&game.tags).unwrap_or(0);
                self.spool.push(|entry| SpooledGame::write(game, &own, date, entry))?;
                Ok(Status::Waiting)
            }
        }
    }

    /// The game as the rules see it, or why it teaches nothing.
    fn own_game(&self, game: &AnnotatedGame<'_>) -> Result<OwnGame, &'static str> {
        let own = self.filters.side(&game.tags).ok_or("player-on-both-sides")?;
        let outcome = game.outcome.ok_or("no-result")?;
        let [white, black] = elos_of(&game.tags);
        let own_game = OwnGame {
            own,
            outcome,
            plies: game.first_ply + game.plies.len() as u32,
            own_elo: own.fold_wb(white, black),
            opponent_elo: own.fold_wb(black, white),
            timed: game.tag("TimeControl").is_none_or(|control| control.trim() != "-"),
            serious: game.tag("Termination").is_none_or(|ending| is_serious(&ending)),
        };
        if self.rule == GameRule::Lokasoft {
            games::applies(&own_game).map_err(games::Refusal::name)?;
        }
        Ok(own_game)
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

/// Endings of games that are not serious, by the PGN standard's names.
const NOT_SERIOUS: [&str; 4] = ["abandoned", "emergency", "rules infraction", "unterminated"];

fn is_serious(termination: &str) -> bool {
    !NOT_SERIOUS.iter().any(|ending| termination.trim().eq_ignore_ascii_case(ending))
}
