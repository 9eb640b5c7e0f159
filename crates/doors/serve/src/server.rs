//! The server: maps paths to the functions that answer them.

use std::{
    net::TcpListener,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::Relaxed},
        mpsc::{self, RecvTimeoutError},
    },
    thread,
    time::Duration,
};

use axum::{
    Router,
    extract::State,
    http::{HeaderName, HeaderValue, Method, StatusCode, header},
    middleware::{from_fn, from_fn_with_state},
    response::{IntoResponse as _, Response},
    routing::get,
};
use http::{Gate, PageOrigin};
use tower_http::{
    catch_panic::CatchPanicLayer,
    compression::CompressionLayer,
    cors::{AllowOrigin, CorsLayer},
};

use crate::{
    Artefacts, Database, Error, Result, Settings,
    answer::Refusal,
    edits,
    guard::{limited, marked, tagged},
    lichess::IGNORED,
    page,
    question::{Question, QuestionContext, Work, answer},
    settings::limits,
    shared::Shared,
    tabia_api,
};

/// How often to check whether a file was replaced.
const LOOK: Duration = Duration::from_millis(250);

/// Answers requests until `stop` is set.
///
/// # Errors
///
/// Fails if the experience file cannot be read, or if the HTTP server fails.
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
    thread::scope(|scope| {
        // When the server ends, even by a panic, the sender is dropped, which ends the thread.
        let (_serving, ended) = mpsc::channel::<()>();
        let shared = &shared;
        scope.spawn(move || {
            while ended.recv_timeout(LOOK) == Err(RecvTimeoutError::Timeout) && !stop.load(Relaxed) {
                shared.refresh();
            }
        });
        let served = http::serve(listener, router(shared, &gate.origins), gate, limits(), stop);
        served.map_err(Error::Server)
    })
}

type SharedState = State<Arc<Shared>>;

fn router(shared: &Arc<Shared>, origins: &[PageOrigin]) -> Router {
    let named = Router::new().merge(lichess_routes(origins)).merge(our_routes(origins));
    Router::new()
        .nest("/x/{artefact}", named.clone())
        .merge(named)
        .route("/openapi.json", get(openapi))
        .layer(from_fn_with_state(Arc::clone(shared), tagged))
        // The page's files have their own tags, which change with the program's version.
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

/// The routes of Lichess's explorer. They may be requested by pages from `origins`, or from any origin if
/// `origins` is empty.
fn lichess_routes(origins: &[PageOrigin]) -> Router<Arc<Shared>> {
    let database = |database: Database| {
        get(move |State(shared): SharedState, question: Question| async move {
            let question = question.or(shared.endpoints.of(database));
            let answered = answer(shared, question, Work::LookUp, move |context| database.answer(context));
            answered.await.unwrap_or_else(Refusal::plain)
        })
    };
    let game = |database: Database| {
        get(move |State(shared): SharedState, question: Question| async move {
            let question = question.or(shared.endpoints.of(database));
            answer(shared, question, Work::Search, tabia_api::game).await.unwrap_or_else(Refusal::plain)
        })
    };
    let allowed = if origins.is_empty() { AllowOrigin::any() } else { listed(origins) };
    Router::new()
        .route("/lichess", database(Database::Lichess))
        .route("/lichess/history", database(Database::Lichess))
        .route("/masters", database(Database::Masters))
        .route("/master", database(Database::Masters))
        .route("/player", database(Database::Player))
        .route("/personal", database(Database::Player))
        .route("/masters/pgn/{id}", game(Database::Masters))
        .route("/master/pgn/{id}", game(Database::Masters))
        .route("/lichess/game/{id}", game(Database::Lichess))
        .method_not_allowed_fallback(wrong_method)
        .layer(cors(allowed, &[Method::GET]))
}

/// Allows requests from pages of other origins. A browser's preflight request has a method (OPTIONS) that no
/// path supports. The layer answers such requests too, so it must also wrap the fallback for unsupported
/// methods.
fn cors(allowed: AllowOrigin, methods: &[Method]) -> CorsLayer {
    CorsLayer::new()
        .allow_origin(allowed)
        .allow_methods(methods.to_vec())
        .allow_headers([header::AUTHORIZATION, header::ACCEPT, header::CONTENT_TYPE, header::IF_NONE_MATCH])
        .expose_headers([IGNORED, HeaderName::from_static("retry-after")])
}

fn listed(origins: &[PageOrigin]) -> AllowOrigin {
    AllowOrigin::list(origins.iter().filter_map(|origin| HeaderValue::from_str(&origin.to_string()).ok()))
}

/// Our own routes. Pages from `origins` may use these routes both to read and to edit.
fn our_routes(origins: &[PageOrigin]) -> Router<Arc<Shared>> {
    let question = |work: Work, answered: fn(&QuestionContext<'_>) -> Result<Response, Refusal>| {
        get(move |State(shared): SharedState, question: Question| async move {
            answer(shared, question, work, answered).await.unwrap_or_else(Refusal::json)
        })
    };
    Router::new()
        .route("/tabia/artefacts", question(Work::LookUp, |context| Ok(tabia_api::artefacts(context))))
        .route("/tabia/probe", question(Work::LookUp, tabia_api::probe))
        .route("/tabia/probes", question(Work::Search, tabia_api::probes))
        .route("/tabia/policies", question(Work::Search, tabia_api::policies))
        .route("/tabia/why", question(Work::LookUp, tabia_api::why))
        .route("/tabia/info", question(Work::LookUp, |context| Ok(tabia_api::info(context))))
        .route("/tabia/compare", question(Work::Search, tabia_api::compare))
        .route("/tabia/openings", question(Work::Search, tabia_api::openings))
        .route("/tabia/games", question(Work::LookUp, tabia_api::games))
        .route("/tabia/games/{id}", question(Work::Search, tabia_api::game))
        .route("/tabia/holes", question(Work::Search, tabia_api::holes))
        .route("/tabia/experience", axum::routing::put(edits::put).delete(edits::delete))
        .method_not_allowed_fallback(wrong_method)
        .layer(cors(listed(origins), &[Method::GET, Method::PUT, Method::DELETE]))
}

async fn openapi() -> Response {
    let kind = HeaderValue::from_static("application/json");
    ([(header::CONTENT_TYPE, kind)], include_str!("../openapi.json")).into_response()
}

async fn wrong_method() -> Response {
    Refusal::new(StatusCode::METHOD_NOT_ALLOWED, "this path does not accept this method").json()
}

async fn nothing() -> Response {
    Refusal::new(StatusCode::NOT_FOUND, "there is nothing at this path").json()
}
