//! The errors for a book without positions to search, and for an engine that keeps failing.

use std::{collections::BTreeMap, path::Path};

use run::{Error, RunError};

/// The error for a book with no position to search; `left_out` counts the positions that were left out, by
/// reason.
pub(super) fn nothing_to_search(book: &Path, left_out: &BTreeMap<String, u64>) -> Error {
    let reasons: Vec<_> = left_out.iter().map(|(reason, count)| format!("{reason} {count}")).collect();
    let reasons = if reasons.is_empty() { String::new() } else { format!(": {}", reasons.join(", ")) };
    let book = book.display();
    RunError::Empty(format!("{book} has no position to search{reasons}")).into()
}

/// The engine failed on every position, or on too many in a row.
#[derive(Debug, thiserror::Error)]
#[error("the engine failed on {positions} positions in a row; the last failure: {last}")]
pub(super) struct EngineFails {
    /// The number of positions.
    pub(super) positions: usize,
    /// The engine's last failure.
    pub(super) last: String,
}

impl fault::Failure for EngineFails {}
