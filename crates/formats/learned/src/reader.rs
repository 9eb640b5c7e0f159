//! Reads learning files in order.

use super::parse::Parser;
use pgn::{
    Result,
    batches::Batches,
    input::{ChunkOptions, GameBounds, Input, Unit},
};

/// The maximum number of bytes in a record: enough for thousands of moves. A longer text is not a record.
const RECORD_BYTES_MAX: usize = 1 << 20;

/// Returns `options` with the unit and the maximum record length that suit learning files.
#[must_use]
pub fn chunk_options(options: ChunkOptions) -> ChunkOptions {
    let bounds = GameBounds { max_game_bytes: RECORD_BYTES_MAX, ..GameBounds::default() };
    ChunkOptions { unit: Unit::Records, bounds, ..options }
}

/// Returns the items of learning files on one thread, in the order of the inputs and of their text; a
/// [`Parser`] is for callers with several threads.
pub type LearnedReader = Batches<Parser>;

/// Starts to read `inputs`, in their order, on the caller's thread. The options' unit and longest game are
/// ignored; `games_max` counts records.
///
/// # Errors
///
/// Fails if there is text before the first record that is neither blank nor the word `position`.
pub fn open(inputs: Vec<Input>, options: &ChunkOptions) -> Result<LearnedReader> {
    Batches::new(inputs, chunk_options(options.clone()), Parser::default())
}
