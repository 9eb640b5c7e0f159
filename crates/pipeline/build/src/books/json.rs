//! Books as JSON lines and back, `.tabia` and Polyglot: a head line, then a line a position, ascending by
//! key.
//!
//! # Format
//!
//! The head has the number of positions and moves, the provenance and the sources of experience; a line
//! has a position's key, who is to move, its tally, its moves with theirs, and what is known beyond counts. A
//! line without a tally holds experience of a position that the entries of the book do not have. Of a
//! Polyglot book the head has the header, and a line the moves with their weights (`json/polyglot.rs`).
//! `docs/json.md` describes every field. Equal books have equal text, and text gives the book's bytes again.
//!
//! # Memory
//!
//! A line; to name positions besides, what the walk over the book takes of the memory limit.

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
