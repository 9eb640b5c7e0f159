//! A suite without an opening.

use std::collections::BTreeMap;

/// No position fits. Nothing was written.
#[derive(Debug, thiserror::Error)]
#[error("no position fits{}{}", left_out_text(left_out), without_roots_text(*without_roots))]
pub(super) struct NoOpening {
    /// Whether the games may have started from a FEN, and the counts have no roots.
    pub(super) without_roots: bool,
    /// The number of positions at the wanted plies, by why they are left out.
    pub(super) left_out: BTreeMap<&'static str, u64>,
}

fault::kinds!(NoOpening: Empty);

fn without_roots_text(without_roots: bool) -> &'static str {
    if without_roots {
        "; if its games start from a FEN, they were counted before roots were kept: count them again"
    } else {
        ""
    }
}

/// The reasons in words.
fn left_out_text(left_out: &BTreeMap<&'static str, u64>) -> String {
    let reasons: Vec<_> = left_out.iter().map(|(why, positions)| format!("{why} {positions}")).collect();
    if reasons.is_empty() {
        return ": there is none of these plies".into();
    }
    format!("; left out: {}", reasons.join(", "))
}
