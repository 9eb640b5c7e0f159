//! Reads annotated games in order.

use super::{Form, work::Annotator};
use crate::{
    Result,
    batches::Batches,
    input::{ChunkOptions, Input, Unit},
    replay::ReplayOptions,
};

/// Options for reading annotated games.
#[derive(Clone, Debug, Default)]
pub struct AnnotatedOptions {
    /// The options of the replay; by default sixty plies of each game count. The options for repeats and
    /// groups have no effect, because every visit is returned.
    pub replay: ReplayOptions,
    /// Which games are read.
    pub form: Form,
}

impl AnnotatedOptions {
    /// Returns the unit into which inputs in this form are cut.
    pub fn unit(&self) -> Unit {
        if self.form == Form::Loose { Unit::Records } else { Unit::Games }
    }
}

/// Reads games on one thread and returns them in the order of the inputs and their text; callers with several
/// threads use [`Annotator`].
pub type AnnotatedReader = Batches<Annotator>;

impl AnnotatedReader {
    /// Prepares to read `inputs` one after another on the caller's thread. The unit of `chunks` is ignored.
    ///
    /// # Errors
    /// Fails if a file no longer exists.
    pub fn open(inputs: Vec<Input>, chunks: &ChunkOptions, options: &AnnotatedOptions) -> Result<Self> {
        let chunks = ChunkOptions { unit: options.unit(), ..chunks.clone() };
        Self::new(inputs, chunks, Annotator::new(options))
    }
}
