//! What an answer says about artefacts and policies.

use position::{RatingBand, Speed};
use query::{Choice, PolicySpec};
use serde::Serialize;
use serde_json::{Value, json};

use crate::artefacts::OpenArtefact;

/// An artefact in the list of what is served.
pub(super) fn artefact(opened: &OpenArtefact, is_default: bool, is_editable: bool) -> Value {
    let counted = &opened.counted;
    let months = counted.months.iter().map(|(year, month)| format!("{year:04}-{month:02}"));
    json!({
        "name": opened.name,
        "kind": opened.kind,
        "default": is_default,
        "digest": opened.digest,
        "games": opened.games,
        "positions": opened.positions(),
        "editable": is_editable,
        "groups": {
            "speeds": counted.speeds.iter().copied().map(Speed::name).collect::<Vec<_>>(),
            "ratings": counted.bands.iter().copied().map(RatingBand::lower_bound).collect::<Vec<_>>(),
            "months": months.collect::<Vec<_>>(),
            "player": counted.by.player_color,
        },
        "rated": counted.rated,
        "weights": opened.weights(),
    })
}

/// What a policy would play.
#[derive(Default, Serialize)]
pub(super) struct Policy {
    name: &'static str,
    about: &'static str,
    source: &'static str,
    parameters: Vec<Parameter>,
    moves: Vec<Played>,
    excluded: Vec<ExcludedMove>,
    notes: Vec<String>,
    error: Option<String>,
}

#[derive(Serialize)]
struct Parameter {
    name: &'static str,
    about: &'static str,
    default: Option<&'static str>,
    range: String,
}

#[derive(Serialize)]
struct Played {
    uci: String,
    san: String,
    chance: f64,
}

#[derive(Serialize)]
struct ExcludedMove {
    uci: String,
    san: String,
    rule: &'static str,
}

impl Policy {
    pub(super) fn new(
        spec: &PolicySpec,
        choice: query::Result<Choice>,
        error: impl Fn(&query::Error) -> String,
    ) -> Self {
        let parameters = spec.all_parameters().map(|parameter| Parameter {
            name: parameter.name,
            about: parameter.meaning,
            default: parameter.default,
            range: parameter.kind.to_string(),
        });
        let (name, about, source) = (spec.name, spec.summary, spec.source);
        let said = Self { name, about, source, parameters: parameters.collect(), ..Self::default() };
        match choice {
            Ok(choice) => said.choosing(choice),
            Err(why) => Self { error: Some(error(&why)), ..said },
        }
    }

    fn choosing(mut self, choice: Choice) -> Self {
        self.notes = choice.notes;
        for query::ChosenMove { uci, san, probability, excluded, .. } in choice.moves {
            if let Some(excluded) = excluded {
                self.excluded.push(ExcludedMove { uci, san, rule: excluded.rule });
            } else if probability > 0.0 {
                self.moves.push(Played { uci, san, chance: probability });
            }
        }
        self
    }
}
