//! How often a position was met.

use std::fmt::{self, Write as _};

use position::{Tally, ratio};
use shakmaty::Color;

use crate::decimal::Decimal;

/// How often a position was met.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Frequency {
    /// The games that met it.
    Games(Tally),
    /// Play without games meets it once in a number of games.
    OneIn {
        /// The number.
        games: u64,
        /// How they are played, as it follows "games": `by the weights of the book`.
        played: &'static str,
    },
}

impl Frequency {
    /// The games, if games were counted.
    #[must_use]
    pub fn tally(self) -> Option<Tally> {
        match self {
            Self::Games(tally) => Some(tally),
            Self::OneIn { .. } => None,
        }
    }

    /// Adds it in words: games, White's score and draws, or in how many games it is met once.
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
