//! Finds out which moves a book keeps, out of those in the table from which it was made.

use crate::Artefact;

/// Describes which of its table's moves a book keeps, in the words of its provenance; `None` if the
/// provenance does not say, or if the artefact is not a book.
#[must_use]
pub fn keeps(book: &Artefact) -> Option<String> {
    let provenance = book.book().ok()?.provenance().ok()?;
    Some(provenance.get("book")?.get("keeps")?.as_str()?.to_owned())
}
