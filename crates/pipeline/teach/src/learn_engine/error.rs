//! Why no positions are searched.

use std::{collections::BTreeMap, path::PathBuf};

/// No position is left to be searched.
#[derive(Debug, thiserror::Error)]
#[error("no position of {} is to be searched{}", book.display(), reasons(left_out))]
pub(super) struct NothingToSearch {
    /// The book.
    pub(super) book: PathBuf,
    /// How many positions are left out, by reason.
    pub(super) left_out: BTreeMap<String, u64>,
}

fault::kinds!(NothingToSearch: Empty);

fn reasons(left_out: &BTreeMap<String, u64>) -> String {
    let reasons: Vec<_> = left_out.iter().map(|(reason, count)| format!("{reason} {count}")).collect();
    if reasons.is_empty() { String::new() } else { format!(": {}", reasons.join(", ")) }
}

/// The engine fails everywhere.
#[derive(Debug, thiserror::Error)]
#[error("the engine found no value of {positions} positions one after another; of the last one: {last}")]
pub(super) struct EngineFails {
    /// How many positions.
    pub(super) positions: usize,
    /// Its last failure.
    pub(super) last: String,
}

impl fault::Failure for EngineFails {}
