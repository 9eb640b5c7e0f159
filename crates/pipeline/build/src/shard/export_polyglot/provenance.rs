//! What a Polyglot book says of itself in its header.

use book::Book;

use crate::Result;

/// The comment of the header: what wrote the book, its weights, and what the book it is from says of itself,
/// a line each.
pub(super) fn comment(book: &Book, weights: &str) -> Result<String> {
    let mut lines = vec![format!("Created by {}", table::CREATED_BY), format!("weights: {weights}")];
    for fact in query::provenance(book)? {
        lines.push(format!("{}: {}", fact.name, fact.value.replace(char::is_control, " ")));
    }
    Ok(lines.join("\n"))
}
