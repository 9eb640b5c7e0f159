//! Settings for the moves that a book keeps, shared by all stages that make a book or learn values for its
//! moves.

use std::str::FromStr;

use book::{BookFilter, PerColor, Ratio};
use clap::Args;
use run::{
    Result, SettingError,
    values::{defaults, number_or_text},
};
use serde::{Deserialize, Serialize};
use shakmaty::Color;

use super::WeighGames;
use crate::counts::described;

/// The book filter as settings.
#[derive(Args, Clone, Debug, Deserialize, Serialize)]
#[command(next_help_heading = "What the book keeps")]
#[serde(default)]
pub struct KeptMoves {
    /// Only moves played in at least N games; white=N,black=M sets a minimum for each side
    #[arg(long, value_name = "N", default_value_t = PerColor::both(1))]
    #[serde(with = "number_or_text")]
    pub min_games: PerColor<u64>,
    /// Only moves that score at least S for their side, 0 to 1; white=S,black=T sets a minimum for each side
    #[arg(long, value_name = "S", default_value_t)]
    #[serde(with = "number_or_text")]
    pub min_score: PerColor<Ratio>,
    /// Only moves played in at least this share of the position's games, 0 to 1; white=S,black=T sets a
    /// minimum for each side
    #[arg(long, value_name = "S", default_value_t)]
    #[serde(with = "number_or_text")]
    pub min_share: PerColor<Ratio>,
    /// Which side's moves the book keeps
    #[arg(long, value_name = "white|black")]
    pub color: Option<Side>,
    /// Only the N best moves of a position, ranked by games, then score, then move
    #[arg(long, value_name = "N")]
    pub top: Option<u32>,
    /// How much each game counts.
    #[command(flatten)]
    #[serde(flatten)]
    pub weigh: WeighGames,
}

/// The side that plays from a book.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// White's moves.
    White,
    /// Black's moves.
    Black,
}

impl FromStr for Side {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "white" => Ok(Self::White),
            "black" => Ok(Self::Black),
            other => Err(format!("expected white or black, not `{other}`")),
        }
    }
}

impl Default for KeptMoves {
    /// Keeps every move.
    fn default() -> Self {
        defaults(&[])
    }
}

impl KeptMoves {
    /// The filter that these settings describe.
    #[must_use]
    pub fn filter(&self) -> BookFilter {
        let Self { min_games, min_score, min_share, color, top, weigh: _ } = *self;
        let color = color.map(|side| Color::from_white(side == Side::White));
        BookFilter { color, min_games, min_score, min_share, top }
    }

    /// A line of text that describes the filter and the weights as given; empty if every move is kept and
    /// every game counts once.
    #[must_use]
    pub fn describe(&self) -> String {
        described(&self.filter(), &self.weigh.weights())
    }

    /// A note that describes the filter and the weights, such as `, in a book of min-games=3`; empty if every
    /// move is kept and every game counts once.
    #[must_use]
    pub fn note(&self) -> String {
        let kept = self.describe();
        if kept.is_empty() { kept } else { format!(", in a book of {kept}") }
    }

    /// Refuses invalid settings.
    pub fn check(&self) -> Result<(), SettingError> {
        self.weigh.check()
    }
}
