//! The effects that a record can have on the book.

use strum::IntoStaticStr;

use super::Family;

/// The effect of a record on the book.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Effect {
    /// Something was learned from the record.
    Learned(LessonSummary),
    /// The record is valid, but there was nothing to learn from it.
    Nothing(Nothing),
    /// The record cannot be interpreted.
    Rejected(Rejection),
}

impl Effect {
    /// Whether anything was learned.
    #[must_use]
    pub fn is_learned(self) -> bool {
        matches!(self, Effect::Learned(_))
    }
}

/// The changes that a record or a live game made to the book.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct LessonSummary {
    /// The family whose rules were used.
    pub family: Family,
    /// The number of book moves that were updated: all book moves of the game, or just the last choice of a
    /// lost game.
    pub updates: u32,
}

/// The reason why nothing was learned from a valid record.
#[derive(Clone, Copy, Debug, Eq, IntoStaticStr, PartialEq)]
#[strum(serialize_all = "kebab-case")]
#[non_exhaustive]
pub enum Nothing {
    /// A copy of the record has already been replayed.
    Duplicate,
    /// None of the record's moves is a book move.
    NoBookMove,
    /// The game was lost and contains book moves, but the move that the loser played at the last choice is
    /// not one of them.
    LastChoiceNotInBook,
    /// There was no choice between playable book moves. In a record that marks a lost game, this means that
    /// the loser had no choice. In a record from one of the versions that use the ramp (18.2 to 20.16), it
    /// means that neither side had a choice.
    NoBranch,
    /// A live game had fewer than two searches out of book.
    NoSearch,
    /// The record reports a lost game, and the options say to ignore such records.
    ResultRecord,
}

/// The reason why a record cannot be interpreted.
#[derive(Clone, Copy, Debug, Eq, IntoStaticStr, PartialEq)]
#[strum(serialize_all = "kebab-case")]
#[non_exhaustive]
pub enum Rejection {
    /// It is unclear which player wrote the record. Both players are Crafty or neither is; and if the options
    /// name the own player, this name matches both players or neither.
    UnknownOwnSide,
    /// It is unclear which version wrote the record, and the options name no family.
    UnknownFamily,
    /// No version of Crafty in that family can have learned this value.
    ValueOutOfRange,
}
