//! Reads learning files in order.

use super::parse::Parser;
use pgn::{
    Result,
    batches::Batches,
    input::{ChunkOptions, GameBounds, Input, Unit},
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
pub type LearnedReader = Batches<Parser>;

/// Starts to read `inputs`, in their order, on the caller's thread. The options' unit and longest game are
/// ignored; `games_max` counts records.
///
/// # Errors
///
/// There is text before the first record that is neither blank nor the word `position`.
pub fn open(inputs: Vec<Input>, options: &ChunkOptions) -> Result<LearnedReader> {
    Batches::new(inputs, chunk_options(options.clone()), Parser::default())
}
