//! Games counted by outcome.

use std::{iter::Sum, ops::AddAssign};

use serde::Serialize;
use shakmaty::Color;

use crate::Outcome;

/// The numbers of games that White won, of draws, and of games that Black won.
///
/// Counts are 64-bit because the start position occurs more than 2^32 times in all Lichess games.
#[derive(Clone, Copy, Debug, Default, Eq, Hash, PartialEq, Serialize)]
pub struct Tally {
    /// Games that White won.
    pub white: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games that Black won.
    pub black: u64,
}

impl Tally {
    /// The tally of a single game.
    #[must_use]
    pub fn one(outcome: Outcome) -> Self {
        let mut tally = Self::default();
        match outcome {
            Outcome::White => tally.white = 1,
            Outcome::Draw => tally.draws = 1,
            Outcome::Black => tally.black = 1,
        }
        tally
    }

    /// The total number of games.
    #[must_use]
    pub fn games(self) -> u64 {
        self.white + self.draws + self.black
    }

    /// Games won by `color`.
    #[must_use]
    pub fn wins(self, color: Color) -> u64 {
        color.fold_wb(self.white, self.black)
    }

    /// Twice the points of `color`: two for a win, one for a draw. This is Polyglot's weight, which is always
    /// a whole number, unlike points.
    #[must_use]
    pub fn half_points(self, color: Color) -> u64 {
        2 * self.wins(color) + self.draws
    }

    /// The score of `color` from 0 to 1: (wins + draws / 2) / games; `None` if there are no games.
    #[must_use]
    #[expect(
        clippy::cast_precision_loss,
        reason = "a ratio for people; counts past 2^52 lose nothing they would see"
    )]
    pub fn score(self, color: Color) -> Option<f64> {
        (self.games() > 0).then(|| self.half_points(color) as f64 / (2 * self.games()) as f64)
    }

    /// The sum, or `None` if a count would reach 2^64.
    #[must_use]
    pub fn checked_add(self, other: Tally) -> Option<Tally> {
        Some(Tally {
            white: self.white.checked_add(other.white)?,
            draws: self.draws.checked_add(other.draws)?,
            black: self.black.checked_add(other.black)?,
        })
    }

    /// The difference, or `None` if a count would fall below zero.
    #[must_use]
    pub fn checked_sub(self, other: Tally) -> Option<Tally> {
        Some(Tally {
            white: self.white.checked_sub(other.white)?,
            draws: self.draws.checked_sub(other.draws)?,
            black: self.black.checked_sub(other.black)?,
        })
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Tally) {
        self.white += other.white;
        self.draws += other.draws;
        self.black += other.black;
    }
}

impl Sum for Tally {
    fn sum<I: Iterator<Item = Self>>(tallies: I) -> Self {
        tallies.fold(Self::default(), |mut sum, tally| {
            sum += tally;
            sum
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_follow_the_mover() {
        let tally = Tally { white: 3, draws: 2, black: 1 };
        assert_eq!(tally.games(), 6);
        assert_eq!(tally.half_points(Color::White), 8);
        assert_eq!(tally.half_points(Color::Black), 4);
        assert_eq!(tally.score(Color::Black), Some(4.0 / 12.0));
        assert_eq!(Tally::default().score(Color::White), None);
    }

    #[test]
    fn counts_of_one_outcome_add_up() {
        let mut tally = Tally { white: 3, draws: 2, black: 1 };
        tally += Tally { white: 10, draws: 20, black: 30 };
        assert_eq!(tally, Tally { white: 13, draws: 22, black: 31 });
    }

    #[test]
    fn subtraction_refuses_to_go_below_zero() {
        let one = Tally::one(Outcome::White);
        assert_eq!(one.checked_sub(one), Some(Tally::default()));
        assert_eq!(one.checked_sub(Tally::one(Outcome::Draw)), None);
    }
}
