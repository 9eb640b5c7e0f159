//! Reads learning files by many threads and gives what they hold in order.

use super::{LearnedBatch, parse::Parser};
use crate::{
    Result,
    in_order::InOrder,
    input::{ChunkOptions, Input, Progress, Sources, Unit},
};

/// Longest record in bytes: thousands of moves. What is longer is no record.
const RECORD_BYTES_MAX: usize = 1 << 20;

/// Gives the items of learning files in the order of the inputs, and of their text.
///
/// # Memory
/// Two batches for each thread, and the one that was taken. A batch comes of a chunk, `chunk_bytes` of text.
pub struct LearnedReader {
    batches: InOrder<LearnedBatch>,
}

impl LearnedReader {
    /// Starts to read `inputs`, in their order, on `options.threads` threads. The options' unit and longest game are not
    /// looked at; `games_max` counts records.
    ///
    /// # Errors
    /// If a file is not there any more.
    pub fn open(inputs: Vec<Input>, options: &ChunkOptions) -> Result<Self> {
        let options =
            ChunkOptions { unit: Unit::Records, game_bytes_max: RECORD_BYTES_MAX, ..options.clone() };
        Ok(Self { batches: InOrder::start(inputs, &options, &Parser::default())? })
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
    /// If an input cannot be read, is damaged or encrypted or no text at all, or if reading was cancelled. Nothing comes
    /// after an error.
    fn next(&mut self) -> Option<Self::Item> {
        self.batches.next()
    }
}
