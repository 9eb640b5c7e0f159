//! Converts Polyglot books to JSON lines and back.
//!
//! # Format
//!
//! The head contains the header of the file, or null if the file has none. A line contains a position's key
//! and its moves, in the order of the file, with their weights and learn fields. If a walk reaches the
//! position, the line also has its FEN, the side to move, and the moves in SAN. Whatever Polyglot itself
//! never writes is marked: an illegal move has `"legal":false`, a move that the position already has
//! `"repeated":true`, and a position whose weights are not in descending order `"sorted":false`. Without the
//! mark, such a move is refused as a mistake, and the moves of such a position are sorted by weight.

mod export;
mod head;
mod import;
mod line;

pub(super) use self::{export::write, import::import};

#[cfg(test)]
mod tests;
