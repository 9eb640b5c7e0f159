//! Scores as colours: orange for Black's, grey for even, blue for White's, which most colour-blind people
//! can distinguish.

/// Colours of a score of 30 %, 50 % and 70 %, as red, green and blue.
const BAD: [f64; 3] = [204.0, 85.0, 0.0];
const EVEN: [f64; 3] = [200.0, 200.0, 196.0];
const GOOD: [f64; 3] = [20.0, 100.0, 190.0];

/// The colour where no score is known: paler than that of any score.
const UNKNOWN: &str = "#e8e0f0";

/// The colour of a score of 0 to 1; below 30 % and above 70 % it changes no more.
#[expect(clippy::cast_sign_loss, reason = "between two colours, which are not negative")]
pub(super) fn of(score: Option<f64>) -> String {
    let Some(score) = score else { return UNKNOWN.into() };
    let side = ((score - 0.5) / 0.2).clamp(-1.0, 1.0);
    let end = if side < 0.0 { BAD } else { GOOD };
    let [red, green, blue] =
        std::array::from_fn(|at| (EVEN[at] + (end[at] - EVEN[at]) * side.abs()).round() as u32);
    format!("#{red:02x}{green:02x}{blue:02x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_run_from_orange_over_grey_to_blue() {
        let shown = [0.0, 0.3, 0.5, 0.7, 1.0].map(|score| of(Some(score)));
        assert_eq!(shown, ["#cc5500", "#cc5500", "#c8c8c4", "#1464be", "#1464be"]);
        assert_eq!(of(None), UNKNOWN);
    }
}
