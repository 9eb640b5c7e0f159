//! The provenance that a book records.

use count::Counts;
use run::Beginning;
use serde_json::{Value, json};
use table::{Counting, SortedRows as _};

use super::{Compact, way::in_words};

/// The provenance: where the counts come from, how the kept moves were chosen, and which program wrote the
/// book.
pub(super) fn provenance(counts: &Counts, settings: &Compact, keeps: &str) -> Value {
    let mut provenance = counts.provenance();
    if settings.from_start {
        begin_at_start(&mut provenance, counts.counting());
    }
    provenance["book"] = json!({ "keeps": keeps });
    if settings.promote.promote.is_some() {
        provenance["book"]["promotes"] = json!(settings.promote.describe());
    }
    provenance["created_by"] = json!(table::CREATED_BY);
    provenance
}

/// The position where a book made from these counts begins; `None` for the start position.
pub(super) fn beginning(counting: &Counting) -> Option<Beginning> {
    let root = counting.root?;
    Some(match &counting.line {
        Some(line) => Beginning::Line(in_words(line)),
        None => Beginning::Position(root.to_string()),
    })
}

/// Changes the provenance to say that the book begins at the start position. Since all games in the book
/// begin with the line, the line is recorded as a filter.
fn begin_at_start(provenance: &mut Value, counting: &Counting) {
    let line = format!("line {}", counting.line.as_deref().unwrap_or_default());
    let with_line =
        |filter: &String| if filter.is_empty() { line.clone() } else { format!("{line}; {filter}") };
    let filters = counting.filters.iter().map(with_line).collect();
    provenance["counting"] = json!(Counting { root: None, line: None, filters, ..counting.clone() });
}
