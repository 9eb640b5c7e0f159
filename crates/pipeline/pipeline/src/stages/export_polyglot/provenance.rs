//! The provenance recorded in the header of a Polyglot book.

use book::Book;
use run::Result;

/// The comment in the header. Each line states one fact: first the program that wrote the Polyglot book, then
/// the rule for its weights, then the provenance of the source book.
pub(super) fn comment(book: &Book, weights: &str) -> Result<String> {
    let mut lines = vec![format!("Created by {}", table::CREATED_BY), format!("weights: {weights}")];
    for fact in query::provenance(book)? {
        lines.push(format!("{}: {}", fact.name, fact.value.replace(char::is_control, " ")));
    }
    Ok(lines.join("\n"))
}
