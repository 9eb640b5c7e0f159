//! Figures that follow from the counts of a move: its score with a margin, and a performance rating.

use position::{RatingSums, Tally};
use shakmaty::Color;

/// Standard deviations on either side that hold 95 % of a normal distribution.
const Z_95: f64 = 1.959_963_984_540_054;
/// The farthest a performance can be from the opponents' mean, Elo: the rating difference at a full score
/// (FIDE Handbook, B.02, table 8.1.1).
const PERFORMANCE_MARGIN_MAX: f64 = 800.0;

/// Wilson's 95 % interval of a score in 0..=1 over `games` games.
///
/// The score is taken as a share of successes. A draw varies less than a win or a loss, so with draws the
/// interval is wider than it has to be, never narrower.
pub(crate) fn wilson(score: f64, games: f64) -> (f64, f64) {
    let z2 = Z_95 * Z_95;
    let center = score + z2 / (2.0 * games);
    let margin = Z_95 * (score * (1.0 - score) / games + z2 / (4.0 * games * games)).sqrt();
    let scale = 1.0 + z2 / games;
    (((center - margin) / scale).max(0.0), ((center + margin) / scale).min(1.0))
}

/// A number of games as a number to divide by.
#[expect(
    clippy::cast_precision_loss,
    reason = "ratios for people; counts past 2^52 lose nothing they would see"
)]
pub(crate) fn real(count: u64) -> f64 {
    count as f64
}

/// The rating at which the mover's score against these opponents would be the expected one (Elo's logistic
/// curve), at most 800 from their mean; `None` without rated games.
pub(crate) fn performance_rating(sums: RatingSums, tally: Tally, mover: Color) -> Option<f64> {
    let score = tally.score(mover)?;
    let opponents = sums.opponent_mean()?;
    let margin = 400.0 * (score / (1.0 - score)).log10();
    Some(opponents + margin.clamp(-PERFORMANCE_MARGIN_MAX, PERFORMANCE_MARGIN_MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wilson_is_the_textbooks() {
        // 1 of 2; and 7 of 10, as statsmodels' proportion_confint(7, 10, method="wilson") has it.
        let (low, high) = wilson(0.5, 2.0);
        assert!((low - 0.094_531).abs() < 1e-6 && (high - 0.905_469).abs() < 1e-6, "{low} {high}");
        let (low, high) = wilson(0.7, 10.0);
        assert!((low - 0.396_773).abs() < 1e-5 && (high - 0.892_21).abs() < 1e-5, "{low} {high}");
        assert!(wilson(0.0, 1.0).0.abs() < 1e-12);
        assert!(wilson(1.0, 1.0).1 <= 1.0);
    }

    #[test]
    fn performance_is_the_opponents_rating_at_half_the_points() {
        let sums = RatingSums { mover_elo: 3000, opponent_elo: 3200, rated_games: 2 };
        let tally = |white, draws, black| Tally { white, draws, black };
        assert_eq!(performance_rating(sums, tally(1, 0, 1), Color::White), Some(1600.0));
        assert_eq!(performance_rating(sums, tally(2, 0, 0), Color::White), Some(2400.0));
        assert_eq!(performance_rating(sums, tally(2, 0, 0), Color::Black), Some(800.0));
        assert_eq!(performance_rating(RatingSums::default(), tally(1, 0, 0), Color::White), None);
        assert_eq!(performance_rating(sums, Tally::default(), Color::White), None);
    }
}
