//! The first line, which describes the book.

use book::Book;
use position::{Board, Root};
use run::Result;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::board::fen;

/// The version of the text format, which is the same for both kinds of books.
pub(super) const VERSION: u32 = 1;

/// The kind of book that a string describes.
#[derive(PartialEq)]
pub(super) struct Format {
    /// The value of `format` in a header line.
    pub(super) name: &'static str,
    /// The file name extension of such a book.
    pub(super) extension: &'static str,
    /// The kind of book, as error messages call it.
    pub(super) what: &'static str,
    /// Advice for the user if the output's extension is that of the other format.
    pub(super) then: &'static str,
}

/// A `.tabia` book.
pub(super) const TABIA: Format = Format {
    name: "tabia-book",
    extension: "tabia",
    what: "a tabia book",
    then: "name it NAME.tabia; `tabia export polyglot` makes a NAME.bin of that",
};

/// A Polyglot book.
pub(super) const POLYGLOT: Format = Format {
    name: "polyglot-book",
    extension: "bin",
    what: "a Polyglot book",
    then: "name it NAME.bin; its weights are no counts, so no NAME.tabia is made of them",
};

/// The header line of a book in text form.
#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Head {
    /// The name of [`TABIA`].
    pub(super) format: String,
    pub(super) version: u32,
    pub(super) counts: BookCounts,
    pub(super) provenance: Value,
    /// The sources of experience, to which rows refer by index; null in a book without sections of
    /// experience.
    pub(super) sources: Option<Vec<Value>>,
    /// The FENs of the positions where lines begin; absent if all lines begin at the start position.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) roots: Vec<String>,
}

/// The numbers of positions and moves. They are in a separate object, so that a user's jq filter for lines
/// with `moves` does not match the header line.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BookCounts {
    /// The number of positions, leaves included.
    pub(super) positions: u64,
    pub(super) moves: u64,
}

impl Head {
    /// Makes the header line for `book`.
    pub(super) fn of(book: &Book) -> Result<Self> {
        let stats = book.stats();
        Ok(Self {
            format: TABIA.name.into(),
            version: VERSION,
            counts: BookCounts { positions: stats.positions, moves: stats.edges },
            provenance: book.provenance()?,
            sources: book.has_experience().then(|| book.sources()).transpose()?,
            roots: book
                .roots()?
                .iter()
                .filter_map(Root::position)
                .map(|root| fen(&Board::at(&root)))
                .collect(),
        })
    }
}
