//! Decides which of two evaluations of one position or move is kept.

use std::cmp::Reverse;

use position::{Experience, ExperienceRow, Score};

/// Returns the better of two rows of kind `evaluation`. The deeper one is better. Rows of equal depth are
/// compared by nodes (more is better), then by the names of their sources (the first is better), and finally
/// by value (the higher is better). Both rows must index the same list of sources, sorted by name. The order
/// in which the rows are compared does not matter.
pub(crate) fn better(one: ExperienceRow, other: ExperienceRow) -> ExperienceRow {
    if rank(&other) < rank(&one) { other } else { one }
}

/// Returns a key for comparison, which is smaller for a better evaluation.
fn rank(row: &ExperienceRow) -> impl Ord + use<> {
    let Experience { eval, mate, depth, nodes, .. } = row.experience;
    let score = Score::of_columns(eval, mate).map(Score::code);
    (Reverse(depth), Reverse(nodes), row.taught.first().map(|taught| taught.source), Reverse(score))
}
