//! A rule of our own that chooses by the expected score under a prior, so that a score from few games counts
//! for little.
//!
//! The prior is a Beta distribution worth `prior-strength` games. Its mean is either fixed or the combined
//! score of the position's moves. The expected score is (points + strength * mean) / (games + strength). To
//! keep a move with a few lucky games from being preferred to the main move, `caution` standard deviations of
//! the posterior are subtracted. A draw counts as half a win. Draws make the true spread smaller than the
//! computed one, so the value errs on the low side.

use crate::results::{Results, float};
use crate::selection::{CHOICE, MIN_GAMES, SHARPNESS, Selection, TOO_FEW_GAMES};
use crate::{Evidence, Parameter, ParameterKind, PolicySpec, Rule, Sheet};

pub(crate) const SPEC: PolicySpec = PolicySpec {
    name: "bayes",
    summary: "by the score expected with a prior, less its spread, so that few games count little",
    source: "ours: mean and spread under a Beta prior",
    evidence: &[Evidence::Games],
    parameters: &[PRIOR, PRIOR_MEAN, PRIOR_STRENGTH, CAUTION, MIN_GAMES, CHOICE, SHARPNESS],
    build: |settings| {
        Box::new(Bayes {
            mean: settings.get(&PRIOR_MEAN),
            from_position: settings.get::<String>(&PRIOR) == "position",
            strength_games: settings.get(&PRIOR_STRENGTH),
            caution: settings.get(&CAUTION),
            min_games: settings.get(&MIN_GAMES),
            selection: Selection::new(settings),
        })
    },
};

const PRIOR: Parameter = Parameter::new("prior", ParameterKind::Choice(&["position", "fixed"]))
    .by_default("position", "")
    .means("the prior's mean: the score of all the position's book moves together, or prior-mean");
const PRIOR_MEAN: Parameter = Parameter::new("prior-mean", ParameterKind::Decimal(0.0, 1.0))
    .by_default("0.5", "points a game")
    .means("the score of a move without games; with `prior = position` only if no move has games");
const PRIOR_STRENGTH: Parameter = Parameter::new("prior-strength", ParameterKind::Decimal(0.0, 1e9))
    .by_default("20", "games")
    .means("how many games the prior is worth");

const CAUTION: Parameter = Parameter::new("caution", ParameterKind::Decimal(0.0, 10.0))
    .by_default("1", "standard deviations")
    .means("how much of the spread is taken off the expected score; 0 is the expected score itself");

#[derive(Debug)]
struct Bayes {
    mean: f64,
    from_position: bool,
    strength_games: f64,
    caution: f64,
    min_games: u128,
    selection: Selection,
}

impl Bayes {
    /// Returns the mean of the prior. If the prior is set to `position` and there are any games, the mean is
    /// the combined score of all moves that are not excluded. Otherwise, it is the fixed mean.
    fn prior(&self, sheet: &mut Sheet<'_>) -> f64 {
        if !self.from_position {
            return self.mean;
        }
        let turn = sheet.turn;
        let mut all = Results::default();
        for (candidate, _) in sheet.open() {
            let counts = Results::of(candidate.tally, turn);
            all.wins += counts.wins;
            all.draws += counts.draws;
            all.losses += counts.losses;
        }
        all.score().unwrap_or(self.mean)
    }

    /// The posterior's mean and standard deviation. If there are no games and the prior's strength is 0, the
    /// mean is that of the prior.
    fn posterior(&self, counts: Results, prior: f64) -> (f64, f64) {
        let games = float(counts.games()) + self.strength_games;
        let points = float(counts.half_points()) / 2.0 + self.strength_games * prior;
        let mean = if games > 0.0 { (points / games).clamp(0.0, 1.0) } else { prior };
        (mean, (mean * (1.0 - mean) / (games + 1.0)).sqrt())
    }
}

impl Rule for Bayes {
    fn weigh(&self, sheet: &mut Sheet<'_>) {
        let turn = sheet.turn;
        sheet.exclude_outside_book();
        let prior = self.prior(sheet);
        sheet.figures.push("prior-mean", prior);
        for (candidate, judged) in sheet.open() {
            let counts = Results::of(candidate.tally, turn);
            judged.scores.push("games", float(counts.games()));
            if counts.games() < self.min_games {
                judged.exclude(TOO_FEW_GAMES);
                continue;
            }
            let (mean, deviation) = self.posterior(counts, prior);
            judged.probability = (mean - self.caution * deviation).max(0.0);
            judged.scores.push("score", counts.score().unwrap_or(prior));
            judged.scores.push("expected-score", mean);
            judged.scores.push("deviation", deviation);
            judged.scores.push("value", judged.probability);
        }
        self.selection.finish(sheet);
    }
}
