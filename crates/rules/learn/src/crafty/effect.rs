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
    /// Number of book moves updated: all that it has, but for a lost game that teaches its last choice alone.
    pub updates: u32,
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
