//! Edits: values of moves, set by hand in an experience file.

use std::{
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError, RwLock, atomic::AtomicBool},
    thread,
    time::{Duration, Instant},
};

use axum::{
    body::Body,
    extract::State,
    http::{HeaderMap, StatusCode, header},
    response::Response,
};
use experience::{Job, SetOptions, Setting, Settings};
use fault::Failure as _;
use output::{Existing, LockError, OutputLock, Waiting};
use position::named_move;
use serde::Deserialize;
use serde_json::{Value, json};
use shakmaty::{CastlingMode, EnPassantMode, fen::Fen};

use crate::{
    Result,
    answer::{Refusal, json_of},
    artefacts::Stamp,
    server::{Question, QuestionContext, Shared, Work, answer},
    taught::Taught,
};

/// How long an edit waits for another writer of the file.
const LOCK: Duration = Duration::from_secs(5);
/// The pause between two attempts to lock.
const PAUSE: Duration = Duration::from_millis(20);

/// The experience file that edits go to.
pub(crate) struct Edits {
    path: PathBuf,
    taught: RwLock<Arc<Taught>>,
    /// Held by the one edit that is in progress.
    writing: Mutex<()>,
    /// The file that could not be read in place of the one that was read.
    failed: RwLock<Option<Stamp>>,
    stop: Arc<AtomicBool>,
}

impl Edits {
    /// Reads the file at `path`, which need not exist.
    pub(crate) fn open(path: PathBuf, stop: Arc<AtomicBool>) -> Result<Self> {
        let taught = RwLock::new(Arc::new(Taught::read(&path)?));
        Ok(Self { path, taught, writing: Mutex::default(), failed: RwLock::default(), stop })
    }

    /// The experience as it was last read.
    pub(crate) fn taught(&self) -> Arc<Taught> {
        Arc::clone(&self.taught.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Reads the file again if it was replaced, and returns whether it did. A file that cannot be read is
    /// reported once.
    pub(crate) fn refresh(&self, report: impl Fn(&str)) -> bool {
        let stamp = Stamp::of(&self.path);
        let has_failed = *self.failed.read().unwrap_or_else(PoisonError::into_inner) == stamp;
        if stamp.is_none() || stamp == self.taught().stamp || has_failed {
            return false;
        }
        match Taught::read(&self.path) {
            Ok(taught) => {
                *self.taught.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(taught);
                true
            }
            Err(error) => {
                *self.failed.write().unwrap_or_else(PoisonError::into_inner) = stamp;
                report(&format!("{error}; the experience of before is served on"));
                false
            }
        }
    }

    /// Writes a setting, as `tabia learn set --continue` does, and returns the number of rows of the file.
    fn set(&self, fen: String, setting: Setting) -> Result<u64, Refusal> {
        let _writing = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        let _lock = self.lock()?;
        // If the file cannot be looked up, opening it reports the error.
        let old = self.path.try_exists().unwrap_or(true).then(|| self.path.clone());
        let options = SetOptions { fen: Some(fen), settings: Settings::One(setting), old };
        let job = Job { existing: Existing::Replace, stop: &self.stop };
        let written = experience::set(&options, &self.path, job).map_err(|error| self.refused(&error))?;
        let taught = Taught::read(&self.path);
        let taught =
            taught.map_err(|error| Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, error.to_string()))?;
        *self.taught.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(taught);
        Ok(written.rows)
    }

    /// The right to write the file, which another command may have for a moment.
    fn lock(&self) -> Result<OutputLock, Refusal> {
        let begun = Instant::now();
        loop {
            match OutputLock::take(&self.path, Waiting::Refuse, &self.stop) {
                Ok(lock) => return Ok(lock),
                Err(LockError::Taken { .. }) if begun.elapsed() < LOCK => thread::sleep(PAUSE),
                Err(error) => {
                    let why = self.without_path(&error.to_string());
                    return Err(Refusal::new(StatusCode::SERVICE_UNAVAILABLE, why));
                }
            }
        }
    }

    fn refused(&self, error: &experience::Error) -> Refusal {
        let status =
            if error.kind().is_usage() { StatusCode::BAD_REQUEST } else { StatusCode::INTERNAL_SERVER_ERROR };
        Refusal::new(status, self.without_path(&error.to_string()))
    }

    /// Clients must not see the path.
    fn without_path(&self, text: &str) -> String {
        let name = self.path.file_name().map_or(self.path.as_path(), Path::new);
        text.replace(&self.path.display().to_string(), &name.display().to_string())
    }
}

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
    /// The value as it is written on the command line.
    fn value(&self) -> Result<Option<String>, Refusal> {
        match &self.value {
            Value::Null => Ok(None),
            Value::String(text) => Ok(Some(text.clone())),
            Value::Number(number) => Ok(Some(number.to_string())),
            _ => Err(Refusal::bad("value: a number from 0 to 100, a mark or \"clear\"")),
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
        let edit: Edit =
            serde_json::from_slice(&body).map_err(|error| Refusal::bad(format!("the body: {error}")))?;
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
            let Some(mv) = context.asked.text("move") else { return Err(Refusal::bad("move: which one?")) };
            edited(context, mv, Some("clear".into()), None)
        })
        .await
    };
    edited.await.unwrap_or_else(Refusal::json)
}

/// Refuses an edit without a token, and an edit of an artefact that cannot be edited. A request from this
/// machine needs a token, too: a proxy's requests also come from it.
fn permit(shared: &Shared, headers: &HeaderMap, question: &Question) -> Result<(), Refusal> {
    if shared.edits.is_none() {
        let why = "nothing can be set: the server was started without --experience";
        return Err(Refusal::new(StatusCode::FORBIDDEN, why));
    }
    let token = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    if token.and_then(|token| shared.tokens.of(token)).is_none() {
        let why =
            "values are set with a token: the one in the address that the server printed, or one of --tokens";
        return Err(Refusal::new(StatusCode::FORBIDDEN, why));
    }
    if shared.taught(&*question.artefact(shared)?).is_none() {
        let why = "the experience file is that of the first artefact, and only its moves can be set";
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
    // The FEN has every en passant square of the position, so that it has the same key.
    let fen = Fen::from_position(&place.position, EnPassantMode::Always).to_string();
    let rows = edits.set(fen, Setting { line, value, priority })?;
    context.shared.retag();
    Ok(json_of(StatusCode::OK, &json!({ "set": true, "rows": rows })))
}
