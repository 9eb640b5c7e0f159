//! Where experience is read while moves are chosen.

use book::Book;
use experience::LoadedRows;
use position::{ExperienceRow, Key};

use crate::{Artefact, Result, View};

/// What is known beyond counts.
#[derive(Clone, Copy)]
pub(crate) enum Known<'a> {
    /// Nothing is known: tables and Polyglot books have counts or weights alone.
    Nothing,
    /// A book's own experience.
    Book(&'a Book),
    /// A caller's experience, in place of the book's own.
    Rows(&'a LoadedRows),
}

impl<'a> Known<'a> {
    pub(crate) fn new(view: &View<'a>) -> Self {
        match (view.experience, view.artefact) {
            (Some((rows, _)), _) => Self::Rows(rows),
            (None, Artefact::Book(book)) => Self::Book(book),
            (None, _) => Self::Nothing,
        }
    }

    /// The rows of a position, ascending by move.
    pub(crate) fn of(self, key: Key) -> Result<Vec<ExperienceRow>> {
        Ok(match self {
            Self::Nothing => Vec::new(),
            Self::Book(book) => book.experience_of(key)?,
            Self::Rows(rows) => rows.of(key).cloned().collect(),
        })
    }

    /// Whether nothing at all is known.
    pub(super) fn is_nothing(self) -> bool {
        match self {
            Self::Nothing => true,
            Self::Book(book) => !book.has_experience(),
            Self::Rows(rows) => rows.is_empty(),
        }
    }
}
