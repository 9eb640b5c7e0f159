//! Where experience is read.

use std::borrow::Cow;

use book::Book;
use experience::{ExperienceFile, ExperienceSource, LoadedRows};
use position::{ExperienceKind, ExperienceRow, Key};

use crate::{Artefact, Result, View, sources_of};

/// Where to read an artefact's experience.
#[derive(Clone, Copy)]
pub(crate) enum ExperienceOf<'a> {
    /// There is no experience: tables and Polyglot books have only counts or weights.
    Nothing,
    /// A book's own experience.
    Book(&'a Book),
    /// An experience file. Every look-up of a position reads the whole file.
    File(&'a ExperienceFile),
    /// Experience from the caller, with its sources. The caller's experience replaces the artefact's own.
    Rows(&'a LoadedRows, &'a [ExperienceSource]),
}

impl<'a> ExperienceOf<'a> {
    pub(crate) fn new(view: &View<'a>) -> Self {
        match (view.experience, view.artefact) {
            (Some((rows, sources)), _) => Self::Rows(rows, sources),
            (None, Artefact::Book(book)) => Self::Book(book),
            (None, Artefact::Experience(file)) => Self::File(file),
            (None, Artefact::Table(_) | Artefact::Polyglot(_)) => Self::Nothing,
        }
    }

    /// The rows of experience for a position, ascending by move.
    pub(crate) fn of(self, key: Key) -> Result<Vec<ExperienceRow>> {
        Ok(match self {
            Self::Nothing => Vec::new(),
            Self::Book(book) => book.experience_of(key)?,
            Self::File(file) => {
                let is_of_key = |row: &ExperienceRow| row.key == key && row.kind != ExperienceKind::Seen;
                let rows = file.read()?.filter(|row| row.as_ref().map_or(true, is_of_key));
                rows.collect::<Result<_, _>>()?
            }
            Self::Rows(rows, _) => rows.of(key).cloned().collect(),
        })
    }

    /// The sources that the rows refer to.
    pub(crate) fn sources(self) -> Result<Cow<'a, [ExperienceSource]>> {
        Ok(match self {
            Self::Nothing => Cow::default(),
            Self::Book(book) => sources_of(book)?.into(),
            Self::File(file) => file.header().sources.as_slice().into(),
            Self::Rows(_, sources) => sources.into(),
        })
    }

    /// Whether there is no experience at all.
    pub(crate) fn is_nothing(self) -> bool {
        match self {
            Self::Nothing => true,
            Self::Book(book) => !book.has_experience(),
            Self::File(file) => file.rows() == 0,
            Self::Rows(rows, _) => rows.is_empty(),
        }
    }
}
