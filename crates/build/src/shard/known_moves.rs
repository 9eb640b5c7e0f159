//! What is known of moves beyond the counts of an input.

use std::{collections::HashMap, sync::Arc};

use experience::Union;
use position::{Experience, ExperienceKind, Key, PackedMove};

use crate::{
    Context, Error, Result,
    source::write_experience,
    stage::{BookFile, ExperiencePath, Flow},
};

/// By position and move.
pub(super) type KnownMoves = HashMap<(Key, PackedMove), Experience>;

/// What is known of the book moves of `input`: what a book knows itself, and what was `given` beside a table.
///
/// # Memory
///
/// About eighty bytes a move that something is known of.
///
/// # Errors
///
/// [`Error::BookHasExperience`] if experience is given beside a book; if a file cannot be read.
pub(super) fn known_moves(
    context: &Context,
    input: &Flow,
    given: Vec<Arc<ExperiencePath>>,
) -> Result<KnownMoves> {
    let files = match input {
        Flow::Book(book) => book_experience(context, book, given)?,
        _ => given,
    };
    let union = Union::open(files.iter().map(|file| file.path()))?;
    let book_moves = union.rows()?.filter_map(|row| match row {
        Ok(row) if row.kind != ExperienceKind::Book => None,
        row => Some(row.map(|row| ((row.key, row.mv), row.experience))),
    });
    Ok(book_moves.collect::<experience::Result<_>>()?)
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
        Err(Error::BookHasExperience { path: book.named.clone() })
    }
}
