//! PostModernist's rule, which judges a move by the results of all games that reached the position after it,
//! no matter by which moves. An engine's evaluation of the move can be considered as well.
//!
//! A move's score is the mover's wins + draws in the target position. The move is excluded if its score is
//! below 1.5 times the opponent's wins (PostModernist: score, exclusion). So a move that transposes into the
//! book can be chosen even if it was never played here.
//!
//! PostModernist's author suggests storing a search score in the book, but leaves open how it should be
//! weighted against frequencies (PostModernist: score). Here, the setting `search` determines that.

use std::f64::consts::LN_2;

use position::Score;

use crate::parameter::Settings;
use crate::results::{Results, decay, float};
use crate::{Evidence, Parameter, ParameterKind, PolicySpec, Reason, Rule, Sheet};

pub(crate) const SPEC: PolicySpec = PolicySpec {
    name: "postmodernist",
    summary: "wins + draws of the position a move leads to, losing positions left out",
    source: "PostModernist: score, exclusion",
    evidence: &[Evidence::Games],
    parameters: &[EXCLUSION_FACTOR, RANDOM, SEARCH, SEARCH_WINDOW],
    build: |settings| Box::new(Postmodernist::new(settings)),
};

const EXCLUSION_FACTOR: Parameter = Parameter::new("exclusion-factor", ParameterKind::Decimal(0.0, 1000.0))
    .by_default("1.5", "")
    .means("a move is left out if wins + draws < factor * opponent's wins; three decimals count")
    .source("PostModernist: exclusion");
const RANDOM: Parameter = Parameter::new("random", ParameterKind::Choice(&["weighted", "uniform"]))
    .by_default("weighted", "")
    .means("draw by score, or all moves equally")
    .source("PostModernist: score; the text only says `random`");

const SEARCH: Parameter = Parameter::new("search", ParameterKind::Choice(&["off", "veto", "mix"]))
    .by_default("off", "")
    .means("veto: moves evaluated worse than the best by more than search-window are left out; mix: each search-window halves a move's score")
    .source("ours; PostModernist: score suggests the field");
const SEARCH_WINDOW: Parameter = Parameter::new("search-window", ParameterKind::Integer(1, 100_000))
    .by_default("50", "centipawns")
    .means("how much worse than the best move, by evaluation");

const NEVER_SEEN: Reason =
    Reason { rule: "the position it leads to was never seen", source: "PostModernist: score" };
const LOSING: Reason = Reason {
    rule: "wins + draws below exclusion-factor * opponent's wins",
    source: "PostModernist: exclusion",
};

const REFUTED: Reason =
    Reason { rule: "evaluated worse than the best move by more than search-window", source: "ours" };

#[derive(Debug)]
struct Postmodernist {
    /// The exclusion factor in thousandths. A whole number makes comparisons exact: for example, a score of
    /// 15 is exactly 1.5 times the opponent's 10 wins.
    factor_thousandths: u128,
    weighted: bool,
    /// How to use evaluations: `off`, `veto` or `mix`.
    search: String,
    /// The search window in centipawns.
    window: i32,
}

impl Postmodernist {
    #[expect(clippy::cast_sign_loss, reason = "the factor's range starts at 0")]
    fn new(settings: &Settings) -> Self {
        Self {
            factor_thousandths: (settings.get::<f64>(&EXCLUSION_FACTOR) * 1000.0).round() as u128,
            weighted: settings.get::<String>(&RANDOM) == "weighted",
            search: settings.get(&SEARCH),
            window: settings.get(&SEARCH_WINDOW),
        }
    }

    /// Excludes moves, or lowers their scores, depending on how far their evaluations fall short of the best.
    /// A move without an evaluation is not excluded, but is treated as if it fell short by exactly the search
    /// window.
    fn search(&self, sheet: &mut Sheet<'_>) {
        let values = sheet.open().filter_map(|(candidate, _)| candidate.evaluation).map(Score::code);
        let Some(best) = values.max() else { return };
        for (candidate, judged) in sheet.open() {
            let worse = candidate.evaluation.map(|value| best - value.code());
            judged.scores.push_score(candidate.evaluation, ("evaluation", "mate"));
            if self.search == "mix" {
                let windows = worse.map_or(1.0, |worse| f64::from(worse) / f64::from(self.window));
                judged.probability *= decay(windows * LN_2);
            } else if worse.is_some_and(|worse| worse > self.window) {
                judged.exclude(REFUTED);
            }
        }
    }
}

impl Rule for Postmodernist {
    fn needs_targets(&self) -> bool {
        true
    }

    fn weigh(&self, sheet: &mut Sheet<'_>) {
        let turn = sheet.turn;
        for (candidate, judged) in sheet.open() {
            let Some(target) = candidate.target else {
                judged.exclude(NEVER_SEEN);
                continue;
            };
            let seen = Results::of(target, turn);
            let score = seen.wins + seen.draws;
            judged.scores.push("score", float(score));
            judged.scores.push("opponent-wins", float(seen.losses));
            if 1000 * score < self.factor_thousandths * seen.losses {
                judged.exclude(LOSING);
            } else {
                judged.probability = if self.weighted { float(score) } else { 1.0 };
            }
        }
        if self.search != "off" {
            self.search(sheet);
        }
        sheet.share_out();
    }
}
