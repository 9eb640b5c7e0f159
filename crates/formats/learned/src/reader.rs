//! Reads learning files in order.

use super::parse::Parser;
use pgn::{
    Result,
    batches::Batches,
    input::{ChunkOptions, GameBounds, Input, Unit},
};

/// The maximum number of bytes in a record: enough for thousands of moves. A longer text is not a record.
const RECORD_BYTES_MAX: usize = 1 << 20;

/// Returns `options` with the unit and the maximum record length set for learning files.
#[must_use]
pub fn chunk_options(options: ChunkOptions) -> ChunkOptions {
    let bounds = GameBounds { max_game_bytes: RECORD_BYTES_MAX, ..GameBounds::default() };
    ChunkOptions { unit: Unit::Records, bounds, ..options }
}

/// Reads learning files on one thread. The batches are returned in the order of the inputs, and the batches
/// of one input in the order of its text. Callers with several threads use [`Parser`] instead.
pub type LearnedReader = Batches<Parser>;

/// Prepares to read `inputs` one after another on the caller's thread. The unit and the bounds in `options`
/// are ignored, and `options.games_max` limits the number of records.
///
/// # Errors
///
/// Fails if a file no longer exists.
pub fn open(inputs: Vec<Input>, options: &ChunkOptions) -> Result<LearnedReader> {
    Batches::new(inputs, chunk_options(options.clone()), Parser::default())
}
