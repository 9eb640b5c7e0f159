//! The reasons why nothing is learned from a part of a learning file.

use strum::{Display, IntoStaticStr};

/// The reason why a record is rejected. If there are several, a reason about tags takes precedence over one
/// about moves, which takes precedence over one about numbers.
#[derive(Clone, Copy, Debug, Display, Eq, Hash, IntoStaticStr, Ord, PartialEq, PartialOrd)]
#[strum(serialize_all = "kebab-case")]
pub enum LearnedReason {
    /// Text before the first record that is neither blank nor the word `position`.
    Fragment,
    /// The file has EPD lines, such as Crafty's computer-analysed positions (CAP, 17.0 to 20.14).
    Epd,
    /// A `White` or `Black` tag that cannot be read; without it, the value cannot be assigned to a player.
    InvalidTags,
    /// The record has no moves between its tags and the numbers in braces, or it consists only of tags.
    NoMoves,
    /// A move is not legal.
    IllegalMove,
    /// A move is ambiguous: it matches several legal moves.
    AmbiguousMove,
    /// Text among the moves that is not a move, or a variation that is still open at the first `{`.
    BadToken,
    /// The record does not end with exactly three whole numbers that fit in 32 bits, or its last number may
    /// have been cut short.
    BadNumbers,
    /// A position that cannot be read or is impossible, even after the known defects in its text are
    /// repaired.
    BadPosition,
    /// Text after the numbers of a record; the record itself is accepted.
    StrayText,
    /// A record longer than a mebibyte.
    TooLong,
}

/// The reason why a record is rejected, the ply of the faulty move, and the faulty text.
pub(super) type Refusal<'t> = (LearnedReason, Option<u32>, &'t [u8]);
