//! An evaluation as a change of experience.

use experience::{Change, Lessons};
use position::{Experience, ExperienceKind, Key, Lesson, PackedMove, Score, Taught};

/// What one search teaches of a position (move 0) or a move: its value and, where they are known, depth and
/// nodes. `source` is its place among those that teach.
pub(crate) fn change(
    (key, mv): (Key, PackedMove),
    source: u32,
    score: Score,
    (depth, nodes): (impl Into<Option<u16>>, Option<u64>),
) -> Change {
    let ((eval, mate), depth) = (score.columns(), depth.into());
    let lessons = Lessons::Evaluation(Experience { eval, mate, depth, nodes, ..Experience::default() });
    let taught = vec![Taught { source, lesson: Lesson::Search, count: 1, last: 0 }];
    Change { key, mv, kind: ExperienceKind::Evaluation, lessons, taught }
}
