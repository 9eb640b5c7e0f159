//! Calculates the confidence interval of a score.

/// In a normal distribution, 95 % of the values are within this many standard deviations of the mean.
const Z_95: f64 = 1.959_963_984_540_054;

/// The 95 % Wilson interval of a score from 0 to 1 over `games` games.
///
/// The score is treated as the share of successes in trials that either succeed or fail. With draws, a
/// score varies less than it would with wins and losses alone, so the interval may be wider than necessary,
/// but never too narrow.
pub(crate) fn wilson(score: f64, games: f64) -> (f64, f64) {
    let z2 = Z_95 * Z_95;
    let center = score + z2 / (2.0 * games);
    let margin = Z_95 * (score * (1.0 - score) / games + z2 / (4.0 * games * games)).sqrt();
    let scale = 1.0 + z2 / games;
    (((center - margin) / scale).max(0.0), ((center + margin) / scale).min(1.0))
}

/// Converts a number of games to `f64`.
#[expect(
    clippy::cast_precision_loss,
    reason = "ratios for people; counts past 2^52 lose nothing they would see"
)]
pub(crate) fn real(count: u64) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wilson_is_the_textbooks() {
        // The scores are 1 point from 2 games, and 7 points from 10 games. The second interval is the result
        // of statsmodels' proportion_confint(7, 10, method="wilson").
        let (low, high) = wilson(0.5, 2.0);
        assert!((low - 0.094_531).abs() < 1e-6 && (high - 0.905_469).abs() < 1e-6, "{low} {high}");
        let (low, high) = wilson(0.7, 10.0);
        assert!((low - 0.396_773).abs() < 1e-5 && (high - 0.892_21).abs() < 1e-5, "{low} {high}");
        assert!(wilson(0.0, 1.0).0.abs() < 1e-12);
        assert!(wilson(1.0, 1.0).1 <= 1.0);
    }
}
