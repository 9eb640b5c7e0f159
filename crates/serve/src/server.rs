//! The server: what requests share, and which function answers which path.

use std::{
    hash::{Hash as _, Hasher as _},
    net::TcpListener,
    path::PathBuf,
    sync::{
        Arc, PoisonError, RwLock,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    thread,
    time::Duration,
};

use axum::{
    Router,
    extract::{FromRequestParts, RawPathParams, State, rejection::RawPathParamsRejection},
    http::{HeaderName, HeaderValue, Method, StatusCode, header, request::Parts},
    middleware::{from_fn, from_fn_with_state},
    response::{IntoResponse as _, Response},
    routing::get,
};
use http::{Allowance, Bodies, Gate, HostName, Limits, PageOrigin, Tokens};
use query::View;
use tokio::{sync::Semaphore, task::spawn_blocking, time::timeout};
use tower_http::{
    catch_panic::CatchPanicLayer,
    compression::CompressionLayer,
    cors::{AllowOrigin, CorsLayer},
};
use xxhash_rust::xxh3::Xxh3;

use crate::{
    Artefacts, Error, Result,
    answer::Refusal,
    artefacts::Opened,
    asked::Asked,
    edits::{self, Edits},
    guard::{limited, marked, tagged},
    lichess::{Database, IGNORED},
    ours, page,
    taught::Taught,
};

/// How often the server checks whether a file was replaced.
const LOOK: Duration = Duration::from_millis(250);
/// Requests that are answered at a time.
const REQUESTS_MAX: usize = 512;
/// How long a request waits while too many are answered.
const PLACE: Duration = Duration::from_secs(5);
/// Requests that may wait for a disk or compute at a time, for each core.
const JOBS_A_CORE: usize = 2;
/// How often a question is put anew to a table that is replaced before the answer.
const ATTEMPTS: usize = 20;
/// The most bytes of a body, that of an edit, and of the bodies of all requests.
const BODY_BYTES_MAX: usize = 4 << 10;
const BODIES_BYTES_MAX: usize = 4 << 20;

/// How a server answers.
pub struct Settings {
    /// The experience file of the default artefact, which need not exist; edits go there.
    pub experience: Option<PathBuf>,
    /// Who may edit.
    pub tokens: Tokens,
    /// Names of the server, beside those of loopback and its address.
    pub hosts: Vec<HostName>,
    /// Origins whose pages may read, beside the server's own; if there are none, every page may.
    pub origins: Vec<PageOrigin>,
    /// Whether filters that cannot be answered are refused.
    pub strict_filters: bool,
    /// Requests that a client of another machine may make in a minute.
    pub requests_a_minute: u32,
    /// Reports what the server has to do without.
    pub report: fn(&str),
}

/// Answers requests until `stop` is set.
///
/// # Errors
///
/// If the experience file cannot be read, or the server cannot run.
pub fn serve(
    artefacts: Artefacts,
    listener: TcpListener,
    settings: Settings,
    stop: &Arc<AtomicBool>,
) -> Result<()> {
    let gate = Gate {
        hosts: settings.hosts.clone(),
        is_open: settings.origins.is_empty(),
        origins: settings.origins.clone(),
        refuse: |status, why| Refusal::new(status, why).json(),
    };
    let shared = Arc::new(Shared::new(artefacts, settings, stop)?);
    let ended = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            while !stop.load(Relaxed) && !ended.load(Relaxed) {
                thread::sleep(LOOK);
                shared.refresh();
            }
        });
        let served = http::serve(listener, router(&shared, &gate.origins), gate, limits(), stop)
            .map_err(Error::Server);
        ended.store(true, Relaxed);
        served
    })
}

fn limits() -> Limits {
    Limits {
        body_bytes_max: BODY_BYTES_MAX,
        bodies_bytes_max: BODIES_BYTES_MAX,
        request: Duration::from_secs(20),
        ..Limits::default()
    }
}

/// What all requests share.
pub(crate) struct Shared {
    pub(crate) artefacts: Artefacts,
    pub(crate) edits: Option<Edits>,
    pub(crate) tokens: Tokens,
    pub(crate) allowance: Allowance,
    pub(crate) bodies: Bodies,
    /// Requests that may be answered at a time.
    places: Arc<Semaphore>,
    /// Requests that may wait for a disk or compute at a time.
    jobs: Arc<Semaphore>,
    strict_filters: bool,
    report: fn(&str),
    tag: RwLock<HeaderValue>,
}

impl Shared {
    fn new(artefacts: Artefacts, settings: Settings, stop: &Arc<AtomicBool>) -> Result<Self> {
        let Settings { experience, tokens, strict_filters, requests_a_minute, report, .. } = settings;
        let cores = thread::available_parallelism().map_or(1, usize::from);
        let shared = Self {
            artefacts,
            edits: experience.map(|path| Edits::open(path, Arc::clone(stop))).transpose()?,
            tokens,
            allowance: Allowance::new(requests_a_minute),
            bodies: Bodies::new(&limits()),
            places: Arc::new(Semaphore::new(REQUESTS_MAX)),
            jobs: Arc::new(Semaphore::new(JOBS_A_CORE * cores)),
            strict_filters,
            report,
            tag: RwLock::new(HeaderValue::from_static("")),
        };
        shared.retag();
        shared.artefacts.unweighed().for_each(|text| report(&text));
        Ok(shared)
    }

    /// Opens again what was replaced.
    fn refresh(&self) {
        let artefacts = self.artefacts.refresh(self.report);
        let experience = self.edits.as_ref().is_some_and(|edits| edits.refresh(self.report));
        if artefacts || experience {
            self.retag();
        }
    }

    /// The tag of all answers that are made from now on.
    pub(crate) fn retag(&self) {
        let mut hash = Xxh3::new();
        env!("CARGO_PKG_VERSION").hash(&mut hash);
        self.strict_filters.hash(&mut hash);
        for opened in self.artefacts.all() {
            (&opened.name, &opened.digest, opened.weights()).hash(&mut hash);
        }
        if let Some(edits) = &self.edits {
            edits.taught().stamp.hash(&mut hash);
        }
        let tag = format!("W/\"{:016x}\"", hash.finish());
        if let Ok(tag) = HeaderValue::from_str(&tag) {
            *self.tag.write().unwrap_or_else(PoisonError::into_inner) = tag;
        }
    }

    pub(crate) fn tag(&self) -> HeaderValue {
        self.tag.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The experience that is read in place of an artefact's own.
    pub(crate) fn taught(&self, opened: &Opened) -> Option<Arc<Taught>> {
        let is_default = self.artefacts.get(None).is_some_and(|first| first.name == opened.name);
        self.edits.as_ref().filter(|_| is_default).map(Edits::taught)
    }

    /// Puts a question to an artefact, with the experience that belongs to it.
    fn ask(
        &self,
        opened: &Opened,
        asked: &Asked,
        question: impl Fn(&QuestionContext<'_>) -> Result<Response, Refusal>,
    ) -> Result<Response, Refusal> {
        let taught = self.taught(opened);
        question(&QuestionContext { shared: self, opened, taught: taught.as_deref(), asked })
    }
}

/// A question: which artefact is asked, and what.
pub(crate) struct Question {
    /// The name of the artefact; `None`: the default one.
    name: Option<String>,
    pub(crate) asked: Asked,
}

impl Question {
    /// The artefact that is asked.
    pub(crate) fn artefact(&self, shared: &Shared) -> Result<Arc<Opened>, Refusal> {
        shared.artefacts.get(self.name.as_deref()).ok_or_else(|| {
            let why = format!("nothing is served as `{}`", self.name.as_deref().unwrap_or_default());
            Refusal::new(StatusCode::NOT_FOUND, why)
        })
    }
}

/// What a question is answered from.
pub(crate) struct QuestionContext<'d> {
    pub(crate) shared: &'d Shared,
    pub(crate) opened: &'d Opened,
    pub(crate) taught: Option<&'d Taught>,
    pub(crate) asked: &'d Asked,
}

impl<'d> QuestionContext<'d> {
    /// The artefact, with the experience that is read in place of its own.
    pub(crate) fn view(&self) -> View<'d> {
        let view = View::of(&self.opened.artefact);
        self.taught.map_or(view, |taught| view.with_experience(&taught.rows, &taught.sources))
    }

    /// Another artefact that the request names.
    pub(crate) fn other(&self, field: &str) -> Result<Option<Arc<Opened>>, Refusal> {
        let Some(name) = self.asked.text(field) else { return Ok(None) };
        let found = self.shared.artefacts.get(Some(name));
        found.map(Some).ok_or_else(|| Refusal::bad(format!("{field}: nothing is served as `{name}`")))
    }

    pub(crate) fn strict_filters(&self) -> bool {
        self.shared.strict_filters
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Question {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Response> {
        let params = match RawPathParams::from_request_parts(parts, state).await {
            Ok(params) => Some(params),
            Err(RawPathParamsRejection::InvalidUtf8InPathParam(_)) => {
                let why = "nothing is served by a name that is no UTF-8";
                return Err(Refusal::new(StatusCode::NOT_FOUND, why).json());
            }
            Err(_) => None,
        };
        let name = params.iter().flatten().find(|(name, _)| *name == "artefact");
        let name = name.map(|(_, value)| value.to_owned());
        Ok(Self { name, asked: Asked::read(&parts.uri).map_err(Refusal::json)? })
    }
}

/// How much work an answer takes.
#[derive(Clone, Copy, Eq, PartialEq)]
pub(crate) enum Work {
    /// It takes a look-up or two.
    LookUp,
    /// More than that.
    Search,
}

/// Answers a question: at once if that takes microseconds, else on a thread that may wait for the disk.
pub(crate) async fn answer(
    shared: Arc<Shared>,
    question: Question,
    work: Work,
    answer: impl Fn(&QuestionContext<'_>) -> Result<Response, Refusal> + Send + 'static,
) -> Result<Response, Refusal> {
    // First come, first served: a short question waits a moment behind long ones.
    let Ok(Ok(_place)) = timeout(PLACE, Arc::clone(&shared.places).acquire_owned()).await else {
        let why = "too many requests at once";
        return Err(Refusal::new(StatusCode::SERVICE_UNAVAILABLE, why).wait(PLACE));
    };
    let opened = question.artefact(&shared)?;
    let asked = question.asked;
    if work == Work::LookUp && opened.is_quick() {
        return shared.ask(&opened, &asked, answer);
    }
    let failed = || Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, "the server failed");
    let job = Arc::clone(&shared.jobs).acquire_owned().await.map_err(|_| failed())?;
    let answered = spawn_blocking(move || {
        let _job = job;
        let mut opened = opened;
        for _ in 1..ATTEMPTS {
            match shared.ask(&opened, &asked, &answer) {
                Err(refusal) if refusal.is_replaced => {}
                answered => return answered,
            }
            shared.refresh();
            opened = shared.artefacts.get(Some(&opened.name)).ok_or_else(failed)?;
        }
        Err(Refusal::new(StatusCode::SERVICE_UNAVAILABLE, "the table is replaced again and again"))
    });
    answered.await.map_err(|_| failed())?
}

type SharedState = State<Arc<Shared>>;

fn router(shared: &Arc<Shared>, origins: &[PageOrigin]) -> Router {
    let named = Router::new().merge(lichess_routes(origins)).merge(our_routes());
    Router::new()
        .nest("/x/{artefact}", named.clone())
        .merge(named)
        .route("/openapi.json", get(openapi))
        .layer(from_fn_with_state(Arc::clone(shared), tagged))
        // The page's files have tags of their own, which change with the program.
        .merge(page::router())
        .fallback(nothing)
        .method_not_allowed_fallback(wrong_method)
        .layer(CompressionLayer::new())
        .layer(from_fn_with_state(Arc::clone(shared), limited))
        .layer(from_fn(marked))
        .layer(CatchPanicLayer::custom(|_| {
            Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, "the server failed").json()
        }))
        .with_state(Arc::clone(shared))
}

/// The paths of Lichess's explorer. Pages of these origins may ask them, or of every origin if there are
/// none.
fn lichess_routes(origins: &[PageOrigin]) -> Router<Arc<Shared>> {
    let database = |database: Database| {
        get(move |State(shared): SharedState, question: Question| async move {
            let answered = answer(shared, question, Work::LookUp, move |context| {
                database.answer(context.opened, context.asked, context.strict_filters())
            });
            answered.await.unwrap_or_else(Refusal::plain)
        })
    };
    let listed = origins.iter().filter_map(|origin| HeaderValue::from_str(&origin.to_string()).ok());
    let cors = CorsLayer::new()
        .allow_origin(if origins.is_empty() { AllowOrigin::any() } else { AllowOrigin::list(listed) })
        .allow_methods([Method::GET])
        .allow_headers([header::AUTHORIZATION, header::ACCEPT, header::CONTENT_TYPE, header::IF_NONE_MATCH])
        .expose_headers([IGNORED, HeaderName::from_static("retry-after")]);
    Router::new()
        .route("/lichess", database(Database::Lichess))
        .route("/lichess/history", database(Database::Lichess))
        .route("/masters", database(Database::Masters))
        .route("/master", database(Database::Masters))
        .route("/player", database(Database::Player))
        .route("/personal", database(Database::Player))
        .route("/masters/pgn/{id}", get(no_game))
        .route("/master/pgn/{id}", get(no_game))
        .layer(cors)
}

fn our_routes() -> Router<Arc<Shared>> {
    let question = |work: Work, answered: fn(&QuestionContext<'_>) -> Result<Response, Refusal>| {
        get(move |State(shared): SharedState, question: Question| async move {
            answer(shared, question, work, answered).await.unwrap_or_else(Refusal::json)
        })
    };
    Router::new()
        .route("/tabia/artefacts", question(Work::LookUp, |context| Ok(ours::artefacts(context))))
        .route("/tabia/probe", question(Work::LookUp, ours::probe))
        .route("/tabia/policies", question(Work::Search, ours::policies))
        .route("/tabia/why", question(Work::LookUp, ours::why))
        .route("/tabia/info", question(Work::LookUp, |context| Ok(ours::info(context))))
        .route("/tabia/compare", question(Work::Search, ours::compare))
        .route("/tabia/holes", question(Work::Search, ours::holes))
        .route("/tabia/experience", axum::routing::put(edits::put).delete(edits::delete))
}

async fn no_game() -> Response {
    Refusal::new(StatusCode::NOT_FOUND, "games are counted here, not kept").json()
}

async fn openapi() -> Response {
    let kind = HeaderValue::from_static("application/json");
    ([(header::CONTENT_TYPE, kind)], include_str!("../openapi.json")).into_response()
}

async fn wrong_method() -> Response {
    Refusal::new(StatusCode::METHOD_NOT_ALLOWED, "this path has no such method").json()
}

async fn nothing() -> Response {
    Refusal::new(StatusCode::NOT_FOUND, "nothing is at this path").json()
}
