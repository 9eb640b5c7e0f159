//! A rule of our own that chooses by the lower bound of the confidence interval of a move's score, so that a
//! move with five lucky games is not preferred to one with five thousand games.
//!
//! The value is the lower bound of the Wilson interval of the score (wins + draws/2) / games. A draw counts
//! as half a win. Draws make the true spread smaller than the computed one, so the bound errs on the low
//! side. Source: Wilson (1927), Journal of the American Statistical Association 22.

use crate::results::{Results, float};
use crate::selection::{CHOICE, MIN_GAMES, SHARPNESS, Selection, TOO_FEW_GAMES};
use crate::{Evidence, Parameter, ParameterKind, PolicySpec, Rule, Sheet};

pub(crate) const SPEC: PolicySpec = PolicySpec {
    name: "wilson",
    summary: "by the lower bound of the score, so that few games count little",
    source: "ours: Wilson's score interval",
    evidence: &[Evidence::Games],
    parameters: &[Z, MIN_GAMES, CHOICE, SHARPNESS],
    build: |settings| {
        let (z, min_games) = (settings.get(&Z), settings.get(&MIN_GAMES));
        Box::new(Wilson { z, min_games, selection: Selection::new(settings) })
    },
};

const Z: Parameter = Parameter::new("z", ParameterKind::Decimal(0.0, 10.0))
    .by_default("1.96", "standard deviations")
    .means("how careful the bound is: 1.645 for 90 %, 1.96 for 95 %, 2.576 for 99 %; 0 is the score itself");

#[derive(Debug)]
struct Wilson {
    z: f64,
    min_games: u128,
    selection: Selection,
}

impl Rule for Wilson {
    fn weigh(&self, sheet: &mut Sheet<'_>) {
        let turn = sheet.turn;
        sheet.exclude_outside_book();
        for (candidate, judged) in sheet.open() {
            let counts = Results::of(candidate.tally, turn);
            judged.scores.push("games", float(counts.games()));
            if counts.games() < self.min_games {
                judged.exclude(TOO_FEW_GAMES);
                continue;
            }
            let score = counts.score().unwrap_or(0.0);
            judged.probability = lower_bound(score, float(counts.games()), self.z);
            judged.scores.push("score", score);
            judged.scores.push("lower-bound", judged.probability);
        }
        self.selection.finish(sheet);
    }
}

/// The lower bound of the Wilson interval of `score` over `games` games; 0 if there are no games.
fn lower_bound(score: f64, games: f64, z: f64) -> f64 {
    if games <= 0.0 {
        return 0.0;
    }
    let spread = z * (score * (1.0 - score) / games + z * z / (4.0 * games * games)).sqrt();
    let centre = score + z * z / (2.0 * games);
    ((centre - spread) / (1.0 + z * z / games)).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::lower_bound;

    #[test]
    fn known_bounds() {
        for (score, games, bound) in
            [(1.0, 5.0, 0.565_508), (0.5, 10.0, 0.236_590), (0.55, 5000.0, 0.536_180)]
        {
            let found = lower_bound(score, games, 1.96);
            assert!((found - bound).abs() < 2e-5, "{score} of {games}: {found}");
        }
    }

    #[test]
    fn no_games_and_no_points_are_zero() {
        assert!(lower_bound(0.0, 0.0, 1.96) == 0.0);
        assert!(lower_bound(0.0, 7.0, 1.96) < 1e-15);
    }
}
