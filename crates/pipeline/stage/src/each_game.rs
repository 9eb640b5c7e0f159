//! Stages that take games one by one.

use games::driver::{Reading, in_order::OrderedSink};
use pgn::{
    annotated::{AnnotatedBatch, AnnotatedGame},
    batches::Batch as _,
    verdict::Verdict,
};
use run::{Result, Status};

/// Takes the games that count, in the order of the input.
pub trait GameSink: Send {
    /// Takes a game, and returns its status.
    fn take<'g>(&mut self, game: &AnnotatedGame<'g>) -> Result<Status<'g>>;
}

/// Passes each game that counts to a [`GameSink`], one at a time.
pub struct EachGame<S>(pub S);

impl<S: GameSink> OrderedSink<AnnotatedBatch> for EachGame<S> {
    fn push(&mut self, batch: AnnotatedBatch, reading: &Reading<'_>) -> Result<()> {
        let mut status = reading.chunk_status(batch.place());
        for game in batch.games() {
            let of_game = match game.verdict {
                Verdict::Accepted { .. } => self.0.take(&game)?,
                verdict => Status::of(verdict),
            };
            status.note_game(&game, of_game);
        }
        reading.add(&status)
    }
}
