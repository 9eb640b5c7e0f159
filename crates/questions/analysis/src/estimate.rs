//! A score with a margin.

/// The standard deviations on either side that hold 95 % of a normal distribution.
const Z_95: f64 = 1.959_963_984_540_054;

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wilson_is_the_textbooks() {
        // The scores are 1 of 2 and 7 of 10; statsmodels' proportion_confint(7, 10, method="wilson") gives
        // the second interval.
        let (low, high) = wilson(0.5, 2.0);
        assert!((low - 0.094_531).abs() < 1e-6 && (high - 0.905_469).abs() < 1e-6, "{low} {high}");
        let (low, high) = wilson(0.7, 10.0);
        assert!((low - 0.396_773).abs() < 1e-5 && (high - 0.892_21).abs() < 1e-5, "{low} {high}");
        assert!(wilson(0.0, 1.0).0.abs() < 1e-12);
        assert!(wilson(1.0, 1.0).1 <= 1.0);
    }
}
