//! Limits on how much a record or game may teach.

use super::ResultRecords;

/// Limits on how much a record or game may teach. By default, there are none.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LessonLimits {
    /// The lesson for the last choice of a lost game. This is −999 unless limited, as in Crafty.
    pub result_records: ResultRecords,
    /// The largest value, in pawns, that a lesson for or against a move may have.
    pub lesson_pawns_max: f32,
}

impl Default for LessonLimits {
    fn default() -> Self {
        Self { result_records: ResultRecords::Learn, lesson_pawns_max: f32::INFINITY }
    }
}
