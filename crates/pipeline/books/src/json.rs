//! Converts books, `.tabia` and Polyglot, to JSON lines and back. A header line is followed by one line for
//! each position, in ascending order of keys.
//!
//! # Format
//!
//! The header line contains the numbers of positions and moves, the provenance and the sources of experience.
//! Each of the other lines describes a position: its key, its FEN if it is known, the side to move, the
//! tally, the moves with their tallies, and the experience. A line without a tally contains experience for a
//! position that has no entry in the book. For a Polyglot book, the header line contains the header of the
//! file, and the other lines contain the moves with their weights (`json/polyglot.rs`). `docs/json.md`
//! describes every field. Equal books are exported as identical text, and importing that text reproduces the
//! book byte for byte.
//!
//! # Memory
//!
//! Holds one line in memory. To find the FENs, an export also walks the book, within the memory limit.

mod board;
mod experience_text;
mod export;
mod head;
mod import;
mod place;
mod polyglot;
mod position_entry;
mod reading;

pub use self::{export::export_json, import::import_json};
