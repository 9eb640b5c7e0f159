//! Positions of a book that no line reaches.

use query::Artefact;

use super::{Collected, Finding, FindingKind, KindReport};
use crate::{Result, graph::Graph};

/// The positions that were not reached; they have no line, so they are listed by key.
pub(super) fn unreachable(book: &Artefact, graph: &Graph, limit: usize) -> Result<KindReport> {
    let mut found = Collected::new(FindingKind::Unreachable, limit);
    for position in query::positions(book)? {
        let key = position?.key;
        if !graph.reaches(key) {
            let what = "no line from the start position leads there".into();
            found.push(|| Finding { line: String::new(), key: key.to_string(), what });
        }
    }
    Ok(found.report())
}

/// Positions of a book.
pub(super) fn positions(book: &Artefact) -> Result<u64> {
    let counted = |count, position: query::Result<_>| position.map(|_| count + 1);
    Ok(query::positions(book)?.try_fold(0, counted)?)
}
