//! Converts Polyglot books to JSON lines and back.
//!
//! # Format
//!
//! The head has the header of the file, or null if the file has none. A line has a position's key and its
//! moves with weight and learn field in the order of the file; if a walk reaches the position, also its FEN
//! and side to move, and the moves in SAN. What Polyglot itself never writes is marked: a move that is not
//! legal has `"legal":false`, a move that the position already has `"repeated":true`, and a position whose
//! weights do not fall `"sorted":false`. Without its mark, such a move is refused as a mistake, and the moves
//! of such a position are sorted by weight.

mod export;
mod head;
mod import;
mod line;

pub(super) use self::{export::write, import::import};

#[cfg(test)]
mod tests;
