//! How often a position comes up.

use std::fmt::{self, Write as _};

use position::{Tally, ratio};
use shakmaty::Color;

use crate::decimal::Decimal;

/// How often a position comes up.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Frequency {
    /// The games that reached the position, by result.
    Games(Tally),
    /// No games were counted. If moves were chosen by a book's weights or at random, one game in `games`
    /// would reach the position.
    OneIn {
        /// The number of games.
        games: u64,
        /// How these games are played, as a phrase to follow the word "games", such as `by the weights of the
        /// book`.
        played: &'static str,
    },
}

impl Frequency {
    /// The games by result; `None` if no games were counted.
    #[must_use]
    pub fn tally(self) -> Option<Tally> {
        match self {
            Self::Games(tally) => Some(tally),
            Self::OneIn { .. } => None,
        }
    }

    /// Adds the frequency in words: either the number of games, White's score and the share of draws, or "1
    /// in" and a number of games.
    pub(crate) fn push(self, text: &mut String) -> fmt::Result {
        match self {
            Self::Games(tally) => {
                let score = Decimal::<1>(100.0 * tally.score(Color::White).unwrap_or_default());
                let draws = Decimal::<1>(100.0 * ratio(tally.draws, tally.games().max(1)));
                write!(text, "games {}, White scores {score} %, draws {draws} %", tally.games())
            }
            Self::OneIn { games, played } => write!(text, "1 in {games} games {played}"),
        }
    }
}
