//! Finds out which moves of its table a book keeps.

use crate::Artefact;

/// Returns which moves of its table a book keeps, in the words of its provenance; `None` if the provenance
/// does not contain this, or if the artefact is not a book.
#[must_use]
pub fn keeps(book: &Artefact) -> Option<String> {
    let provenance = book.book().ok()?.provenance().ok()?;
    Some(provenance.get("book")?.get("keeps")?.as_str()?.to_owned())
}
