//! The parts of JSON answers that describe artefacts and policies.

use position::RatingBand;
use query::{Choice, ChosenMove, PolicySpec};
use serde_json::{Value, json};

use crate::artefacts::OpenArtefact;

/// An artefact, as described in the list of served artefacts.
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
            "speeds": counted.speeds.iter().map(<&str>::from).collect::<Vec<_>>(),
            "ratings": counted.bands.iter().copied().map(RatingBand::lower_bound).collect::<Vec<_>>(),
            "months": months.collect::<Vec<_>>(),
            "player": counted.by.player_color,
        },
        "rated": counted.rated,
        "weights": opened.describe_weights(),
    })
}

/// The move that a policy would play, or the reason why it cannot choose.
pub(super) fn policy(spec: &PolicySpec, choice: &Result<Choice, String>) -> Value {
    let parameters = spec.all_parameters().map(|parameter| {
        json!({
            "name": parameter.name,
            "about": parameter.meaning,
            "default": parameter.default,
            "range": parameter.kind.to_string(),
        })
    });
    let parameters: Vec<_> = parameters.collect();
    let error = choice.as_ref().err();
    let (mut moves, mut excluded) = (Vec::new(), Vec::new());
    for ChosenMove { uci, san, probability, excluded: why, .. } in choice.iter().flat_map(|it| &it.moves) {
        match why {
            Some(why) => excluded.push(json!({ "uci": uci, "san": san, "rule": why.rule })),
            None if *probability > 0.0 => {
                moves.push(json!({ "uci": uci, "san": san, "chance": probability }));
            }
            None => {}
        }
    }
    let notes: Vec<_> = choice.iter().flat_map(|choice| &choice.notes).collect();
    json!({
        "name": spec.name,
        "about": spec.summary,
        "source": spec.source,
        "parameters": parameters,
        "moves": moves,
        "excluded": excluded,
        "notes": notes,
        "error": error,
    })
}
