//! Finds out how the openings of a suite performed in matches, and decides which of them to keep.
//!
//! # Pairs
//!
//! Engine testers play each opening twice, with colours reversed. Two games are a pair if they began with the
//! same opening, were played by the same two players with colours reversed, and have the same round or
//! neighbouring rounds (tag `Round`). So if games have rounds, it hardly matters in which order a match's
//! threads write them. A game without a round is paired with the nearest earlier game that has no partner
//! yet.
//!
//! # Memory
//!
//! A refinement takes up memory for the players' names, about 150 bytes for each opening, and 40 bytes for
//! each game that is still waiting for its partner.

mod pairs;
mod report;
mod rows;

use std::{collections::HashMap, path::Path};

use position::{Key, Outcome, Tally, ratio};

use self::pairs::Pairing;
pub use self::{report::RefineReport, rows::RefineRows};
use crate::{Bounds, Result, suite::each_position};

/// The conditions that an opening must meet to be kept in the suite. An opening with too few pairs is always
/// kept.
#[derive(Clone, Copy, Debug, Default)]
pub struct RefineOptions {
    /// Bounds for the share of drawn games, 0 to 1; `None` allows any share.
    pub draws: Option<Bounds>,
    /// Bounds for the share of pairs in which each player scored one point, 0 to 1; `None` allows any share.
    pub pair_draws: Option<Bounds>,
    /// Bounds for White's score minus one half, −0.5 to 0.5; `None` allows any score.
    pub bias: Option<Bounds>,
    /// An opening with fewer pairs than this is kept without being judged.
    pub min_pairs: u64,
}

/// An opening and its games.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RefinedOpening {
    /// The opening's line in the file, unchanged.
    pub text: String,
    /// Its games by result.
    pub tally: Tally,
    /// How many pairs of games gave 0, ½, 1, 1½ and 2 points to the player whose name sorts first.
    pub pairs: [u64; 5],
}

/// A game of a match.
#[derive(Clone, Copy, Debug)]
pub struct MatchGame<'g> {
    /// The names of the players, White first.
    pub players: [&'g str; 2],
    /// Its round, if it is known.
    pub round: Option<&'g str>,
    /// How it ended.
    pub outcome: Outcome,
}

/// The openings of a file, with the results of their games so far.
#[derive(Debug)]
pub struct Refinement {
    /// The openings, in the order of the file.
    pub openings: Vec<RefinedOpening>,
    places: HashMap<Key, usize>,
    pairing: Pairing,
}

impl RefinedOpening {
    /// The number of pairs of games.
    #[must_use]
    pub fn pairs(&self) -> u64 {
        self.pairs.iter().sum()
    }

    /// The share of games that were drawn; `None` if there are no games.
    #[must_use]
    pub fn draw_rate(&self) -> Option<f64> {
        (self.tally.games() > 0).then(|| ratio(self.tally.draws, self.tally.games()))
    }

    /// The share of pairs in which each player scored one point; `None` if there are no pairs.
    #[must_use]
    pub fn pair_draw_rate(&self) -> Option<f64> {
        (self.pairs() > 0).then(|| ratio(self.pairs[2], self.pairs()))
    }

    /// White's score minus one half; `None` if there are no games.
    #[must_use]
    pub fn bias(&self) -> Option<f64> {
        self.tally.score(shakmaty::Color::White).map(|score| score - 0.5)
    }
}

impl RefineOptions {
    /// Why an opening is left out of the suite; `None` if the opening is kept.
    #[must_use]
    pub fn refuse(&self, opening: &RefinedOpening) -> Option<&'static str> {
        if opening.pairs() < self.min_pairs.max(1) {
            return None;
        }
        let is_out = |bounds: Option<Bounds>, value: Option<f64>| {
            bounds.zip(value).is_some_and(|(bounds, value)| !bounds.hold(value))
        };
        if is_out(self.draws, opening.draw_rate()) {
            Some("draws")
        } else if is_out(self.pair_draws, opening.pair_draw_rate()) {
            Some("pair draws")
        } else if is_out(self.bias, opening.bias()) {
            Some("bias")
        } else {
            None
        }
    }
}

impl Refinement {
    /// Reads a suite from an EPD or FEN file, with one position per line. Repeated positions are skipped.
    ///
    /// # Errors
    ///
    /// Fails with [`Error::OtherSuite`](crate::Error::OtherSuite) if a line is not a legal position, and with
    /// [`FileFault`](fault::FileFault) if the file cannot be read.
    pub fn read(path: &Path) -> Result<Self> {
        let (mut openings, mut places) = (Vec::new(), HashMap::new());
        each_position(path, |key, line| {
            places.entry(key).or_insert_with(|| {
                openings.push(RefinedOpening { text: line.to_owned(), ..RefinedOpening::default() });
                openings.len() - 1
            });
        })?;
        Ok(Self { openings, places, pairing: Pairing::default() })
    }

    /// The index of the opening that a game began with. If the game has a FEN, only the position in the FEN
    /// is looked up. Otherwise, the opening is the last position of the game that is in the suite.
    pub fn opening_of(&self, has_fen: bool, keys: impl DoubleEndedIterator<Item = Key>) -> Option<usize> {
        let mut keys = keys;
        let place = |key: Key| self.places.get(&key).copied();
        if has_fen { keys.next().and_then(place) } else { keys.rev().find_map(place) }
    }

    /// Adds a game that began with the opening at `place`.
    pub fn add(&mut self, place: usize, game: &MatchGame<'_>) {
        let opening = &mut self.openings[place];
        opening.tally += Tally::one(game.outcome);
        if let Some(points) = self.pairing.take(place, game) {
            opening.pairs[points] += 1;
        }
    }
}

#[cfg(test)]
mod tests;
