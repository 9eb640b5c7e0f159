//! Polyglot's rule, which chooses by weight and plays only moves above a threshold.
//!
//! This is the rule of Polyglot 1.4.70 (`book.c`, `book_moves` and `book_move`). A move's score is its share
//! of the weights in the position, in hundredths of a percent, rounded down. A move may be played if its
//! score is above ten times `BookTreshold` (permille); its chance is then proportional to the *score*. In
//! artefacts without weights, moves get the weights that `make-book` would write: 2 for each win, 1 for each
//! draw.

use crate::results::{Results, float};
use crate::{Candidate, Evidence, Parameter, ParameterKind, PolicySpec, Reason, Rule, Sheet};
use shakmaty::Color;

pub(crate) const SPEC: PolicySpec = PolicySpec {
    name: "polyglot",
    summary: "by weight (2 a win, 1 a draw), moves below a threshold never",
    source: "Polyglot 1.4.70, book.c: book_move",
    evidence: &[Evidence::Games, Evidence::Weights],
    parameters: &[THRESHOLD, BEST_ONLY],
    build: |settings| {
        let threshold_score = 10 * settings.get::<u128>(&THRESHOLD);
        Box::new(Polyglot { threshold_score, best_only: settings.get(&BEST_ONLY) })
    },
};

const THRESHOLD: Parameter = Parameter::new("threshold", ParameterKind::Integer(0, 1000))
    .by_default("5", "permille")
    .means("a move's share of the position's weights must be above this")
    .source("Polyglot 1.4.70, option BookTreshold");
const BEST_ONLY: Parameter = Parameter::new("best-only", ParameterKind::Switch)
    .by_default("false", "")
    .means("always the move with the greatest weight")
    .source("Polyglot 1.4.70, option BookRandom");

const ZERO_WEIGHT: Reason = Reason { rule: "weight 0 is never played", source: "Polyglot 1.4.70, book_move" };
const BELOW_THRESHOLD: Reason =
    Reason { rule: "share of the weights not above threshold", source: "Polyglot 1.4.70, book_move" };
const NOT_BEST: Reason =
    Reason { rule: "best-only: another move weighs more", source: "Polyglot 1.4.70, book_move" };

/// The scores in a position add up to at most this many hundredths of a percent.
const WHOLE: u128 = 10_000;

#[derive(Debug)]
struct Polyglot {
    threshold_score: u128,
    best_only: bool,
}

impl Rule for Polyglot {
    fn weigh(&self, sheet: &mut Sheet<'_>) {
        let turn = sheet.turn;
        sheet.exclude_outside_book();
        let sum: u128 = sheet.open().map(|(candidate, _)| weight(candidate, turn)).sum();
        for (candidate, judged) in sheet.open() {
            let weight = weight(candidate, turn);
            let score = (WHOLE * weight).checked_div(sum).unwrap_or(0);
            judged.scores.push("weight", float(weight));
            judged.scores.push("score", float(score));
            if weight == 0 {
                judged.exclude(ZERO_WEIGHT);
            } else if score <= self.threshold_score {
                judged.exclude(BELOW_THRESHOLD);
            } else {
                judged.probability = float(score);
            }
        }
        if self.best_only {
            sheet.keep_best(NOT_BEST, |candidate, _| weight(candidate, turn));
        } else {
            sheet.share_out();
        }
    }
}

fn weight(candidate: &Candidate, turn: Color) -> u128 {
    candidate.weight.map_or_else(|| Results::of(candidate.tally, turn).half_points(), u128::from)
}
