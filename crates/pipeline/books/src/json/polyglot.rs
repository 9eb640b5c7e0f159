//! Converts Polyglot books to JSON lines and back.
//!
//! # Format
//!
//! The head contains the header of the file, or null if the file has none. A line contains a position's key
//! and its moves, in the order of the file, with their weights and learn fields. If a walk reaches the
//! position, the line also has its FEN, the side to move, and the moves in SAN. Three things that Polyglot
//! itself never writes are marked: an illegal move with `"legal":false`, a repeated move with
//! `"repeated":true`, and a position whose weights are not in descending order with `"sorted":false`. On
//! import, an illegal or repeated move without its mark is refused as a mistake, and a position without the
//! mark `sorted` has its moves sorted by weight.

mod export;
mod head;
mod import;
mod line;

pub(super) use self::{export::write, import::import};

#[cfg(test)]
mod tests;
