//! What a book keeps of its table.

use crate::Artefact;

/// What a book keeps of its table, described as its provenance has it; `None` where it does not say, and in
/// other artefacts.
#[must_use]
pub fn keeps(book: &Artefact) -> Option<String> {
    let provenance = book.book().ok()?.provenance().ok()?;
    Some(provenance.get("book")?.get("keeps")?.as_str()?.to_owned())
}
