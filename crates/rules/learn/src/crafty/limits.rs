//! Limits on how much may be learned from a record or game.

use super::ResultRecords;

/// Limits on what is learned from a record or game. By default, there are none.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LessonLimits {
    /// What the last choice of a lost game learns. Without a limit, this is −999, as in Crafty.
    pub result_records: ResultRecords,
    /// The maximum value of a lesson, for or against a move, in pawns.
    pub lesson_pawns_max: f32,
}

impl Default for LessonLimits {
    fn default() -> Self {
        Self { result_records: ResultRecords::Learn, lesson_pawns_max: f32::INFINITY }
    }
}
