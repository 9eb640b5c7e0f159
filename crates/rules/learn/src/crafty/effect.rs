//! What a record does to the book.

use strum::IntoStaticStr;

use super::Family;

/// What a record did to the book.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Effect {
    /// The record taught.
    Learned(LessonSummary),
    /// The record is valid, but taught nothing.
    Nothing(Nothing),
    /// The record cannot be understood.
    Rejected(Rejection),
}

impl Effect {
    /// Whether any move learned.
    #[must_use]
    pub fn is_learned(self) -> bool {
        matches!(self, Effect::Learned(_))
    }
}

/// What a record or a live game updated.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct LessonSummary {
    /// The family by whose rules the book learned.
    pub family: Family,
    /// The number of book moves that were updated: all book moves of the game, or only the last choice of a
    /// lost game.
    pub updates: u32,
}

/// Why a valid record taught nothing.
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
    /// No ply of the record has a choice; records of 18.2 to 20.16, whose rule is the ramp, and records of
    /// lost games need a choice.
    NoBranch,
    /// A live game had fewer than two searches out of book.
    NoSearch,
    /// The record says that a game was lost, and the options say that such records teach nothing.
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
