//! A rule of our own that plays the moves with the best evaluations.
//!
//! The value of a move is the value that minimax backed up to the move from later positions of the book. If
//! there is no such value, the move's own evaluation is used.

use position::Score;
use shakmaty::{ByColor, Color};

use crate::results::{decay, float};
use crate::{Candidate, Evidence, Parameter, ParameterKind, PolicySpec, Reason, Rule, Sheet};

pub(crate) const SPEC: PolicySpec = PolicySpec {
    name: "minimax",
    summary: "by the values that evaluations give: the best move and those near it",
    source: "ours: negamax over the book",
    evidence: &[Evidence::Evaluations, Evidence::Games, Evidence::Weights],
    parameters: &[WINDOW, WINDOW_WHITE, WINDOW_BLACK, TEMPERATURE],
    build: |settings| {
        let of = |own: &Parameter| settings.get_if_set(own).unwrap_or_else(|| settings.get(&WINDOW));
        let window = ByColor { white: of(&WINDOW_WHITE), black: of(&WINDOW_BLACK) };
        Box::new(Minimax { window, temperature: settings.get(&TEMPERATURE) })
    },
};

const WINDOW: Parameter = Parameter::new("window", WINDOW_KIND)
    .by_default("30", "centipawns")
    .means("a move worth less than the best by more than this is not played");
const WINDOW_WHITE: Parameter =
    Parameter { name: "window-white", default: None, meaning: "the same where White is to move", ..WINDOW };
const WINDOW_BLACK: Parameter =
    Parameter { name: "window-black", meaning: "the same where Black is to move", ..WINDOW_WHITE };
const WINDOW_KIND: ParameterKind = ParameterKind::Decimal(0.0, 100_000.0);
const TEMPERATURE: Parameter = Parameter::new("temperature", ParameterKind::Decimal(0.0, 100_000.0))
    .by_default("10", "centipawns")
    .means("a move worth less by this much is drawn e times less often; 0: always the best, of equals the most played");

const NO_VALUE: Reason = Reason { rule: "no evaluation says what it is worth", source: "ours" };
const BEYOND_WINDOW: Reason = Reason { rule: "worth less than the best by more than window", source: "ours" };
const NOT_BEST: Reason =
    Reason { rule: "temperature = 0: another move is better, or played more", source: "ours" };
const BY_GAMES: &str = "no evaluation says what a move is worth: by how often they were played";

#[derive(Debug)]
struct Minimax {
    window: ByColor<f64>,
    temperature: f64,
}

impl Minimax {
    /// The weight of a move that is `less` centipawns worse than the best one.
    fn weight(&self, less: f64) -> f64 {
        if self.temperature > 0.0 { decay(less / self.temperature) } else { 1.0 }
    }
}

impl Rule for Minimax {
    fn decided(&self, setting: &str) -> Option<String> {
        let of = |side: Color| Some(self.window.get(side).to_string());
        match setting {
            _ if setting == WINDOW_WHITE.name => of(Color::White),
            _ if setting == WINDOW_BLACK.name => of(Color::Black),
            _ => None,
        }
    }

    fn reads_searches(&self) -> bool {
        true
    }

    fn weigh(&self, sheet: &mut Sheet<'_>) {
        let window = *self.window.get(sheet.turn);
        sheet.exclude_outside_book();
        let Some(best) = sheet.open().filter_map(|(candidate, _)| value(candidate)).max() else {
            if sheet.open().next().is_some() {
                sheet.notes.push(BY_GAMES);
            }
            sheet.open().for_each(|(candidate, judged)| judged.probability = float(candidate.played()));
            return sheet.share_out();
        };
        for (candidate, judged) in sheet.open() {
            let Some(value) = value(candidate) else {
                judged.exclude(NO_VALUE);
                continue;
            };
            judged.scores.push_score(candidate.minimax, ("minimax", "minimax-mate"));
            judged.scores.push_score(candidate.evaluation, ("evaluation", "evaluation-mate"));
            let less = f64::from(best) - f64::from(value);
            if less > window {
                judged.exclude(BEYOND_WINDOW);
            } else {
                judged.probability = self.weight(less);
            }
        }
        if self.temperature > 0.0 {
            sheet.share_out();
        } else {
            sheet.keep_best(NOT_BEST, |candidate, _| (value(candidate), candidate.played()));
        }
    }
}

/// A move's value in centipawns; `None` if it has none. A mate for the mover is worth more than any other
/// value, and a mate that takes one move longer is worth one centipawn less.
fn value(candidate: &Candidate) -> Option<i32> {
    candidate.minimax.or(candidate.evaluation).map(Score::code)
}
