//! An evaluation as experience.

use experience::EvaluationRow;
use position::{Experience, Key, PackedMove, Score};

/// The row of experience for one search of a position (move 0) or of a move, with the value and, if known,
/// the depth and the nodes. `source` is the number of its source.
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
