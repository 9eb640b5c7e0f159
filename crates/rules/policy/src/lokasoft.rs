//! The rule of Lokasoft's ChessPartner, which scores moves by priority and by the engine's own results. It
//! shifts all scores by the same amount, so that the lowest equals the variation constant.
//!
//! A move's score before the shift is `mscore = 32 * priority + strength/100 * (W/(W+L) - L/(W+L)) * 200`,
//! and chances are proportional to the shifted scores (ChessPartner: priority, learned score, variation).
//! Draws have no influence on the score. Moves with priority 0 are excluded before scores are shifted. The
//! number of games makes no difference, as ChessPartner's own text admits.

use crate::results::{Results, float};
use crate::{Candidate, Evidence, Parameter, ParameterKind, PolicySpec, Reason, Rule, Sheet};

pub(crate) const SPEC: PolicySpec = PolicySpec {
    name: "lokasoft",
    summary: "priority and own results, spread by a variation constant",
    source: "ChessPartner: priority, learned score, variation",
    evidence: &[Evidence::Games, Evidence::Weights, Evidence::Experience],
    parameters: &[LEARNING_STRENGTH, VARIATION, MOVE_DISTRIBUTION, LEARNING_CONSTANT, RESULTS],
    build: |settings| {
        Box::new(Lokasoft {
            swing: settings.get::<f64>(&LEARNING_STRENGTH) * settings.get::<f64>(&LEARNING_CONSTANT) / 100.0,
            variation: settings.get(&VARIATION),
            distribution: match settings.get::<String>(&MOVE_DISTRIBUTION).as_str() {
                "random" => Distribution::Random,
                "times-played" => Distribution::TimesPlayed,
                _ => Distribution::Learned,
            },
            own_results: settings.get::<String>(&RESULTS) == "own",
        })
    },
};

const LEARNING_STRENGTH: Parameter = Parameter::new("learning-strength", ParameterKind::Integer(0, 100))
    .by_default("50", "percent")
    .means("how much results change the score; 0 leaves the priorities alone")
    .source("ChessPartner: learned score");
const VARIATION: Parameter = Parameter::new("variation", ParameterKind::Integer(0, 100))
    .by_default("50", "points")
    .means("the score that the lowest move is shifted to; a higher one makes chances more even")
    .source("ChessPartner: variation");
const MOVE_DISTRIBUTION: Parameter =
    Parameter::new("move-distribution", ParameterKind::Choice(&["learned", "random", "times-played"]))
        .by_default("learned", "")
        .means("by learned score, all moves equally, or by number of games in the book")
        .source("ChessPartner: move distribution");
const LEARNING_CONSTANT: Parameter = Parameter::new("learning-constant", ParameterKind::Integer(0, 10_000))
    .by_default("200", "points")
    .means("what a move that always wins gains at strength 100")
    .source("ChessPartner: learned score");
const RESULTS: Parameter = Parameter::new("results", ParameterKind::Choice(&["own", "book"]))
    .by_default("own", "")
    .means("wins and losses of the engine's own games, or of the book's")
    .source("ChessPartner: learning books, preset");

/// Points per unit of priority (ChessPartner: priority).
const POINTS_A_PRIORITY: f64 = 32.0;
/// The default priority of a move (ChessPartner: priority).
const STANDARD_PRIORITY: u8 = 3;

const NEVER_PLAYED: Reason = Reason { rule: "priority 0 is never played", source: "ChessPartner: priority" };

#[derive(Debug)]
struct Lokasoft {
    /// The number of points that a move's score gains if all decided games with the move were won:
    /// strength/100 * constant.
    swing: f64,
    variation: f64,
    distribution: Distribution,
    own_results: bool,
}

#[derive(Clone, Copy, Debug)]
enum Distribution {
    Learned,
    Random,
    TimesPlayed,
}

impl Lokasoft {
    /// The number of points that a move's wins and losses add to its score. It is negative if there are more
    /// losses than wins, and 0 if there are neither.
    fn learned_score(&self, counts: Results) -> f64 {
        let decided = counts.wins + counts.losses;
        if decided == 0 {
            return 0.0;
        }
        self.swing * ((float(counts.wins) - float(counts.losses)) / float(decided))
    }

    /// Scores every move that is not excluded, then shifts the scores so that the lowest one equals the
    /// variation constant.
    fn weigh_by_score(&self, sheet: &mut Sheet<'_>) {
        let turn = sheet.turn;
        let mut lowest = f64::INFINITY;
        for (candidate, judged) in sheet.open() {
            let counts = if self.own_results {
                Results::own(candidate.experience.own)
            } else {
                Results::of(candidate.tally, turn)
            };
            let base = POINTS_A_PRIORITY * f64::from(priority(candidate));
            let learned = self.learned_score(counts);
            judged.scores.push("base", base);
            judged.scores.push("lscore", learned);
            judged.scores.push("mscore", base + learned);
            judged.probability = base + learned;
            lowest = lowest.min(base + learned);
        }
        for (_, judged) in sheet.open() {
            judged.probability = judged.probability - lowest + self.variation;
            judged.scores.push("shifted", judged.probability);
        }
    }
}

impl Rule for Lokasoft {
    fn weigh(&self, sheet: &mut Sheet<'_>) {
        sheet.exclude_outside_book();
        sheet.exclude_where(NEVER_PLAYED, |candidate| priority(candidate) == 0);
        match self.distribution {
            Distribution::Learned => self.weigh_by_score(sheet),
            Distribution::Random => sheet.open().for_each(|(_, judged)| judged.probability = 1.0),
            Distribution::TimesPlayed => sheet.open().for_each(|(candidate, judged)| {
                judged.probability = float(candidate.played());
                judged.scores.push("games", judged.probability);
            }),
        }
        sheet.share_out();
    }
}

fn priority(candidate: &Candidate) -> u8 {
    candidate.experience.priority.unwrap_or(STANDARD_PRIORITY)
}
