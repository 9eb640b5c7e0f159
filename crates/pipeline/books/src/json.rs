//! Converts books, `.tabia` and Polyglot, to JSON lines and back. A head line is followed by one line for
//! each position, in ascending order of keys.
//!
//! # Format
//!
//! The head contains the number of positions and moves, the provenance and the sources of experience. A line
//! contains a position's key, the side to move, its tally, its moves with their tallies, and what else is
//! known about it. A line without a tally contains experience for a position that has no entry in the book.
//! For a Polyglot book, the head contains the file's header, and the lines contain the moves with their
//! weights (`json/polyglot.rs`). `docs/json.md` describes every field. Equal books are exported as identical
//! text, and importing that text reproduces the book byte for byte.
//!
//! # Memory
//!
//! Holds one line. To find the FENs, an export also walks the book, within the memory limit.

mod board;
mod export;
mod head;
mod import;
mod knowledge;
mod line;
mod place;
mod polyglot;
mod reading;

pub use self::{export::export_json, import::import_json};
