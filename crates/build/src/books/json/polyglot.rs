//! Polyglot books as JSON lines and back.
//!
//! # Format
//!
//! The head has the header of the file, or null. A line has a position's key and its moves with weight and
//! learn field in the order of the file; FEN, turn and SAN where a walk reaches the position. What no
//! Polyglot would write says so, so that a change by mistake is told from what the file had: a move that is
//! not legal is marked `"legal":false`, one that is there before `"repeated":true`, and a position whose
//! weights do not fall `"sorted":false`.

mod export;
mod head;
mod import;
mod line;

pub(super) use self::{export::write, import::import};

#[cfg(test)]
mod tests;
