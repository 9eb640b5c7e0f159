//! The names of the filters, in the order in which they are applied.

use strum::{Display, IntoStaticStr, VariantArray};

/// A filter that excluded a game. If several filters would exclude a game, the game is counted under the
/// filter that comes first in this enum.
#[derive(Clone, Copy, Debug, Display, Eq, Hash, IntoStaticStr, Ord, PartialEq, PartialOrd, VariantArray)]
#[strum(serialize_all = "kebab-case")]
#[non_exhaustive]
pub enum Filter {
    /// A rating is below the lower limit, or unknown.
    MinElo,
    /// A rating is above the upper limit, or unknown.
    MaxElo,
    /// The game was played before the first date, or its date is unknown.
    Since,
    /// The game was played after the last date, or its date is unknown.
    Until,
    /// The speed is not one of those asked for, or is unknown.
    Speed,
    /// The result is not one of those asked for, or is unknown.
    Result,
    /// The named player did not play in the game, or had the other colour.
    Player,
    /// A bot played.
    #[strum(serialize = "exclude-bots")]
    Bots,
    /// The game is not marked as rated.
    #[strum(serialize = "rated-only")]
    Rated,
    /// The opening code is not in the ranges asked for, or is unknown.
    Eco,
    /// The expression is false or unknown.
    Where,
    /// The game has too few moves (known only after replay).
    MinPlies,
    /// The game never reaches the position at the end of a line of moves (known only after replay).
    Line,
    /// The game never reaches the position that is given as a FEN or a key (known only after replay).
    Fen,
    /// The game leaves a book too early (known only after replay with the book).
    In,
}

impl Filter {
    /// All filters, in the order in which they are applied.
    pub const ALL: &[Self] = Self::VARIANTS;

    /// The tags that the filter reads. The list is empty for three kinds of filters: those that read no tags,
    /// those that may read any tag, and those that work even if their tags are missing.
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
            // The filter `Bots` works even if the title tags are missing: a player without a title does not
            // count as a bot. `Where` may read any tag, and the four filters after it read none.
            Filter::Bots | Filter::Where | Filter::MinPlies | Filter::Line | Filter::Fen | Filter::In => &[],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_is_complete_and_in_order() {
        assert!(Filter::ALL.is_sorted());
        assert_eq!(Filter::ALL.len(), Filter::In as usize + 1);
    }
}
