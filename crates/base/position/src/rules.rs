//! Counting rules that are applied in replay and recorded with the counts.

use strum::{Display, EnumString};

/// Which visits count when a position occurs more than once in a game.
#[derive(Clone, Copy, Debug, Default, Display, EnumString, Eq, PartialEq)]
#[strum(serialize_all = "kebab-case")]
pub enum Repeats {
    /// Every visit counts.
    #[default]
    Each,
    /// Only the last visit to the position counts, and only the move that was played on that visit.
    Once,
}

/// What happens to a game with an illegal move.
#[derive(Clone, Copy, Debug, Default, Display, EnumString, Eq, PartialEq)]
#[strum(serialize_all = "kebab-case")]
pub enum IllegalMove {
    /// The game is rejected.
    #[default]
    Reject,
    /// The moves before the illegal one count, if there are any.
    KeepPrefix,
}

/// What happens to a game whose result is unknown.
#[derive(Clone, Copy, Debug, Default, Display, EnumString, Eq, PartialEq)]
#[strum(serialize_all = "kebab-case")]
pub enum UnknownResult {
    /// The game is rejected.
    #[default]
    Reject,
    /// The game counts as a draw, as in `polyglot make-book`.
    Draw,
}

/// How strictly the spelling of moves is checked.
#[derive(Clone, Copy, Debug, Default, Display, EnumString, Eq, PartialEq)]
#[strum(serialize_all = "kebab-case")]
pub enum Spelling {
    /// The move must be exact SAN; any other spelling is an error in the game.
    #[default]
    Strict,
    /// Any text that matches exactly one legal move is read as that move.
    Lenient,
}

/// The part of a game that says how it ended.
#[derive(Clone, Copy, Debug, Default, Display, EnumString, Eq, PartialEq)]
#[strum(serialize_all = "kebab-case")]
pub enum ResultFrom {
    /// The Result tag and the result after the moves, which must not contradict each other.
    #[default]
    Both,
    /// The Result tag if it is a result or `*`; else the result after the moves.
    Tag,
    /// The result or `*` after the moves, if there is one; else the Result tag.
    Moves,
}
