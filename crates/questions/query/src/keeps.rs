//! Which moves a book keeps of its table.

use crate::Artefact;

/// Which moves a book keeps of its table, in the words of its provenance; `None` if the provenance does not
/// say this, or if the artefact is not a book.
#[must_use]
pub fn keeps(book: &Artefact) -> Option<String> {
    let provenance = book.book().ok()?.provenance().ok()?;
    Some(provenance.get("book")?.get("keeps")?.as_str()?.to_owned())
}
