//! Converts Polyglot books to JSON lines and back.
//!
//! # Format
//!
//! The head contains the file's header, or null if there is none. A line contains a position's key and, in
//! the file's order, its moves with their weights and learn fields. If a walk reaches the position, the line
//! also has its FEN, the side to move, and the moves in SAN. Three things that Polyglot itself never writes
//! are marked: an illegal move with `"legal":false`, a repeated move with `"repeated":true`, and a position
//! whose weights are not in descending order with `"sorted":false`. An import refuses an illegal or repeated
//! move that is not marked, and sorts a position's moves by weight unless they are marked with
//! `"sorted":false`.

mod export;
mod head;
mod import;
mod position_entry;

pub(super) use self::{export::write, import::import};

#[cfg(test)]
mod tests;
