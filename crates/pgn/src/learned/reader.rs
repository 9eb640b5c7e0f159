//! Reads learning files in order.

use super::{LearnedBatch, parse::Parser};
use crate::{
    Result,
    batches::Batches,
    input::{ChunkOptions, GameBounds, Input, Progress, Sources, Unit},
};

/// Longest record in bytes: thousands of moves. What is longer is no record.
const RECORD_BYTES_MAX: usize = 1 << 20;

/// How learning files are cut into chunks: the unit and the longest record are set.
#[must_use]
pub fn chunk_options(options: ChunkOptions) -> ChunkOptions {
    let bounds = GameBounds { max_game_bytes: RECORD_BYTES_MAX, ..GameBounds::default() };
    ChunkOptions { unit: Unit::Records, bounds, ..options }
}

/// Gives the items of learning files in the order of the inputs, and of their text, on one thread; [`Parser`]
/// is for callers with many.
///
/// # Memory
/// A batch, and the chunk it comes from: `chunk_bytes` of text.
pub struct LearnedReader {
    batches: Batches<Parser>,
}

impl LearnedReader {
    /// Starts to read `inputs`, in their order, on the caller's thread. The options' unit and longest
    /// game are ignored; `games_max` counts records.
    ///
    /// # Errors
    /// If a file is not there any more.
    pub fn open(inputs: Vec<Input>, options: &ChunkOptions) -> Result<Self> {
        Ok(Self { batches: Batches::open(inputs, chunk_options(options.clone()), Parser::default())? })
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
}

impl Iterator for LearnedReader {
    type Item = Result<LearnedBatch>;

    /// The next batch that holds something.
    ///
    /// # Errors
    /// If an input cannot be read, is damaged or encrypted or no text at all, or if the caller asked to stop.
    /// Nothing comes after an error.
    fn next(&mut self) -> Option<Self::Item> {
        self.batches.next()
    }
}
