//! The names of the filters, in the order in which they judge.

use std::fmt;

/// A filter that refused a game. The first that refuses, in this order, is the one the game is counted under.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
#[non_exhaustive]
pub enum Filter {
    /// A rating below the least, or unknown.
    MinElo,
    /// A rating above the greatest, or unknown.
    MaxElo,
    /// Played before the first date, or the date is unknown.
    Since,
    /// Played after the last date, or the date is unknown.
    Until,
    /// Another speed, or unknown.
    Speed,
    /// Another result, or unknown.
    Result,
    /// Not a game of the named player (of that colour).
    Player,
    /// A bot played.
    Bots,
    /// Not marked as rated.
    Rated,
    /// Another opening code, or unknown.
    Eco,
    /// The expression is not true.
    Where,
    /// Too few moves; decided by replay.
    MinPlies,
    /// Never reaches the position of a line of moves; decided by replay.
    Line,
    /// Never reaches the position of a FEN; decided by replay.
    Fen,
}

impl Filter {
    /// Every filter, in the order in which they judge.
    pub const ALL: [Filter; 14] = [
        Filter::MinElo,
        Filter::MaxElo,
        Filter::Since,
        Filter::Until,
        Filter::Speed,
        Filter::Result,
        Filter::Player,
        Filter::Bots,
        Filter::Rated,
        Filter::Eco,
        Filter::Where,
        Filter::MinPlies,
        Filter::Line,
        Filter::Fen,
    ];

    /// The name in reports and options: `min-elo`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Filter::MinElo => "min-elo",
            Filter::MaxElo => "max-elo",
            Filter::Since => "since",
            Filter::Until => "until",
            Filter::Speed => "speed",
            Filter::Result => "result",
            Filter::Player => "player",
            Filter::Bots => "exclude-bots",
            Filter::Rated => "rated-only",
            Filter::Eco => "eco",
            Filter::Where => "where",
            Filter::MinPlies => "min-plies",
            Filter::Line => "line",
            Filter::Fen => "fen",
        }
    }

    /// The tags that it reads, where it reads the same of every game.
    #[must_use]
    pub fn tags(self) -> &'static [&'static str] {
        match self {
            Filter::MinElo | Filter::MaxElo => &["WhiteElo", "BlackElo"],
            Filter::Since | Filter::Until => &["UTCDate", "Date"],
            Filter::Speed => &["TimeControl"],
            Filter::Result => &["Result"],
            Filter::Player => &["White", "Black"],
            Filter::Rated => &["Rated", "Event"],
            Filter::Eco => &["ECO"],
            // Bots are known by a title, which people have too; the others read no tag or any.
            Filter::Bots | Filter::Where | Filter::MinPlies | Filter::Line | Filter::Fen => &[],
        }
    }
}

impl fmt::Display for Filter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_is_complete_and_in_order() {
        assert!(Filter::ALL.is_sorted());
        assert_eq!(Filter::ALL.len(), Filter::Fen as usize + 1);
    }
}
