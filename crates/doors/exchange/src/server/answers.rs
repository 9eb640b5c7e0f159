//! Builds the server's answers: status, headers and body.

use std::{fs, path::Path, time::Duration};

use axum::{
    body::Body,
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse as _, Response},
};
use fault::FileFault;
use http::BodyError;
use serde_json::json;

use crate::{
    Error, PostAnswer,
    store::{Clearance, RecordKind, SharedRecord, parts},
};

/// How long a client should wait before it posts a record again, if the server had no memory left for the
/// first attempt.
const BUSY: Duration = Duration::from_secs(5);

/// Why a request is refused.
pub(super) struct Refusal {
    status: StatusCode,
    why: String,
    /// How long the client is asked to wait before trying again, if at all.
    wait: Option<Duration>,
}

impl Refusal {
    pub(super) fn new(status: StatusCode, why: impl Into<String>) -> Self {
        Self { status, why: why.into(), wait: None }
    }

    pub(super) fn too_often(wait: Duration) -> Self {
        let why = format!("too many requests: wait {} s", wait.as_secs() + 1);
        Self { wait: Some(wait), ..Self::new(StatusCode::TOO_MANY_REQUESTS, why) }
    }
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        let status = if error.is_of_record() {
            StatusCode::UNPROCESSABLE_ENTITY
        } else {
            StatusCode::INTERNAL_SERVER_ERROR
        };
        Self::new(status, error.to_string())
    }
}

impl From<BodyError> for Refusal {
    fn from(error: BodyError) -> Self {
        let wait = (error == BodyError::Busy).then_some(BUSY);
        Self { wait, ..Self::new(error.status(), error.to_string()) }
    }
}

/// The answer to a request that is refused.
pub(super) fn refused(refusal: Refusal) -> Response {
    let Refusal { status, why, wait } = refusal;
    let mut response = text(status, why + "\n", "text/plain; charset=utf-8");
    if let Some(wait) = wait {
        response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(wait.as_secs() + 1));
    }
    response
}

pub(super) fn text(status: StatusCode, text: String, kind: &'static str) -> Response {
    (status, [(header::CONTENT_TYPE, HeaderValue::from_static(kind))], text).into_response()
}

pub(super) fn about(identity: &str, records: usize, last: u64) -> Response {
    let about = json!({ "program": "tabia exchange", "book": identity, "records": records, "last": last });
    text(StatusCode::OK, format!("{about}\n"), "application/json")
}

/// The answer to a posted record: 201 if it is new, 200 if the store already had it.
pub(super) fn posted(answer: PostAnswer) -> Response {
    let status = if answer.new { StatusCode::CREATED } else { StatusCode::OK };
    text(status, format!("{}\n", json!(answer)), "application/json")
}

/// What was cleared.
pub(super) fn cleared(clearance: Clearance) -> Response {
    text(StatusCode::OK, format!("{}\n", json!(clearance)), "application/json")
}

/// Records, one per line.
pub(super) fn lines(records: &[SharedRecord]) -> Response {
    let line = |SharedRecord { entry, others }: &SharedRecord| {
        let (layout, posted) = parts(&entry.text);
        let (layout, player) = match layout {
            RecordKind::Games(player) => ("games", Some(player)),
            RecordKind::Crafty => ("crafty", None),
        };
        let number = entry.number;
        let writer = &entry.source;
        let text = String::from_utf8_lossy(posted);
        let record = json!({
            "number": number,
            "writer": writer,
            "others": others,
            "layout": layout,
            "player": player,
            "text": text,
        });
        format!("{record}\n")
    };
    text(StatusCode::OK, records.iter().map(line).collect(), "application/x-ndjson")
}

/// Answers with the file at `path`, or with 304 if the client has it already.
pub(super) fn experience(path: &Path, hash: u64, headers: &HeaderMap) -> Result<Response, Refusal> {
    let tag = format!("\"{hash:016x}\"");
    let asked = headers.get(header::IF_NONE_MATCH).and_then(|value| value.to_str().ok());
    let (status, body) = if asked == Some(&tag) {
        (StatusCode::NOT_MODIFIED, Body::empty())
    } else {
        (StatusCode::OK, Body::from(fs::read(path).map_err(FileFault::at(path)).map_err(Error::from)?))
    };
    let kind = HeaderValue::from_static("application/vnd.apache.parquet");
    let mut response = (status, [(header::CONTENT_TYPE, kind)], body).into_response();
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        response.headers_mut().insert(header::ETAG, tag);
    }
    Ok(response)
}
