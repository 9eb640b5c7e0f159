//! Counts games from one side's point of view, in 128 bits to rule out overflow.

use position::{OwnResults, Tally};
use shakmaty::Color;

/// The games won, drawn and lost by one side.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(crate) struct Results {
    pub(crate) wins: u128,
    pub(crate) draws: u128,
    pub(crate) losses: u128,
}

impl Results {
    /// The games in a tally, from the point of view of `side`.
    pub(crate) fn of(tally: Tally, side: Color) -> Self {
        Self {
            wins: tally.wins(side).into(),
            draws: tally.draws.into(),
            losses: tally.wins(side.other()).into(),
        }
    }

    /// The results of the engine's own games.
    pub(crate) fn own(results: OwnResults) -> Self {
        Self { wins: results.wins.into(), draws: results.draws.into(), losses: results.losses.into() }
    }

    pub(crate) fn games(self) -> u128 {
        self.wins + self.draws + self.losses
    }

    /// Twice the points: 2 for each win, 1 for each draw.
    pub(crate) fn half_points(self) -> u128 {
        2 * self.wins + self.draws
    }

    /// The score, (wins + draws / 2) / games; `None` if there are no games.
    pub(crate) fn score(self) -> Option<f64> {
        (self.games() > 0).then(|| float(self.half_points()) / float(2 * self.games()))
    }

    /// Whether the score is above `limit` percent. The comparison is exact. `false` if there are no games.
    pub(crate) fn percent_above(self, limit: u64) -> bool {
        100 * self.half_points() > 2 * u128::from(limit) * self.games()
    }
}

/// Converts a count to the nearest floating-point number.
#[expect(
    clippy::cast_precision_loss,
    reason = "weights and ratios; what is lost past 2^53 is too small to change a draw visibly"
)]
pub(crate) fn float(count: u128) -> f64 {
    count as f64
}

/// Computes e to the power of −`exponent`, using only operations that are rounded the same way on every
/// machine.
pub(crate) fn decay(exponent: f64) -> f64 {
    const HALVINGS: u32 = 10;
    let part = exponent.min(700.0) / f64::from(1 << HALVINGS);
    let series = 1.0 - part * (1.0 - part / 2.0 * (1.0 - part / 3.0 * (1.0 - part / 4.0)));
    (0..HALVINGS).fold(series, |power, _| power * power)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_counts_do_not_overflow() {
        let most = Results::of(Tally { white: u64::MAX, draws: u64::MAX, black: u64::MAX }, Color::Black);
        assert_eq!(most.score(), Some(0.5));
        assert!(most.percent_above(49) && !most.percent_above(50));
    }

    #[test]
    fn no_games_have_no_score() {
        assert_eq!(Results::default().score(), None);
        assert!(!Results::default().percent_above(0));
    }

    #[test]
    fn decay_is_that_of_the_exponential_function() {
        for exponent in [0.0_f64, 0.1, 1.0, 3.0, 10.0] {
            assert!((decay(exponent) / (-exponent).exp() - 1.0).abs() < 1e-8, "{exponent}");
        }
        assert!((0.0..1e-200).contains(&decay(1e9)));
    }
}
