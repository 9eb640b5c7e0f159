//! Sums of the players' ratings.

use std::ops::AddAssign;

use shakmaty::Color;

use crate::Tally;

/// The largest possible difference between a performance rating and the opponents' mean rating, in Elo.
/// FIDE's table gives this difference for a perfect score (FIDE Handbook, B.02, table 8.1.1).
const PERFORMANCE_MARGIN_MAX: f64 = 800.0;

/// The players' ratings, summed over the games in which both players have a rating.
///
/// Sums are stored instead of means because sums add and subtract exactly.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct RatingSums {
    /// The sum of the mover's ratings, in Elo. In the row of a terminal visit, which has no move, the side to
    /// move counts as the mover.
    pub mover_elo: u64,
    /// The sum of the ratings of the mover's opponents, in Elo.
    pub opponent_elo: u64,
    /// The number of games over which ratings were summed.
    pub rated_games: u64,
}

impl RatingSums {
    /// The sums if no games are rated: all are 0.
    pub const NONE: RatingSums = RatingSums { mover_elo: 0, opponent_elo: 0, rated_games: 0 };

    /// The mover's mean rating, in Elo; `None` if there are no rated games.
    #[must_use]
    pub fn mover_mean(self) -> Option<f64> {
        self.mean(self.mover_elo)
    }

    /// The opponents' mean rating, in Elo; `None` if there are no rated games.
    #[must_use]
    pub fn opponent_mean(self) -> Option<f64> {
        self.mean(self.opponent_elo)
    }

    /// The rating whose expected score against these opponents, by Elo's logistic curve, equals the mover's
    /// score in `tally`. It differs from the opponents' mean by at most 800. Returns `None` if there are no
    /// rated games.
    #[must_use]
    pub fn performance(self, tally: Tally, mover: Color) -> Option<f64> {
        let opponents = self.opponent_mean()?;
        let score = tally.score(mover)?;
        let margin = 400.0 * (score / (1.0 - score)).log10();
        Some(opponents + margin.clamp(-PERFORMANCE_MARGIN_MAX, PERFORMANCE_MARGIN_MAX))
    }

    #[expect(
        clippy::cast_precision_loss,
        reason = "a mean for people; sums past 2^52 lose nothing they would see"
    )]
    fn mean(self, sum: u64) -> Option<f64> {
        (self.rated_games > 0).then(|| sum as f64 / self.rated_games as f64)
    }

    /// The sum, or `None` if a number would reach 2^64.
    #[must_use]
    pub fn checked_add(self, other: RatingSums) -> Option<RatingSums> {
        Some(RatingSums {
            mover_elo: self.mover_elo.checked_add(other.mover_elo)?,
            opponent_elo: self.opponent_elo.checked_add(other.opponent_elo)?,
            rated_games: self.rated_games.checked_add(other.rated_games)?,
        })
    }

    /// The difference, or `None` if a sum would fall below zero.
    #[must_use]
    pub fn checked_sub(self, other: RatingSums) -> Option<RatingSums> {
        Some(RatingSums {
            mover_elo: self.mover_elo.checked_sub(other.mover_elo)?,
            opponent_elo: self.opponent_elo.checked_sub(other.opponent_elo)?,
            rated_games: self.rated_games.checked_sub(other.rated_games)?,
        })
    }

    /// Whether these sums are possible for the games in `tally`: there must be at least `rated_games` of
    /// them, and every rating must be at least 1.
    #[inline]
    #[must_use]
    pub fn fit(self, tally: Tally) -> bool {
        // The addition saturates because a damaged file may contain any number.
        let games = tally.white.saturating_add(tally.draws).saturating_add(tally.black);
        let least = self.mover_elo.min(self.opponent_elo);
        self.rated_games <= games.min(least) && (self.rated_games > 0 || self == Self::NONE)
    }
}

impl AddAssign for RatingSums {
    fn add_assign(&mut self, other: RatingSums) {
        self.mover_elo += other.mover_elo;
        self.opponent_elo += other.opponent_elo;
        self.rated_games += other.rated_games;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TWO: RatingSums = RatingSums { mover_elo: 3000, opponent_elo: 3200, rated_games: 2 };

    #[test]
    fn means_are_of_the_rated_games() {
        assert_eq!((TWO.mover_mean(), TWO.opponent_mean()), (Some(1500.0), Some(1600.0)));
        assert_eq!(RatingSums::NONE.mover_mean(), None);
    }

    #[test]
    fn performance_is_the_opponents_rating_at_half_the_points() {
        let tally = |white, draws, black| Tally { white, draws, black };
        assert_eq!(TWO.performance(tally(1, 0, 1), Color::White), Some(1600.0));
        assert_eq!(TWO.performance(tally(2, 0, 0), Color::White), Some(2400.0));
        assert_eq!(TWO.performance(tally(2, 0, 0), Color::Black), Some(800.0));
        assert_eq!(RatingSums::NONE.performance(tally(1, 0, 0), Color::White), None);
        assert_eq!(TWO.performance(Tally::default(), Color::White), None);
    }

    #[test]
    fn sums_add_and_subtract_or_say_that_they_cannot() {
        let mut four = TWO;
        four += TWO;
        assert_eq!(TWO.checked_add(TWO), Some(four));
        assert_eq!(four.checked_sub(TWO), Some(TWO));
        assert_eq!(TWO.checked_sub(four), None);
        assert_eq!(TWO.checked_add(RatingSums { mover_elo: u64::MAX, ..TWO }), None);
    }

    #[test]
    fn impossible_sums_do_not_fit() {
        let games = |white| Tally { white, draws: 1, black: 0 };
        assert!(TWO.fit(games(1)) && TWO.fit(games(u64::MAX)) && RatingSums::NONE.fit(Tally::default()));
        assert!(!TWO.fit(games(0)), "more rated games than games");
        assert!(!RatingSums { rated_games: 0, ..TWO }.fit(games(1)), "ratings of no game");
        assert!(!RatingSums { opponent_elo: 1, ..TWO }.fit(games(1)), "a rating of nothing");
    }
}
