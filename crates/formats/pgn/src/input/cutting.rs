//! Finds where games start, and cuts text there: a stream into chunks of whole games, and a chunk into games.

mod bounds;
mod chunk;
mod cut;
mod cutter;
mod line_ends;
mod place;
mod rule;
mod search;
mod start;

pub use bounds::GameBounds;
pub use chunk::Chunk;
pub(crate) use cut::pieces;
pub use cut::{Games, Piece, PieceKind, games};
pub(crate) use cutter::{CutSizes, Cutter};
pub(crate) use line_ends::HEAD_BYTES;
pub use line_ends::LineEnds;
pub use place::Place;
pub(crate) use rule::Rule;
pub use rule::Unit;
pub(crate) use search::Search;
pub(crate) use start::first_start;
