//! Reads annotated games by many threads and gives them in order.

use super::{AnnotatedBatch, work::Annotator};
use crate::{
    Result,
    in_order::InOrder,
    input::{ChunkOptions, Input, Progress, Sources, Unit},
    replay::ReplayOptions,
};

/// How annotated games are read.
#[derive(Clone, Debug, Default)]
pub struct AnnotatedOptions {
    /// What to take from each game. Repeats and groups are not looked at: every visit is given.
    pub replay: ReplayOptions,
    /// Whether to read as annotation files are written: see [`super`], Loose files.
    pub loose: bool,
}

/// Gives games in the order of the inputs, and of their text.
///
/// # Memory
/// Two batches for each thread, and the one that was taken. A chunk is `chunk_bytes` of text, or one game that is longer.
pub struct AnnotatedReader {
    batches: InOrder<AnnotatedBatch>,
    /// Stream of the last batch (input and part), and its games so far.
    stream: (u32, u32),
    games: u64,
}

impl AnnotatedReader {
    /// Starts to read `inputs`, in their order, on `chunks.threads` threads. The unit of `chunks` is not looked at.
    ///
    /// # Errors
    /// If a file is not there any more.
    pub fn open(inputs: Vec<Input>, chunks: &ChunkOptions, options: &AnnotatedOptions) -> Result<Self> {
        let unit = if options.loose { Unit::Records } else { Unit::Games };
        let chunks = ChunkOptions { unit, ..chunks.clone() };
        let batches = InOrder::start(inputs, &chunks, &Annotator::new(options))?;
        Ok(Self { batches, stream: (0, 0), games: 0 })
    }

    /// How far reading has come.
    #[must_use]
    pub fn progress(&self) -> Progress {
        self.batches.progress()
    }

    /// What was read; stops reading if there is more.
    #[must_use]
    pub fn finish(self) -> Sources {
        self.batches.finish()
    }

    fn number(&mut self, batch: &mut AnnotatedBatch) {
        let stream = (batch.place.input, batch.place.part);
        if stream != self.stream {
            (self.stream, self.games) = (stream, 0);
        }
        batch.before = self.games;
        self.games += batch.games.len() as u64;
    }
}

impl Iterator for AnnotatedReader {
    type Item = Result<AnnotatedBatch>;

    /// The next batch that holds a game.
    ///
    /// # Errors
    /// If an input cannot be read, is not PGN, is damaged or encrypted, or if reading was cancelled. Nothing comes after an
    /// error.
    fn next(&mut self) -> Option<Self::Item> {
        loop {
            match self.batches.next()? {
                Ok(batch) if batch.games.is_empty() => {}
                Ok(mut batch) => {
                    self.number(&mut batch);
                    return Some(Ok(batch));
                }
                Err(error) => return Some(Err(error)),
            }
        }
    }
}
