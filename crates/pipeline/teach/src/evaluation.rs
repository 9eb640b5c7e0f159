//! An evaluation as experience.

use experience::EvaluationRow;
use position::{Experience, Key, PackedMove, Score};

/// What one search teaches of a position (move 0) or a move: its value and, where they are known, depth and
/// nodes. `source` is its place among those that teach.
pub(crate) fn evaluated(
    (key, mv): (Key, PackedMove),
    source: u32,
    score: Score,
    (depth, nodes): (impl Into<Option<u16>>, Option<u64>),
) -> EvaluationRow {
    let ((eval, mate), depth) = (score.columns(), depth.into());
    EvaluationRow {
        key,
        mv,
        source,
        experience: Experience { eval, mate, depth, nodes, ..Experience::default() },
    }
}
