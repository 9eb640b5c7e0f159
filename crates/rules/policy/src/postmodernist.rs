//! PostModernist's rule: it chooses by the results of the position that a move leads to, whatever path the
//! games took.
//!
//! The score of a move is wins + draws of the mover in the target position; a move is left out where that
//! is below 1.5 times the opponent's wins (PostModernist: score, exclusion). So a move that was never
//! played from here counts if it transposes into the book.

use crate::parameter::Settings;
use crate::results::{Results, float};
use crate::{Evidence, Parameter, ParameterKind, Policy, PolicySpec, Reason, Sheet};

pub(crate) const SPEC: PolicySpec = PolicySpec {
    name: "postmodernist",
    summary: "wins + draws of the position a move leads to, losing positions left out",
    source: "PostModernist: score, exclusion",
    evidence: &[Evidence::Games],
    parameters: &[EXCLUSION_FACTOR, RANDOM],
    build: |settings| Box::new(Postmodernist::new(settings)),
};

const EXCLUSION_FACTOR: Parameter = Parameter {
    name: "exclusion-factor",
    kind: ParameterKind::Decimal(0.0, 1000.0),
    default: Some("1.5"),
    unit: "",
    meaning: "a move is left out if wins + draws < factor * opponent's wins; three decimals count",
    source: "PostModernist: exclusion",
};
const RANDOM: Parameter = Parameter {
    name: "random",
    kind: ParameterKind::Choice(&["weighted", "uniform"]),
    default: Some("weighted"),
    unit: "",
    meaning: "draw by score, or all moves equally",
    source: "PostModernist: score; the text only says `random`",
};

const NEVER_SEEN: Reason =
    Reason { rule: "the position it leads to was never seen", source: "PostModernist: score" };
const LOSING: Reason = Reason {
    rule: "wins + draws below exclusion-factor * opponent's wins",
    source: "PostModernist: exclusion",
};

#[derive(Debug)]
struct Postmodernist {
    /// The exclusion factor in thousandths; whole numbers make 15 and 1.5 * 10 equal.
    factor_thousandths: u128,
    weighted: bool,
}

impl Postmodernist {
    #[expect(clippy::cast_sign_loss, reason = "the factor's range starts at 0")]
    fn new(settings: &Settings) -> Self {
        Self {
            factor_thousandths: (settings.decimal(&EXCLUSION_FACTOR) * 1000.0).round() as u128,
            weighted: settings.choice(&RANDOM) == "weighted",
        }
    }
}

impl Policy for Postmodernist {
    fn name(&self) -> &'static str {
        SPEC.name
    }

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
        sheet.share_out();
    }
}
