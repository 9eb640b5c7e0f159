//! Colours for scores: orange if the score favours Black, grey if it is even, blue if it favours White. Most
//! colour-blind people can tell these apart.

/// A colour as red, green and blue, each 0 to 255.
pub(crate) type Rgb = [f64; 3];

/// The colours for scores of at most 30 %, of 50 %, and of at least 70 %.
pub(crate) struct Scale {
    pub(crate) bad: Rgb,
    pub(crate) even: Rgb,
    pub(crate) good: Rgb,
}

impl Scale {
    /// The colour of a score from 0 to 1.
    pub(crate) fn of(&self, score: f64) -> String {
        let side = ((score - 0.5) / 0.2).clamp(-1.0, 1.0);
        let end = if side < 0.0 { self.bad } else { self.good };
        hex(std::array::from_fn(|at| self.even[at] + (end[at] - self.even[at]) * side.abs()))
    }
}

/// A colour as `#rrggbb`.
#[expect(clippy::cast_sign_loss, reason = "parts of colours are not negative")]
pub(crate) fn hex(color: Rgb) -> String {
    let [red, green, blue] = color.map(|part| part.round() as u32);
    format!("#{red:02x}{green:02x}{blue:02x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_run_from_orange_over_grey_to_blue() {
        let scale =
            Scale { bad: [204.0, 85.0, 0.0], even: [200.0, 200.0, 196.0], good: [20.0, 100.0, 190.0] };
        let shown = [0.0, 0.3, 0.5, 0.7, 1.0].map(|score| scale.of(score));
        assert_eq!(shown, ["#cc5500", "#cc5500", "#c8c8c4", "#1464be", "#1464be"]);
    }
}
