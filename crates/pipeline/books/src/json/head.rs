//! The first line, which describes the book.

use book::Book;
use run::Result;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The version of both texts.
pub(super) const VERSION: u32 = 1;

/// The format of the book that a text describes.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Format {
    /// A `.tabia` book.
    Tabia,
    /// A Polyglot book.
    Polyglot,
}

impl Format {
    pub(super) const ALL: [Self; 2] = [Self::Tabia, Self::Polyglot];

    /// The mark of a head line.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Tabia => "tabia-book",
            Self::Polyglot => "polyglot-book",
        }
    }

    /// The extension of such a book.
    pub(super) fn extension(self) -> &'static str {
        match self {
            Self::Tabia => "tabia",
            Self::Polyglot => "bin",
        }
    }

    /// What the text describes, in words.
    pub(super) fn what(self) -> &'static str {
        match self {
            Self::Tabia => "a tabia book",
            Self::Polyglot => "a Polyglot book",
        }
    }

    /// What the user can do if the output's name asks for the other format.
    pub(super) fn then(self) -> &'static str {
        match self {
            Self::Tabia => "name it NAME.tabia; `tabia export polyglot` makes a NAME.bin of that",
            Self::Polyglot => "name it NAME.bin; its weights are no counts, so no NAME.tabia is made of them",
        }
    }
}

/// The head of a book's text.
#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Head {
    /// The name of [`Format::Tabia`].
    pub(super) format: String,
    pub(super) version: u32,
    pub(super) counts: Contents,
    pub(super) provenance: Value,
    /// Sources of experience, as values refer to them; null in a book without sections of experience.
    pub(super) sources: Option<Vec<Value>>,
}

/// How much the entries hold. It is an object, so that filters do not mistake its `moves` for those of a
/// position.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Contents {
    /// The number of positions, leaves included.
    pub(super) positions: u64,
    pub(super) moves: u64,
}

impl Head {
    /// The head of the text of `book`.
    pub(super) fn of(book: &Book) -> Result<Self> {
        let stats = book.stats();
        Ok(Self {
            format: Format::Tabia.name().into(),
            version: VERSION,
            counts: Contents { positions: stats.positions, moves: stats.edges },
            provenance: book.provenance()?,
            sources: book.has_experience().then(|| book.sources()).transpose()?,
        })
    }
}
