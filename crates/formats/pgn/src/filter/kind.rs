//! The names of the filters, in the order in which they judge.

use strum::{Display, IntoStaticStr, VariantArray};

/// A filter that refused a game. The first that refuses, in this order, is the one the game is counted under.
#[derive(Clone, Copy, Debug, Display, Eq, Hash, IntoStaticStr, Ord, PartialEq, PartialOrd, VariantArray)]
#[strum(serialize_all = "kebab-case")]
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
    #[strum(serialize = "exclude-bots")]
    Bots,
    /// Not marked as rated.
    #[strum(serialize = "rated-only")]
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
    pub const ALL: &[Self] = Self::VARIANTS;

    /// The name in reports and options: `min-elo`.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// The tags that the filter reads, if it reads the same ones of every game.
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
            // A bot is recognised by a title, and people have titles too. The other filters read no tag, or
            // any tag.
            Filter::Bots | Filter::Where | Filter::MinPlies | Filter::Line | Filter::Fen => &[],
        }
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
