//! The knowledge about positions and moves besides counts: experience, and names of openings.

use std::{collections::HashMap, fs, path::Path, sync::Arc};

use experience::Union;
use fault::FileFault;
use openings::Openings;
use position::{Experience, ExperienceKind, ExperienceRow, Key, PackedMove};
use run::{Context, Result, RunError};
use stage::{BookFile, ExperiencePath, Flow};

use crate::stages::write_experience;

/// What was learned or set for book moves and for positions.
///
/// # Memory
///
/// About eighty bytes for each move or position with experience.
pub(super) struct Known(HashMap<(Key, PackedMove), Experience>);

impl Known {
    /// The knowledge besides the counts of `input`: a book's own experience, or the files given for a
    /// table.
    pub(super) fn of(context: &Context, input: &Flow, given: Vec<Arc<ExperiencePath>>) -> Result<Self> {
        let files = match input {
            Flow::Book(book) => book_experience(context, book, given)?,
            _ => given,
        };
        let union = Union::open(files.iter().map(|file| file.path()))?;
        let known = union.rows()?.filter_map(|row| match row {
            Ok(row) if !is_asked_for(&row) => None,
            row => Some(row.map(|row| ((row.key, row.mv), row.experience))),
        });
        Ok(Self(known.collect::<experience::Result<_>>()?))
    }

    /// Whether there is no experience.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The experience of a move; with move 0, that of the position.
    pub(super) fn look_up(&self, key: Key, mv: PackedMove) -> Option<Experience> {
        self.0.get(&(key, mv)).copied()
    }
}

/// Whether a row is about a book move or a position.
fn is_asked_for(row: &ExperienceRow) -> bool {
    match row.kind {
        ExperienceKind::Book => !row.mv.is_terminal(),
        ExperienceKind::Position => row.mv.is_terminal(),
        ExperienceKind::Postbook
        | ExperienceKind::Seen
        | ExperienceKind::Evaluation
        | ExperienceKind::Minimax => false,
    }
}

/// The experience of a book. Other experience cannot be given for it.
fn book_experience(
    context: &Context,
    book: &BookFile,
    given: Vec<Arc<ExperiencePath>>,
) -> Result<Vec<Arc<ExperiencePath>>> {
    if given.is_empty() {
        Ok(vec![Arc::new(write_experience(context, &book.path, None)?)])
    } else if given.iter().all(|file| file.is_temporary()) {
        // An earlier stage took it from the book.
        Ok(given)
    } else {
        Err(RunError::BookHasExperience(book.named.clone()).into())
    }
}

/// The names in a file of openings, or those of the bundled catalogue.
pub(super) fn openings_of(path: Option<&Path>) -> Result<Openings> {
    let Some(path) = path else { return Ok(Openings::bundled()) };
    Ok(Openings::parse_tsv(&fs::read_to_string(path).map_err(FileFault::of("read", path))?)?)
}
