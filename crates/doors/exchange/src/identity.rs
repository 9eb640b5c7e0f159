//! The identity of a book. A server accepts only clients whose books have the same identity as its own.

use query::Artefact;
use serde_json::{Value, json};
use xxhash_rust::xxh3::xxh3_64;

use crate::{Error, Result};

/// Returns the identity of a book: 16 hex digits, the hash of its counting options, number of games, counted
/// inputs, and filter. Books made from the same table with the same filter have the same identity, even if
/// their experience differs.
///
/// # Errors
///
/// Fails if the artefact is not a book, or is a book without provenance.
pub fn identity_of(book: &Artefact) -> Result<String> {
    let provenance = book.book()?.provenance()?;
    let keeps = &provenance["book"]["keeps"];
    let of = [&provenance["counting"], &provenance["games"], &provenance["sources"], keeps];
    if of.iter().any(|part| part.is_null()) {
        return Err(Error::NoIdentity(book.path().to_owned()));
    }
    let text = Value::to_string(&json!(of));
    Ok(format!("{:016x}", xxh3_64(text.as_bytes())))
}
