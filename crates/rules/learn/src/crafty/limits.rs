//! Limits of how much one record or game may teach.

use super::ResultRecords;

/// Limits of what a record or a game teaches. By default there is none.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LessonLimits {
    /// What the last choice of a lost game learns, where it learns −999 in Crafty.
    pub result_records: ResultRecords,
    /// The most that a lesson says for or against a move, pawns.
    pub lesson_pawns_max: f32,
}

impl Default for LessonLimits {
    fn default() -> Self {
        Self { result_records: ResultRecords::Learn, lesson_pawns_max: f32::INFINITY }
    }
}
