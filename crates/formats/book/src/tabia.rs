//! Books as Tabia writes them: `book.tabia`.
//!
//! A [`BookWriter`] writes a file in one pass, and a [`Book`] reads it; each section is described in the
//! module that reads and writes it.

mod checksums;
mod children;
mod entries;
mod entry;
mod experience;
mod file;
mod header;
mod index;
mod joined_books;
mod reader;
mod segment;
mod stats;
mod verify;
mod writer;

pub use self::{
    children::Child,
    entry::PositionEntry,
    joined_books::JoinedBooks,
    reader::{Book, Positions, Rows},
    segment::Segment,
    stats::BookStats,
    writer::BookWriter,
};
