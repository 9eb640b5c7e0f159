//! Counting rules that are applied in replay and recorded with the counts.

/// Which visits count when a position occurs more than once in a game.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Repeats {
    /// Every visit.
    #[default]
    Each,
    /// The last visit only, with the move played then.
    Once,
}

impl Repeats {
    /// All rules, the default first.
    pub const ALL: [Repeats; 2] = [Repeats::Each, Repeats::Once];

    /// The name on the command line and in files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Repeats::Each => "each",
            Repeats::Once => "once",
        }
    }
}

/// What happens to a game with an illegal move.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum IllegalMove {
    /// It is rejected.
    #[default]
    Reject,
    /// Its moves before the illegal one count, if there are any.
    KeepPrefix,
}

impl IllegalMove {
    /// All rules, the default first.
    pub const ALL: [IllegalMove; 2] = [IllegalMove::Reject, IllegalMove::KeepPrefix];

    /// The name on the command line and in files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            IllegalMove::Reject => "reject",
            IllegalMove::KeepPrefix => "keep-prefix",
        }
    }
}

/// What happens to a game whose result is unknown.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum UnknownResult {
    /// It is rejected.
    #[default]
    Reject,
    /// It counts as a draw, as `polyglot make-book` counts it.
    Draw,
}

impl UnknownResult {
    /// All rules, the default first.
    pub const ALL: [UnknownResult; 2] = [UnknownResult::Reject, UnknownResult::Draw];

    /// The name on the command line and in files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            UnknownResult::Reject => "reject",
            UnknownResult::Draw => "draw",
        }
    }
}
