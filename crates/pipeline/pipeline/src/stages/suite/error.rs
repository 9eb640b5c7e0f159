//! A suite without an opening.

use std::collections::BTreeMap;

/// No position fits. Nothing was written.
#[derive(Debug, thiserror::Error)]
#[error("no position fits{}", left_out_text(left_out))]
pub(super) struct NoOpening {
    /// The number of positions at the wanted plies, by why they are left out.
    pub(super) left_out: BTreeMap<&'static str, u64>,
}

fault::kinds!(NoOpening: Empty);

/// The reasons in words.
fn left_out_text(left_out: &BTreeMap<&'static str, u64>) -> String {
    let reasons: Vec<_> = left_out.iter().map(|(why, positions)| format!("{why} {positions}")).collect();
    if reasons.is_empty() {
        return ": there is none of these plies".into();
    }
    format!("; left out: {}", reasons.join(", "))
}
