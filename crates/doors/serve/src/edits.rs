//! Edits, which set the values of moves by hand in an experience file.

use std::sync::Arc;

use axum::{
    body::Body,
    extract::State,
    http::{HeaderMap, StatusCode, header},
    response::Response,
};
use experience::Setting;
use position::named_move;
use serde::Deserialize;
use serde_json::{Value, json};
use shakmaty::{CastlingMode, EnPassantMode, fen::Fen};

use crate::{
    answer::{Refusal, json_of},
    question::{Question, QuestionContext, Work, answer},
    shared::Shared,
};

/// The body of an edit.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Edit {
    #[serde(rename = "move")]
    mv: String,
    #[serde(default)]
    value: Value,
    priority: Option<u8>,
}

impl Edit {
    /// The value in the notation of the command line.
    fn value(&self) -> Result<Option<String>, Refusal> {
        match &self.value {
            Value::Null => Ok(None),
            Value::String(text) => Ok(Some(text.clone())),
            Value::Number(number) => Ok(Some(number.to_string())),
            _ => Err(Refusal::bad("value: expected a number from 0 to 100, a mark or \"clear\"")),
        }
    }
}

/// `PUT /tabia/experience`.
pub(crate) async fn put(
    State(shared): State<Arc<Shared>>,
    headers: HeaderMap,
    question: Question,
    body: Body,
) -> Response {
    let edited = async {
        permit(&shared, &headers, &question)?;
        let read = shared.bodies.read(body).await;
        let body = read.map_err(|error| Refusal::new(error.status(), error.to_string()))?;
        let edit: Edit = serde_json::from_slice(&body)
            .map_err(|error| Refusal::bad(format!("the request body is not an edit: {error}")))?;
        drop(body);
        let value = edit.value()?;
        answer(shared, question, Work::Search, move |context| {
            edited(context, &edit.mv, value.clone(), edit.priority)
        })
        .await
    };
    edited.await.unwrap_or_else(Refusal::json)
}

/// `DELETE /tabia/experience?move=e4`.
pub(crate) async fn delete(
    State(shared): State<Arc<Shared>>,
    headers: HeaderMap,
    question: Question,
) -> Response {
    let edited = async {
        permit(&shared, &headers, &question)?;
        answer(shared, question, Work::Search, |context| {
            let Some(mv) = context.asked.text("move") else {
                return Err(Refusal::bad("move: must be given"));
            };
            edited(context, mv, Some("clear".into()), None)
        })
        .await
    };
    edited.await.unwrap_or_else(Refusal::json)
}

/// Refuses an edit without a token, and an edit of an artefact that cannot be edited. Even requests from this
/// machine need a token, since a proxy's requests also come from this machine.
fn permit(shared: &Shared, headers: &HeaderMap, question: &Question) -> Result<(), Refusal> {
    if shared.edits.is_none() {
        let why = "no value can be set, because the server was started without --experience";
        return Err(Refusal::new(StatusCode::FORBIDDEN, why));
    }
    let token = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    if token.and_then(|token| shared.tokens.of(token)).is_none() {
        let why = "a token is needed to set values: the one in the address that the server printed, or one of --tokens";
        return Err(Refusal::new(StatusCode::FORBIDDEN, why));
    }
    if shared.taught(&*question.artefact(shared)?).is_none() {
        let why =
            "the experience file belongs to the first artefact, so values can be set only for its moves";
        return Err(Refusal::bad(why));
    }
    Ok(())
}

fn edited(
    context: &QuestionContext<'_>,
    mv: &str,
    value: Option<String>,
    priority: Option<u8>,
) -> Result<Response, Refusal> {
    let Some(edits) = &context.shared.edits else { return Err(Refusal::bad("nothing can be set")) };
    let place = context.asked.place()?;
    let m = named_move(&place.position, mv).map_err(|error| Refusal::bad(error.to_string()))?;
    let line = m.to_uci(CastlingMode::Standard).to_string();
    // The FEN always includes the en passant square, so that the position read from it has the same key.
    let fen = Fen::from_position(&place.position, EnPassantMode::Always).to_string();
    let rows = edits.set(fen, Setting { line, value, priority })?;
    context.shared.retag();
    Ok(json_of(StatusCode::OK, &json!({ "set": true, "rows": rows })))
}
