//! How many times to learn from a game, depending on the opponent.

use std::{fmt, str::FromStr};

use pgn::filter::PlayerName;
use serde::{Deserialize, Serialize};

/// The maximum number of times a game may be learned from.
const WEIGHT_MAX: u8 = 100;

/// How many times to learn from a game against a given opponent, written as `NAME=WEIGHT`. A learner that
/// plays a match against one opponent benefits most from its games against that opponent (Crafty's paper,
/// 6.5).
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(try_from = "String", into = "String")]
pub struct OpponentWeight {
    name: PlayerName,
    weight: u8,
}

impl OpponentWeight {
    /// Whether this weight applies to `opponent`.
    #[must_use]
    pub fn names(&self, opponent: &str) -> bool {
        self.name.is_named(opponent)
    }

    /// Returns the number of times to learn from a game against `opponent`: the weight in the first entry
    /// that names the opponent, or 1 if there is none.
    #[must_use]
    pub fn of(weights: &[Self], opponent: &str) -> u8 {
        weights.iter().find(|known| known.names(opponent)).map_or(1, |known| known.weight)
    }
}

impl FromStr for OpponentWeight {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parsed = || {
            let (name, weight) = text.rsplit_once('=')?;
            let weight = weight.trim().parse().ok().filter(|&weight| weight <= WEIGHT_MAX)?;
            Some(Self { name: name.parse().ok()?, weight })
        };
        parsed().ok_or_else(|| {
            format!(
                "`{text}` is not a name with a weight: expected a weight from 0 to {WEIGHT_MAX}, as in \"Stockfish 15.1=4\" or \
                 \"/^Stock/=4\""
            )
        })
    }
}

impl TryFrom<String> for OpponentWeight {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl fmt::Display for OpponentWeight {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.name, self.weight)
    }
}

impl From<OpponentWeight> for String {
    fn from(weight: OpponentWeight) -> Self {
        weight.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_that_names_an_opponent_decides() {
        let weights = ["/^Stock/=4", "Stockfish 15.1=2", "a=b=0"].map(|text| text.parse().unwrap());
        let of = |name| OpponentWeight::of(&weights, name);
        assert_eq!([of("Stockfish 15.1"), of("A=B"), of("Fruit"), of("")], [4, 0, 1, 1]);
        assert_eq!(weights.map(|weight| weight.to_string()), ["/^Stock/=4", "Stockfish 15.1=2", "a=b=0"]);
    }

    #[test]
    fn other_texts_are_none() {
        for wrong in ["", "Fruit", "Fruit=", "=3", "Fruit=-1", "Fruit=101", "Fruit=1.5", "/(/=2"] {
            assert!(wrong.parse::<OpponentWeight>().is_err(), "{wrong}");
        }
    }
}
