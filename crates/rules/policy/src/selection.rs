//! How `wilson` and `bayes` turn values between 0 and 1 into probabilities.

use crate::parameter::Settings;
use crate::{Parameter, ParameterKind, Reason, Sheet};

pub(crate) const CHOICE: Parameter = Parameter::new("choice", ParameterKind::Choice(&["weighted", "best"]))
    .by_default("weighted", "")
    .means("draw in proportion to the value's power, or always the greatest value");
pub(crate) const SHARPNESS: Parameter = Parameter::new("sharpness", ParameterKind::Integer(1, 64))
    .by_default("8", "")
    .means("the power: at 1 chances follow the values, at 64 nearly only the best is played");
pub(crate) const MIN_GAMES: Parameter = Parameter::new("min-games", ParameterKind::Integer(0, 1_000_000_000))
    .by_default("1", "games")
    .means("moves with fewer games are left out");

pub(crate) const TOO_FEW_GAMES: Reason = Reason { rule: "fewer games than min-games", source: "ours" };
const NOT_BEST: Reason = Reason { rule: "choice = best: another move's value is greater", source: "ours" };

/// The last step of a policy, taken when every move that is not excluded has a value between 0 and 1.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Selection {
    best: bool,
    sharpness: u64,
}

impl Selection {
    pub(crate) fn new(settings: &Settings) -> Self {
        Self { best: settings.get::<String>(&CHOICE) == "best", sharpness: settings.get(&SHARPNESS) }
    }

    /// Turns the values into probabilities.
    pub(crate) fn finish(self, sheet: &mut Sheet<'_>) {
        if self.best {
            return sheet.keep_best(NOT_BEST, |_, judged| judged.probability);
        }
        // Dividing by the best value keeps a high power from underflowing to 0 for every move.
        let best = sheet.open().map(|(_, judged)| judged.probability).fold(0.0, f64::max);
        if best > 0.0 {
            for (_, judged) in sheet.open() {
                judged.probability = power(judged.probability / best, self.sharpness);
            }
        }
        sheet.share_out();
    }
}

/// Raises `base` to an integer power using only multiplications, which are rounded the same way on every
/// machine.
fn power(base: f64, exponent: u64) -> f64 {
    (0..exponent).fold(1.0, |product, _| product * base)
}
