//! How often a position was met.

use std::fmt::{self, Write as _};

use position::Tally;
use shakmaty::Color;

use crate::decimal::Decimal;

/// How often a position was met.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Frequency {
    /// The games that met it.
    Games(Tally),
    /// Play by the weights of a Polyglot book meets it once in this number of games.
    OneIn(u64),
}

impl Frequency {
    /// The games, if games were counted.
    #[must_use]
    pub fn tally(self) -> Option<Tally> {
        match self {
            Self::Games(tally) => Some(tally),
            Self::OneIn(_) => None,
        }
    }

    /// Adds it in words: games, White's score and draws, or in how many games it is met once.
    pub(crate) fn push(self, text: &mut String) -> fmt::Result {
        match self {
            Self::Games(tally) => {
                let score = Decimal::<1>(100.0 * tally.score(Color::White).unwrap_or_default());
                let draws = Decimal::<1>(100.0 * crate::ratio(tally.draws, tally.games().max(1)));
                write!(text, "games {}, White scores {score} %, draws {draws} %", tally.games())
            }
            Self::OneIn(games) => write!(text, "1 in {games} games by the weights of the book"),
        }
    }
}
