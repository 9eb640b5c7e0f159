//! Reads annotated games in order.

use super::{Form, work::Annotator};
use crate::{
    Result,
    batches::Batches,
    input::{ChunkOptions, Input, Unit},
    replay::ReplayOptions,
};

/// How annotated games are read.
#[derive(Clone, Debug, Default)]
pub struct AnnotatedOptions {
    /// The options of the replay; by default sixty plies of each game count. The options for repeats and
    /// groups are ignored: every visit is returned.
    pub replay: ReplayOptions,
    /// Which games are read.
    pub form: Form,
}

impl AnnotatedOptions {
    /// The unit that inputs of this form are split into.
    pub fn unit(&self) -> Unit {
        if self.form == Form::Loose { Unit::Records } else { Unit::Games }
    }
}

/// Returns games in the order of the inputs, and of their text, on one thread; [`Annotator`] is for callers
/// with several threads.
pub type AnnotatedReader = Batches<Annotator>;

impl AnnotatedReader {
    /// Starts to read `inputs`, in their order, on the caller's thread. The unit of `chunks` is ignored.
    ///
    /// # Errors
    /// Fails if a file no longer exists.
    pub fn open(inputs: Vec<Input>, chunks: &ChunkOptions, options: &AnnotatedOptions) -> Result<Self> {
        let chunks = ChunkOptions { unit: options.unit(), ..chunks.clone() };
        Self::new(inputs, chunks, Annotator::new(options))
    }
}
