//! The effects that a record can have on the book.

use strum::IntoStaticStr;

use super::Family;

/// The effect that a record had on the book.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Effect {
    /// Something was learned from the record.
    Learned(LessonSummary),
    /// The record is valid, but nothing was learned from it.
    Nothing(Nothing),
    /// The record cannot be understood.
    Rejected(Rejection),
}

impl Effect {
    /// Whether anything was learned.
    #[must_use]
    pub fn is_learned(self) -> bool {
        matches!(self, Effect::Learned(_))
    }
}

/// What a record or a live game updated.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct LessonSummary {
    /// The family whose rules were used.
    pub family: Family,
    /// The number of book moves that were updated: all book moves of the game, or only the last choice of a
    /// lost game.
    pub updates: u32,
}

/// Why nothing was learned from a valid record.
#[derive(Clone, Copy, Debug, Eq, IntoStaticStr, PartialEq)]
#[strum(serialize_all = "kebab-case")]
#[non_exhaustive]
pub enum Nothing {
    /// A copy of the record has already been replayed.
    Duplicate,
    /// None of the record's moves is a book move.
    NoBookMove,
    /// The game was lost, but the loser's move at the last choice is not a book move, although other moves of
    /// the game are.
    LastChoiceNotInBook,
    /// No ply of the record has a choice. A choice is needed in records of 18.2 to 20.16, whose rule is the
    /// ramp, and in records of lost games.
    NoBranch,
    /// A live game had fewer than two searches out of book.
    NoSearch,
    /// The record reports a lost game, and the options make the learner ignore such records.
    ResultRecord,
}

/// Why a record cannot be understood.
#[derive(Clone, Copy, Debug, Eq, IntoStaticStr, PartialEq)]
#[strum(serialize_all = "kebab-case")]
#[non_exhaustive]
pub enum Rejection {
    /// It is not known which player wrote the record: none or both of the players are a Crafty, and none is
    /// the own player named in the options.
    UnknownOwnSide,
    /// It is not known which version wrote the record, and the options give no family.
    UnknownFamily,
    /// No Crafty of the record's family can have learned this value.
    ValueOutOfRange,
}
