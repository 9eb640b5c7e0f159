//! What is known of positions and moves beside their counts: experience, and names of openings.

use std::{collections::HashMap, fs, path::Path, sync::Arc};

use experience::Union;
use fault::FileFault;
use openings::Openings;
use position::{Experience, ExperienceKind, ExperienceRow, Key, PackedMove};

use crate::{
    Context, Result, RunError,
    source::write_experience,
    stage::{BookFile, ExperiencePath, Flow},
};

/// What was learned or set for book moves, and for positions themselves.
///
/// # Memory
///
/// About eighty bytes a move or position that something is known of.
pub(super) struct Known(HashMap<(Key, PackedMove), Experience>);

impl Known {
    /// What is known beside the counts of `input`: what a book holds itself, and for a table what is given.
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

    /// Whether nothing is known.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// What is known of a move, or with move 0 of the position itself.
    pub(super) fn look_up(&self, key: Key, mv: PackedMove) -> Option<Experience> {
        self.0.get(&(key, mv)).copied()
    }
}

/// Whether a row is about a book move, or about a position itself.
fn is_asked_for(row: &ExperienceRow) -> bool {
    match row.kind {
        ExperienceKind::Book => !row.mv.is_terminal(),
        ExperienceKind::Position => row.mv.is_terminal(),
        ExperienceKind::Postbook | ExperienceKind::Seen => false,
    }
}

/// What the book knows: other experience does not go with it.
fn book_experience(
    context: &Context,
    book: &BookFile,
    given: Vec<Arc<ExperiencePath>>,
) -> Result<Vec<Arc<ExperiencePath>>> {
    if given.is_empty() {
        Ok(vec![Arc::new(write_experience(context, &book.path, None)?)])
    } else if given.iter().all(|file| file.is_temporary()) {
        // Taken from the book by a stage of its own.
        Ok(given)
    } else {
        Err(RunError::BookHasExperience { path: book.named.clone() }.into())
    }
}

/// The names in a file of openings, or those of the bundled catalogue.
pub(super) fn openings_of(path: Option<&Path>) -> Result<Openings> {
    let Some(path) = path else { return Ok(Openings::bundled()) };
    let failed = |source| FileFault::new("read", path.to_owned(), source);
    Ok(Openings::parse_tsv(&fs::read_to_string(path).map_err(failed)?)?)
}
