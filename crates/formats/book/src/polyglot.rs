//! Polyglot books (`.bin`): entries of sixteen bytes, sorted by key.
//!
//! # Format
//!
//! Numbers are big-endian. An entry consists of the key (8 bytes), the move (2), the weight (2) and the learn
//! field (4). Entries are sorted by ascending key, then by descending weight, then by ascending move
//! (Polyglot's `book_format.html`, and `book.c` of polyglot 1.4.70b). A [`Header`] may precede the entries;
//! the file contains nothing else.

mod by_position;
mod entry;
mod header;
mod learn_field;
mod merge;
mod reader;
mod repair;
mod seal;
mod strategy;
mod weigher;
mod weight;
mod writer;

pub use self::{
    by_position::ByPosition,
    entry::PolyglotEntry,
    header::Header,
    learn_field::LearnField,
    merge::{Merge, MergeStats, Merging},
    reader::Reader,
    repair::{RepairStats, repaired},
    seal::Seal,
    strategy::{Factor, Strategy},
    weigher::{ExportOptions, Weigher, WeightedMove},
    weight::Weight,
    writer::{PolyglotStats, Target, entries, prepare, prepare_by, prepare_sorted, write},
};
