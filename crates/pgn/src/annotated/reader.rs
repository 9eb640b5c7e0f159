//! Reads annotated games in order.

use super::{AnnotatedBatch, work::Annotator};
use crate::{
    Result,
    batches::Batches,
    input::{ChunkOptions, Input, Progress, Sources, Unit},
    replay::ReplayOptions,
};

/// How annotated games are read.
#[derive(Clone, Debug, Default)]
pub struct AnnotatedOptions {
    /// What to take from each game; the default takes sixty plies. Repeats and groups are ignored: every
    /// visit is given.
    pub replay: ReplayOptions,
    /// Whether to read as annotation files are written: see [`super`], Loose files.
    pub loose: bool,
}

impl AnnotatedOptions {
    /// What inputs are cut into to be read so.
    #[must_use]
    pub fn unit(&self) -> Unit {
        if self.loose { Unit::Records } else { Unit::Games }
    }
}

/// Gives games in the order of the inputs, and of their text, on one thread; [`Annotator`]
/// is for callers with many.
///
/// # Memory
/// A batch, and the chunk it comes from: `chunk_bytes` of text, or one game that is longer.
pub struct AnnotatedReader {
    batches: Batches<Annotator>,
}

impl AnnotatedReader {
    /// Starts to read `inputs`, in their order, on the caller's thread. The unit of `chunks` is ignored.
    ///
    /// # Errors
    /// If a file is not there any more.
    pub fn open(inputs: Vec<Input>, chunks: &ChunkOptions, options: &AnnotatedOptions) -> Result<Self> {
        let chunks = ChunkOptions { unit: options.unit(), ..chunks.clone() };
        Ok(Self { batches: Batches::open(inputs, chunks, Annotator::new(options))? })
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
    /// If an input cannot be read, is not PGN, is damaged or encrypted, or if the caller asked to stop.
    /// Nothing comes after an error.
    fn next(&mut self) -> Option<Self::Item> {
        self.batches.next()
    }
}
