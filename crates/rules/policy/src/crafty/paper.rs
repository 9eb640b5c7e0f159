//! The two modes of Hyatt's paper. Mode 5.1 chooses by frequency among the moves whose learned value is not
//! bad, and mode 5.2 by learned value.

use super::{flags, learned_bad, threshold_centipawns};
use crate::bans::BAD_THRESHOLD;
use crate::parameter::Settings;
use crate::results::float;
use crate::{Evidence, PolicySpec, Reason, Rule, Sheet};

pub(crate) const SPEC_5_1: PolicySpec = PolicySpec {
    name: "crafty-5.1",
    summary: "the most frequent move that is not learned bad",
    source: "Crafty: section 5.1",
    evidence: &[Evidence::Games, Evidence::Weights, Evidence::Experience],
    parameters: &[BAD_THRESHOLD],
    build: |settings| Box::new(Paper::new(false, settings)),
};
pub(crate) const SPEC_5_2: PolicySpec = PolicySpec {
    name: "crafty-5.2",
    summary: "the move with the highest learned value, by frequency if nothing is learned",
    source: "Crafty: section 5.2",
    evidence: &[Evidence::Games, Evidence::Weights, Evidence::Experience],
    parameters: &[BAD_THRESHOLD],
    build: |settings| Box::new(Paper::new(true, settings)),
};

const LEARNED_BAD: Reason =
    Reason { rule: "learned value at or below bad-threshold", source: "Crafty: unplayable moves" };
const FLAGGED_BAD: Reason =
    Reason { rule: "annotated ? or ??, or with a ? as ?! and !? are", source: "Crafty, BookMask()" };
const LESS_FREQUENT: Reason =
    Reason { rule: "another playable move is more frequent", source: "Crafty: section 5.1" };
const LOWER_LEARNED: Reason =
    Reason { rule: "another playable move has a higher learned value", source: "Crafty: section 5.2" };

/// One of the paper's two modes. They differ in which value they compare first.
#[derive(Debug)]
struct Paper {
    by_learned: bool,
    bad_centipawns: i64,
}

impl Paper {
    fn new(by_learned: bool, settings: &Settings) -> Self {
        Self { by_learned, bad_centipawns: threshold_centipawns(settings.get(&BAD_THRESHOLD)) }
    }

    fn sort_out(&self, sheet: &mut Sheet<'_>) {
        for (candidate, judged) in sheet.open() {
            judged.scores.push("played", float(candidate.played()));
            judged.scores.push("learned", finite(candidate.experience.learn));
            if flags::of_annotation(candidate) & flags::REJECTED != 0 {
                judged.exclude(FLAGGED_BAD);
            } else if learned_bad(&candidate.experience, self.bad_centipawns) {
                judged.exclude(LEARNED_BAD);
            }
        }
    }
}

impl Rule for Paper {
    /// In mode 5.2, frequency decides between equal learned values, for example if all are 0. In both modes,
    /// a tie goes to the move that sorts first.
    fn weigh(&self, sheet: &mut Sheet<'_>) {
        sheet.exclude_outside_book();
        self.sort_out(sheet);
        if self.by_learned {
            sheet.keep_best(LOWER_LEARNED, |candidate, _| (candidate.experience.learn, candidate.played()));
        } else {
            sheet.keep_best(LESS_FREQUENT, |candidate, _| candidate.played());
        }
    }
}

/// The learned value for display; 0 if the value is not finite.
fn finite(learned: f32) -> f64 {
    if learned.is_finite() { f64::from(learned) } else { 0.0 }
}
