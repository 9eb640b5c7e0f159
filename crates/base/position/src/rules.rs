//! Counting rules that are applied in replay and recorded with the counts.

use strum::{EnumString, IntoStaticStr};

/// Which visits count when a position occurs more than once in a game.
#[derive(Clone, Copy, Debug, Default, EnumString, Eq, IntoStaticStr, PartialEq)]
#[strum(serialize_all = "kebab-case")]
pub enum Repeats {
    /// Every visit.
    #[default]
    Each,
    /// The last visit only, with the move played then.
    Once,
}

impl Repeats {
    /// The name on the command line and in files.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// What happens to a game with an illegal move.
#[derive(Clone, Copy, Debug, Default, EnumString, Eq, IntoStaticStr, PartialEq)]
#[strum(serialize_all = "kebab-case")]
pub enum IllegalMove {
    /// It is rejected.
    #[default]
    Reject,
    /// Its moves before the illegal one count, if there are any.
    KeepPrefix,
}

impl IllegalMove {
    /// The name on the command line and in files.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// What happens to a game whose result is unknown.
#[derive(Clone, Copy, Debug, Default, EnumString, Eq, IntoStaticStr, PartialEq)]
#[strum(serialize_all = "kebab-case")]
pub enum UnknownResult {
    /// It is rejected.
    #[default]
    Reject,
    /// It counts as a draw, as `polyglot make-book` counts it.
    Draw,
}

impl UnknownResult {
    /// The name on the command line and in files.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// How the spelling of a game is read.
#[derive(Clone, Copy, Debug, Default, EnumString, Eq, IntoStaticStr, PartialEq)]
#[strum(serialize_all = "kebab-case")]
pub enum Spelling {
    /// As SAN has it; another spelling rejects the game.
    #[default]
    Strict,
    /// Where exactly one legal move fits what is written, it is that move.
    Lenient,
}

impl Spelling {
    /// The name in files.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// What says how a game ended.
#[derive(Clone, Copy, Debug, Default, EnumString, Eq, IntoStaticStr, PartialEq)]
#[strum(serialize_all = "kebab-case")]
pub enum ResultFrom {
    /// The Result tag and the moves, which must not contradict each other.
    #[default]
    Both,
    /// The Result tag, where it is a result or `*`; else the moves.
    Tag,
    /// The result or `*` that ends the moves, where there is one; else the Result tag.
    Moves,
}

impl ResultFrom {
    /// The name on the command line and in files.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.into()
    }
}
