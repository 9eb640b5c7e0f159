//! The first line: what the book is.

use book::Book;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::Result;

/// The mark of a head line.
pub(super) const FORMAT: &str = "tabia-book";
/// The version of the text.
pub(super) const VERSION: u32 = 1;

/// The head of a book's text.
#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Head {
    /// Always [`FORMAT`].
    pub(super) format: String,
    pub(super) version: u32,
    pub(super) counts: Counts,
    pub(super) provenance: Value,
    /// Sources of experience, as values refer to them; null in a book without sections of experience.
    pub(super) sources: Option<Vec<Value>>,
}

/// How much the entries hold; an object, so that filters do not take `moves` for those of a position.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Counts {
    /// Leaves included.
    pub(super) positions: u64,
    pub(super) moves: u64,
}

impl Head {
    /// That of `book`.
    pub(super) fn of(book: &Book) -> Result<Self> {
        let stats = book.stats();
        Ok(Self {
            format: FORMAT.into(),
            version: VERSION,
            counts: Counts { positions: stats.positions, moves: stats.edges },
            provenance: book.provenance()?,
            sources: book.has_experience().then(|| book.sources()).transpose()?,
        })
    }
}
