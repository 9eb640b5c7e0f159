//! Finds out which of its table's moves a book keeps.

use crate::Artefact;

/// Which of its table's moves a book keeps, as its provenance puts it; `None` if the provenance does not say,
/// or if the artefact is not a book.
#[must_use]
pub fn keeps(book: &Artefact) -> Option<String> {
    let provenance = book.book().ok()?.provenance().ok()?;
    Some(provenance.get("book")?.get("keeps")?.as_str()?.to_owned())
}
