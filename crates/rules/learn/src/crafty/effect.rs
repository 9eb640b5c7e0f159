//! The effect of a record on the book.

use strum::IntoStaticStr;

use super::Family;

/// The effect of a record.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Effect {
    /// The record taught.
    Learned(LessonSummary),
    /// It is valid, but taught nothing.
    Nothing(Nothing),
    /// It cannot be understood.
    Rejected(Rejection),
}

impl Effect {
    /// Whether any move learned.
    #[must_use]
    pub fn is_learned(self) -> bool {
        matches!(self, Effect::Learned(_))
    }
}

/// The updates made by a record or a live game.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct LessonSummary {
    /// The family whose rules were used.
    pub family: Family,
    /// Number of plies whose move is a book move.
    pub book_plies: u32,
    /// Number of book moves updated; fewer than `book_plies` only if a lost game teaches its last choice
    /// alone.
    pub updates: u32,
}

impl LessonSummary {
    /// Whether its sign may be wrong, see [`Family::is_doubtful`].
    #[must_use]
    pub fn is_doubtful(self) -> bool {
        self.family.is_doubtful()
    }
}

/// Why a valid record taught nothing.
#[derive(Clone, Copy, Debug, Eq, IntoStaticStr, PartialEq)]
#[strum(serialize_all = "kebab-case")]
#[non_exhaustive]
pub enum Nothing {
    /// A copy of the record was replayed before.
    Duplicate,
    /// None of the record's moves is a book move.
    NoBookMove,
    /// The game was lost, and the loser's move at the last choice is no book move, although other moves are.
    LastChoiceNotInBook,
    /// It has no ply with a choice; the ramp (18.2–20.16) and lost games need one.
    NoBranch,
    /// A live game had fewer than two searches out of book.
    NoSearch,
    /// The record says that a game was lost, and such records are not to teach.
    ResultRecord,
}

/// Why a record cannot be understood.
#[derive(Clone, Copy, Debug, Eq, IntoStaticStr, PartialEq)]
#[strum(serialize_all = "kebab-case")]
#[non_exhaustive]
pub enum Rejection {
    /// The player who wrote it is unknown: neither of the two or both are a Crafty, and neither is the named
    /// own player.
    UnknownOwnSide,
    /// The version that wrote it is unknown, and no family was given.
    UnknownFamily,
    /// No Crafty of its family can have learned its value.
    ValueOutOfRange,
}

/// Numbers of records by effect. `records` is the sum of all others except `doubtful` and `updates`.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Counters {
    /// Records replayed.
    pub records: u64,
    /// Records that taught.
    pub learned: u64,
    /// Records that taught and whose sign may be wrong (18.2).
    pub doubtful: u64,
    /// Updates of book moves.
    pub updates: u64,
    /// Copies dropped.
    pub duplicates: u64,
    /// Records without a book move that could learn.
    pub no_book_move: u64,
    /// Records without a choice.
    pub no_branch: u64,
    /// Records whose writer is not known.
    pub unknown_own_side: u64,
    /// Records of lost games that were not to teach.
    pub result_records: u64,
    /// Records whose version is not known.
    pub unknown_family: u64,
    /// Records whose value no Crafty can have learned.
    pub out_of_range: u64,
}

impl Counters {
    pub(super) fn count(&mut self, effect: Effect) {
        self.records += 1;
        let counter = match effect {
            Effect::Learned(lesson) => {
                self.updates += u64::from(lesson.updates);
                self.doubtful += u64::from(lesson.is_doubtful());
                &mut self.learned
            }
            Effect::Nothing(Nothing::Duplicate) => &mut self.duplicates,
            Effect::Nothing(Nothing::NoBranch) => &mut self.no_branch,
            Effect::Nothing(Nothing::NoBookMove | Nothing::LastChoiceNotInBook | Nothing::NoSearch) => {
                &mut self.no_book_move
            }
            Effect::Nothing(Nothing::ResultRecord) => &mut self.result_records,
            Effect::Rejected(Rejection::UnknownOwnSide) => &mut self.unknown_own_side,
            Effect::Rejected(Rejection::UnknownFamily) => &mut self.unknown_family,
            Effect::Rejected(Rejection::ValueOutOfRange) => &mut self.out_of_range,
        };
        *counter += 1;
    }
}
