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
    /// What to take from each game; the default takes sixty plies. Repeats and groups are not looked at: every visit is
    /// given.
    pub replay: ReplayOptions,
    /// Whether to read as annotation files are written: see [`super`], Loose files.
    pub loose: bool,
}

/// Gives games in the order of the inputs, and of their text.
///
/// # Memory
/// Two batches for each thread, and the one that was taken. A batch comes of a chunk: `chunk_bytes` of
/// text, or one game that is longer.
pub struct AnnotatedReader {
    batches: InOrder<AnnotatedBatch>,
}

impl AnnotatedReader {
    /// Starts to read `inputs`, in their order, on `chunks.threads` threads. The unit of `chunks` is not looked at.
    ///
    /// # Errors
    /// If a file is not there any more.
    pub fn open(inputs: Vec<Input>, chunks: &ChunkOptions, options: &AnnotatedOptions) -> Result<Self> {
        let unit = if options.loose { Unit::Records } else { Unit::Games };
        let chunks = ChunkOptions { unit, ..chunks.clone() };
        Ok(Self { batches: InOrder::start(inputs, &chunks, &Annotator::new(options))? })
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

impl Iterator for AnnotatedReader {
    type Item = Result<AnnotatedBatch>;

    /// The next batch that holds a game.
    ///
    /// # Errors
    /// If an input cannot be read, is not PGN, is damaged or encrypted, or if reading was cancelled. Nothing comes after an
    /// error.
    fn next(&mut self) -> Option<Self::Item> {
        self.batches.next()
    }
}
