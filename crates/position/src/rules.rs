//! Two rules of counting that whoever replays games and whoever keeps the counts must mean alike.

/// What counts when a position comes up more than once in a game.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Repeats {
    /// Every visit.
    #[default]
    Each,
    /// The last visit only, whatever was played from it.
    Once,
}

impl Repeats {
    /// All of them.
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

/// What becomes of a game with a move that no position allows.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum IllegalMove {
    /// It is rejected.
    #[default]
    Reject,
    /// It counts up to that move, if there was one before it.
    KeepPrefix,
}

impl IllegalMove {
    /// All of them.
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
