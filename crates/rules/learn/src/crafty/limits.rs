//! Limits on how much can be learned from a single record or game.

use super::ResultRecords;

/// Limits on how much can be learned from a single record or game. By default, there are none.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LessonLimits {
    /// The lesson for the last choice of a lost game. It is −999 pawns, as in Crafty, unless a limit is set.
    pub result_records: ResultRecords,
    /// The maximum absolute value of a lesson, in pawns.
    pub lesson_pawns_max: f32,
}

impl Default for LessonLimits {
    fn default() -> Self {
        Self { result_records: ResultRecords::Learn, lesson_pawns_max: f32::INFINITY }
    }
}
