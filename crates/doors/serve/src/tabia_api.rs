//! Answers all requests below `/tabia/` except edits.

mod answers;
mod openings;

use std::time::Duration;

use axum::{
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse as _, Response},
};
use fault::Failure as _;
use position::{Key, position_after};
use query::{Chooser, HoleOptions, Opening, PolicySpec};
use serde_json::{Map, Value, json};
use shakmaty::{Color, Position as _};

use self::answers::{artefact, policy};
use crate::{
    answer::{Refusal, json_of},
    artefacts::OpenArtefact,
    asked::Place,
    filters::{Filters, Reading},
    question::QuestionContext,
};

/// The maximum and the default number of holes in an answer.
const HOLES_MAX: usize = 1000;
const HOLES: usize = 100;
/// The default minimum share that a move must have, for our moves and for the opponent's.
const SHARE: f64 = 0.05;
/// The maximum number of positions that are searched for holes.
const HOLE_POSITIONS_MAX: usize = 20_000;
const HOLE_TIME: Duration = Duration::from_secs(3);

type Answered = Result<Response, Refusal>;

fn found(answer: &Value) -> Response {
    json_of(StatusCode::OK, answer)
}

impl QuestionContext<'_> {
    fn filters(&self) -> Result<Filters, Refusal> {
        self.filters_of(self.opened)
    }

    /// The filters of the request that an artefact can apply.
    fn filters_of(&self, opened: &OpenArtefact) -> Result<Filters, Refusal> {
        let counted = &opened.counted;
        let reading = Reading { counted, as_lichess: false, strict: self.shared.strict_filters };
        let filters = reading.filters(self.asked)?;
        self.shared.warn_of(opened, &filters);
        Ok(filters)
    }

    fn refused(&self) -> impl Fn(query::Error) -> Refusal + '_ {
        |error| Refusal::of(&error, &[self.opened])
    }

    /// The policy that the request names.
    fn chooser(&self) -> Result<Option<Chooser>, Refusal> {
        let setting = |text: &str| {
            let parts = text.split_once('=').map(|(name, value)| (name.to_owned(), value.to_owned()));
            parts.ok_or_else(|| Refusal::bad(format!("set: expected NAME=VALUE, not `{text}`")))
        };
        let settings = self.asked.all("set").map(setting).collect::<Result<Vec<_>, _>>()?;
        let Some(policy) = self.asked.text("policy") else {
            return if settings.is_empty() {
                Ok(None)
            } else {
                Err(Refusal::bad("set: name the policy that the settings belong to"))
            };
        };
        self.weighted(policy, &settings).map(Some).map_err(self.refused())
    }

    /// Makes a policy with the weights that the server gives the artefact's games.
    fn weighted(&self, policy: &str, settings: &[(String, String)]) -> query::Result<Chooser> {
        Ok(Chooser::new(policy, settings)?.weighted(self.opened.weighing.clone()))
    }
}

/// The maximum and the default number of games of each kind in an answer.
const GAMES_MAX: usize = 50;
const GAMES: usize = 8;

/// Answers `GET /tabia/games` with example games for a position, or with null if the artefact keeps none.
pub(crate) fn games(context: &QuestionContext<'_>) -> Answered {
    let (asked, filters) = (context.asked, context.filters()?);
    let place = asked.place()?;
    let number = |name| Ok::<_, Refusal>(asked.number(name)?.unwrap_or(GAMES).min(GAMES_MAX));
    let counts = (number("top")?, number("recent")?);
    let games = query::example_games(&context.opened.artefact, &place.position, &filters.games, counts);
    Ok(found(&json!({ "games": games.map_err(context.refused())? })))
}

/// Answers `GET /tabia/games/ID`, and Lichess's paths for the same request, with one game as PGN. The game is
/// looked up first in the requested artefact and then in all others, since an answer from any of them may
/// have listed the game.
pub(crate) fn game(context: &QuestionContext<'_>) -> Answered {
    let pgn_in = |opened: &OpenArtefact| query::example_pgn(&opened.artefact, context.id);
    let mut pgn = pgn_in(context.opened).map_err(context.refused())?;
    let mut others = context.shared.artefacts.all().filter(|other| other.name != context.opened.name);
    while pgn.is_none()
        && let Some(other) = others.next()
    {
        pgn = pgn_in(&other).map_err(context.refused())?;
    }
    let Some(pgn) = pgn else {
        let why = "no game of this id is kept: a table keeps the games of `count --examples`";
        return Err(Refusal::new(StatusCode::NOT_FOUND, why));
    };
    let kind = HeaderValue::from_static("application/x-chess-pgn");
    Ok(([(header::CONTENT_TYPE, kind)], pgn).into_response())
}

/// `GET /tabia/artefacts`.
pub(crate) fn artefacts(context: &QuestionContext<'_>) -> Response {
    let all = context.shared.artefacts.all().enumerate();
    let is_editable = context.shared.edits.is_some();
    let listed: Vec<_> = all.map(|(at, opened)| artefact(&opened, at == 0, at == 0 && is_editable)).collect();
    found(&json!({ "artefacts": listed }))
}

/// `GET /tabia/probe`.
pub(crate) fn probe(context: &QuestionContext<'_>) -> Answered {
    let place = context.asked.place()?;
    let filters = context.filters()?;
    let chooser = context.chooser()?;
    let view = context.view().only(&filters.games);
    let probe = match chooser {
        Some(chooser) => view.judged_probe(&place.position, chooser),
        None => view.probe(&place.position),
    };
    let mut answer = object(json!(probe.map_err(context.refused())?));
    name_moves(&mut answer, &place);
    answer.insert("opening".into(), json!(place.name));
    answer.insert("line".into(), json!(place.line()));
    answer.insert("ply".into(), json!(place.moves.len()));
    answer.insert("ignored".into(), json!(filters.ignored));
    let key = Key::of(&place.position);
    let of_moves = context.asked.text("history") == Some("moves");
    if of_moves || context.asked.is_true("history")? {
        answer.insert("history".into(), json!(view.months(key).map_err(context.refused())?));
    }
    if of_moves {
        let months = view.months_of_moves(key).map_err(context.refused())?;
        for (mv, months) in months {
            let uci =
                mv.unpack(&place.position).map(|m| m.to_uci(shakmaty::CastlingMode::Standard).to_string());
            if let Some(shown) = uci.and_then(|uci| move_of(&mut answer, &uci)) {
                shown.insert("history".into(), json!(months));
            }
        }
    }
    if context.asked.is_true("bands")? {
        answer.insert("bands".into(), json!(view.bands(key).map_err(context.refused())?));
    }
    Ok(found(&Value::Object(answer)))
}

/// `GET /tabia/probes`.
pub(crate) fn probes(context: &QuestionContext<'_>) -> Answered {
    let filters = context.filters()?;
    let view = context.view().only(&filters.games);
    let probe = |position| Ok(json!(view.probe(&position?).map_err(context.refused())?));
    let probes = context.asked.positions().map(probe).collect::<Result<Vec<_>, Refusal>>()?;
    let replies_of = context.opened.replies_of().map_err(context.refused())?;
    let side = replies_of.map(|side| side.fold_wb("black", "white"));
    Ok(found(&json!({ "probes": probes, "side": side, "ignored": filters.ignored })))
}

fn object(value: Value) -> Map<String, Value> {
    if let Value::Object(object) = value { object } else { Map::new() }
}

/// Adds to each move the name of the position after it.
fn name_moves(answer: &mut Map<String, Value>, place: &Place) {
    for m in place.position.legal_moves() {
        let after = position_after(&place.position, m);
        let uci = m.to_uci(shakmaty::CastlingMode::Standard).to_string();
        if let Some(shown) = move_of(answer, &uci) {
            shown.insert("opening".into(), json!(Opening::of(&after)));
        }
    }
}

fn move_of<'a>(answer: &'a mut Map<String, Value>, uci: &str) -> Option<&'a mut Map<String, Value>> {
    let moves = answer.get_mut("moves")?.as_array_mut()?;
    moves.iter_mut().find(|shown| shown["uci"] == uci)?.as_object_mut()
}

/// `GET /tabia/policies`.
pub(crate) fn policies(context: &QuestionContext<'_>) -> Answered {
    let place = context.asked.place()?;
    let filters = context.filters()?;
    let view = context.view().only(&filters.games);
    let judged = |spec: &PolicySpec| {
        let choice =
            context.weighted(spec.name, &[]).and_then(|chooser| view.judge(&place.position, chooser));
        match choice {
            // A damaged file or a replaced table is not the policy's fault, so the whole request fails. If a
            // table was replaced, the request is then tried again.
            Err(error) if !error.kind().is_usage() => Err(Refusal::of(&error, &[context.opened])),
            choice => {
                let in_their_words = |error| OpenArtefact::in_their_words(&[context.opened], &error);
                Ok(policy(spec, &choice.map_err(in_their_words)))
            }
        }
    };
    let policies = query::CATALOGUE.iter().map(judged).collect::<Result<Vec<_>, _>>()?;
    Ok(found(&json!({ "policies": policies })))
}

/// `GET /tabia/why`.
pub(crate) fn why(context: &QuestionContext<'_>) -> Answered {
    let place = context.asked.place()?;
    let Some(mv) = context.asked.text("move") else { return Err(Refusal::bad("move: must be given")) };
    let why = context.view().why(&place.position, mv).map_err(context.refused())?;
    Ok(found(&json!(why)))
}

/// `GET /tabia/info`.
pub(crate) fn info(context: &QuestionContext<'_>) -> Response {
    found(&json!(context.opened.info))
}

/// `GET /tabia/compare`.
pub(crate) fn compare(context: &QuestionContext<'_>) -> Answered {
    let Some(other) = context.other("other")? else {
        return Err(Refusal::bad("other: name the artefact to compare with"));
    };
    let place = context.asked.place()?;
    let theirs = context.filters_of(&other)?;
    let ours = context.filters()?;
    let their_view = query::View::of(&other.artefact).only(&theirs.games);
    let compared = query::compare(&context.view().only(&ours.games), &their_view, &place.position);
    let compared = compared.map_err(|error| Refusal::of(&error, &[context.opened, &other]))?;
    Ok(found(&json!({
        "ours": context.opened.name,
        "theirs": other.name,
        "found": { "ours": compared.found.0, "theirs": compared.found.1 },
        "moves": compared.moves,
    })))
}

/// `GET /tabia/openings`.
pub(crate) fn openings(context: &QuestionContext<'_>) -> Answered {
    let Some(name) = context.asked.text("name").filter(|name| name.trim().len() > 1) else {
        return Err(Refusal::bad("name: two letters of a name or a code, at least"));
    };
    let replies_of = context.opened.replies_of().map_err(context.refused())?;
    let openings = openings::find(&context.view(), replies_of, name, openings::TIME_MAX);
    Ok(found(&json!(openings.map_err(context.refused())?)))
}

/// `GET /tabia/holes`.
pub(crate) fn holes(context: &QuestionContext<'_>) -> Answered {
    let place = context.asked.place()?;
    let against = context.other("against")?;
    let color = match context.asked.text("color") {
        None => place.position.turn(),
        Some("white") => Color::White,
        Some("black") => Color::Black,
        Some(other) => return Err(Refusal::bad(format!("color: expected white or black, not `{other}`"))),
    };
    let share = |name| match context.asked.number(name)?.unwrap_or(SHARE) {
        share if (0.0..=1.0).contains(&share) => Ok(share),
        share => Err(Refusal::bad(format!("{name}: {share} is not between 0 and 1"))),
    };
    let (own_share, min_share) = (share("own_share")?, share("min_share")?);
    let min_games = context.asked.number("min_games")?.unwrap_or(0);
    let holes_max = context.asked.number("limit")?.unwrap_or(HOLES).clamp(1, HOLES_MAX);
    let (positions_max, time_max) = (HOLE_POSITIONS_MAX, HOLE_TIME);
    let listed_max = holes_max;
    let options = HoleOptions {
        color,
        own_share,
        min_share,
        min_games,
        holes_max,
        listed_max,
        positions_max,
        time_max,
    };
    let theirs = against.as_deref().map_or(context.view(), |against| query::View::of(&against.artefact));
    let holes = query::holes(&context.view(), &theirs, &place.position, &options);
    let asked = [Some(context.opened), against.as_deref()];
    let holes =
        holes.map_err(|error| Refusal::of(&error, &asked.into_iter().flatten().collect::<Vec<_>>()))?;
    let of_opponent = against.as_deref().unwrap_or(context.opened);
    let has_moves = of_opponent.replies_of().map_err(context.refused())? != Some(!color);
    Ok(found(&json!({
        "color": color.fold_wb("white", "black"),
        "ours": context.opened.name,
        "against": of_opponent.name,
        "checked": has_moves,
        "positions": holes.positions,
        "complete": holes.complete,
        "holes": holes.holes,
    })))
}
