//! Converts books, `.tabia` and Polyglot, to JSON lines and back. A head line is followed by one line for
//! each position, in ascending order of keys.
//!
//! # Format
//!
//! The head contains the number of positions and moves, the provenance and the sources of experience. A line
//! contains a position's key, the side to move, its tally, its moves with their tallies, and what else is
//! known about it. A line without a tally has the experience of a position that has no entry in the book. The
//! text of a Polyglot book has the file's header in its head, and the moves with their weights in its lines
//! (`json/polyglot.rs`). `docs/json.md` describes every field. Exports of equal books are the same text, and
//! importing the text gives a book with the same bytes again.
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
