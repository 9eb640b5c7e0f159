//! Polyglot books (`.bin`): entries of sixteen bytes, sorted by key.
//!
//! # Format
//!
//! Big-endian: key (8 bytes), move (2), weight (2), learn (4); ascending by key, and within a key by
//! descending weight and then ascending move. The file has nothing else (Polyglot's `book_format.html`,
//! and `book.c` of polyglot 1.4.70b).

mod entry;
mod reader;
mod weight;
mod writer;

pub use self::{
    entry::PolyglotEntry,
    reader::Reader,
    weight::Weight,
    writer::{ExportOptions, PolyglotStats, prepare, write},
};
