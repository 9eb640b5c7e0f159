//! Lokasoft `ChessPartner`'s choice: priority and the engine's own results, shifted so that the lowest score is the variation constant.
//!
//! `mscore = 32 * priority + strength/100 * (W/(W+L) - L/(W+L)) * 200`, all scores shifted so that the lowest is the variation constant,
//! chances proportional to the result (seed Lokasoft, A10 to A14). Draws are not in the formula. A priority of 0 leaves before the
//! shift. The size of the sample is not used, as the seed itself admits.

use crate::counts::{Counts, float};
use crate::parameter::Settings;
use crate::{Candidate, Entry, Kind, Parameter, Policy, Reason, Sheet};

pub(crate) const ENTRY: Entry = Entry {
    name: "lokasoft",
    summary: "priority and own results, spread by a variation constant",
    source: "seed Lokasoft, A2, A10-A14",
    parameters: &[LEARNING_STRENGTH, VARIATION, MOVE_DISTRIBUTION, LEARNING_CONSTANT, RESULTS],
    build: |settings| Box::new(Lokasoft::new(settings)),
};

const LEARNING_STRENGTH: Parameter = Parameter {
    name: "learning-strength",
    kind: Kind::Integer(0, 100),
    default: Some("50"),
    unit: "percent",
    meaning: "how much results change the score; 0 leaves the priorities alone",
    source: "seed Lokasoft, A10",
};
const VARIATION: Parameter = Parameter {
    name: "variation",
    kind: Kind::Integer(0, 100),
    default: Some("50"),
    unit: "points",
    meaning: "the score that the lowest move is shifted to; higher evens the chances out",
    source: "seed Lokasoft, A13",
};
const MOVE_DISTRIBUTION: Parameter = Parameter {
    name: "move-distribution",
    kind: Kind::Choice(&["learned", "random", "times-played"]),
    default: Some("learned"),
    unit: "",
    meaning: "by learned scores, all alike, or by how often the book has the move",
    source: "seed Lokasoft, A2",
};
const LEARNING_CONSTANT: Parameter = Parameter {
    name: "learning-constant",
    kind: Kind::Integer(0, 10_000),
    default: Some("200"),
    unit: "points",
    meaning: "what a move that always wins gains at strength 100",
    source: "seed Lokasoft, A10",
};
const RESULTS: Parameter = Parameter {
    name: "results",
    kind: Kind::Choice(&["own", "book"]),
    default: Some("own"),
    unit: "",
    meaning: "wins and losses of the engine's own games, or of the book's",
    source: "seed Lokasoft, A3; `book` is A9's preset from a database",
};

/// Points a step of priority is worth (seed Lokasoft, A11).
const POINTS_A_PRIORITY: f64 = 32.0;
/// The priority of a move that has none set (seed Lokasoft, A11).
const STANDARD_PRIORITY: u8 = 3;

const NEVER_PLAYED: Reason = Reason { rule: "priority 0 is never played", source: "seed Lokasoft, A11" };

#[derive(Debug)]
struct Lokasoft {
    /// Points a move that always wins gains: strength/100 * constant.
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
    fn new(settings: &Settings) -> Self {
        let points = settings.integer(&LEARNING_STRENGTH) * settings.integer(&LEARNING_CONSTANT);
        Self {
            swing: float(points.into()) / 100.0,
            variation: float(settings.integer(&VARIATION).into()),
            distribution: match settings.choice(&MOVE_DISTRIBUTION) {
                "random" => Distribution::Random,
                "times-played" => Distribution::TimesPlayed,
                _ => Distribution::Learned,
            },
            own_results: settings.choice(&RESULTS) == "own",
        }
    }

    /// Gain or loss by results; 0 where nothing was won or lost.
    fn learned_score(&self, counts: Counts) -> f64 {
        let decided = counts.wins + counts.losses;
        if decided == 0 {
            return 0.0;
        }
        self.swing * ((float(counts.wins) - float(counts.losses)) / float(decided))
    }

    /// Scores every open move and gives the lowest the variation constant as weight.
    fn weigh_by_score(&self, sheet: &mut Sheet<'_>) {
        let turn = sheet.turn;
        let mut lowest = f64::INFINITY;
        for (candidate, judged) in sheet.open() {
            let counts = if self.own_results {
                Counts::own(candidate.experience.own)
            } else {
                Counts::of(candidate.tally, turn)
            };
            let (base, learned) =
                (POINTS_A_PRIORITY * f64::from(priority(candidate)), self.learned_score(counts));
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

impl Policy for Lokasoft {
    fn name(&self) -> &'static str {
        ENTRY.name
    }

    fn weigh(&self, sheet: &mut Sheet<'_>) {
        sheet.exclude_outside_book();
        sheet.exclude_where(NEVER_PLAYED, |candidate| priority(candidate) == 0);
        let turn = sheet.turn;
        match self.distribution {
            Distribution::Learned => self.weigh_by_score(sheet),
            Distribution::Random => sheet.open().for_each(|(_, judged)| judged.probability = 1.0),
            Distribution::TimesPlayed => sheet.open().for_each(|(candidate, judged)| {
                judged.probability = float(Counts::of(candidate.tally, turn).games());
                judged.scores.push("games", judged.probability);
            }),
        }
        sheet.share_out();
    }
}

fn priority(candidate: &Candidate) -> u8 {
    candidate.experience.priority.unwrap_or(STANDARD_PRIORITY)
}
