//! Answers: status, headers and body.

use std::time::Duration;

use axum::{
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse as _, Response},
};
use fault::Failure as _;
use serde::Serialize;
use serde_json::json;

use crate::artefacts::OpenArtefact;

/// Why a request is refused.
#[derive(Debug)]
pub(crate) struct Refusal {
    pub(crate) status: StatusCode,
    pub(crate) why: String,
    /// How long the client is asked to wait before trying again, if at all.
    wait: Option<Duration>,
    /// Whether a table was replaced while the question was being answered. The same question may then succeed
    /// if it is asked again.
    pub(crate) is_replaced: bool,
}

impl Refusal {
    pub(crate) fn new(status: StatusCode, why: impl Into<String>) -> Self {
        Self { status, why: why.into(), wait: None, is_replaced: false }
    }

    /// A wrong request.
    pub(crate) fn bad(why: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, why)
    }

    pub(crate) fn wait(self, wait: Duration) -> Self {
        Self { wait: Some(wait), ..self }
    }

    /// Turns an error of `query` into a refusal; `asked` lists the artefacts that the question was about.
    pub(crate) fn of(error: &query::Error, asked: &[&OpenArtefact]) -> Self {
        let status =
            if error.kind().is_usage() { StatusCode::BAD_REQUEST } else { StatusCode::INTERNAL_SERVER_ERROR };
        Self {
            is_replaced: error.is_replaced(),
            ..Self::new(status, OpenArtefact::in_their_words(asked, error))
        }
    }

    /// `{"error":"…"}`.
    pub(crate) fn json(self) -> Response {
        let Self { status, why, wait, .. } = self;
        let mut response = json_of(status, &json!({ "error": why }));
        if let Some(wait) = wait {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(wait.as_secs() + 1));
        }
        response
    }

    /// The refusal in the format of Lichess's explorer: plain text if the request is wrong, otherwise JSON.
    pub(crate) fn plain(self) -> Response {
        if self.status != StatusCode::BAD_REQUEST {
            return self.json();
        }
        let text = [(header::CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"))];
        (self.status, text, format!("bad request: {}", self.why)).into_response()
    }
}

/// An answer as JSON.
pub(crate) fn json_of(status: StatusCode, answer: &impl Serialize) -> Response {
    match serde_json::to_vec(answer) {
        Ok(bytes) => of_kind(status, bytes, "application/json"),
        // Answers consist of numbers, strings and lists, whose encoding never fails.
        Err(error) => (StatusCode::INTERNAL_SERVER_ERROR, error.to_string()).into_response(),
    }
}

/// An answer in the JSON Lines format, consisting of a single line.
pub(crate) fn lines(answer: &impl Serialize) -> Response {
    let mut line = serde_json::to_vec(answer).unwrap_or_default();
    line.push(b'\n');
    of_kind(StatusCode::OK, line, "application/x-ndjson")
}

fn of_kind(status: StatusCode, bytes: Vec<u8>, kind: &'static str) -> Response {
    (status, [(header::CONTENT_TYPE, HeaderValue::from_static(kind))], bytes).into_response()
}
