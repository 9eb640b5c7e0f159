//! The server: checks who may send requests and how often, and answers them.

mod answers;

use std::{
    net::{IpAddr, SocketAddr, TcpListener},
    path::PathBuf,
    sync::{Arc, Mutex, MutexGuard, PoisonError, atomic::AtomicBool},
    time::Instant,
};

use axum::{
    Router,
    body::Body,
    extract::{ConnectInfo, Query, State},
    http::{HeaderMap, StatusCode, header},
    response::Response,
    routing::get,
};
use http::{Allowance, Bodies, Gate, HostName, Limits, Tokens};
use serde::Deserialize;

use self::answers::{Refusal, cleared, experience, lines, posted, refused};
use crate::{Error, Result, Store, identity_of, store::RecordKind};

/// The request header that contains the identity of the client's book.
pub(crate) const BOOK_HEADER: &str = "tabia-book";
/// The maximum total size of the records in one answer, in bytes. Clients ask again for the rest.
const ANSWER_BYTES_MAX: usize = 4 << 20;

/// How a server answers.
#[derive(Clone, Debug)]
pub struct ServerSettings {
    /// The clients that may send requests; `None` if every program on this machine may.
    pub tokens: Option<Tokens>,
    /// Names of the server other than its address and the usual names for loopback.
    pub hosts: Vec<HostName>,
    /// The number of requests that a client may make in a minute.
    pub requests_a_minute: u32,
    /// Limits of requests.
    pub limits: Limits,
}

/// Answers requests to `store` until `stop` is set.
///
/// # Errors
///
/// Fails if the store's book has no identity, or if the HTTP server fails.
pub fn serve(
    store: Store,
    listener: TcpListener,
    settings: ServerSettings,
    stop: &Arc<AtomicBool>,
) -> Result<()> {
    let ServerSettings { tokens, hosts, requests_a_minute, limits } = settings;
    // Requests from browser pages are refused: no origin is allowed.
    let refuse = |status, why: &str| refused(Refusal::new(status, why));
    let gate = Gate { hosts, origins: Vec::new(), is_open: false, refuse };
    let shared = Arc::new(Shared {
        identity: identity_of(&store.book)?,
        store: Mutex::new(store),
        tokens,
        allowance: Allowance::new(requests_a_minute),
        bodies: Bodies::new(&limits),
    });
    let router = Router::new()
        .route("/", get(about))
        .route("/records", get(records).post(post).delete(clear))
        .route("/experience", get(fetch))
        .with_state(shared);
    http::serve(listener, router, gate, limits, stop).map_err(Error::Server)
}

/// What all requests share.
struct Shared {
    store: Mutex<Store>,
    /// The identity of the book.
    identity: String,
    tokens: Option<Tokens>,
    allowance: Allowance,
    bodies: Bodies,
}

/// The client that sent the request.
struct Asking {
    /// The client's name in the token file; `None` if the server has no tokens.
    name: Option<String>,
    may_clear_all: bool,
}

impl Shared {
    fn store(&self) -> MutexGuard<'_, Store> {
        // A request that panicked may have left a change incomplete, but the store stays in use.
        self.store.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Identifies the client of a request, and refuses clients that are unknown or have sent too many
    /// requests.
    fn asking(&self, headers: &HeaderMap, from: IpAddr) -> Result<Asking, Refusal> {
        let Some(tokens) = &self.tokens else {
            self.admit(&from.to_string())?;
            return Ok(Asking { name: None, may_clear_all: true });
        };
        let token = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
        let Some(client) = token.and_then(|token| tokens.of(token)) else {
            // Requests without a valid token count too, so attempts to guess a token are also limited.
            self.admit(&from.to_string())?;
            return Err(Refusal::new(
                StatusCode::UNAUTHORIZED,
                "a token for this server is needed: `Authorization: Bearer TOKEN`",
            ));
        };
        self.admit(&client.name)?;
        Ok(Asking { name: Some(client.name.clone()), may_clear_all: client.may_clear_all })
    }

    fn admit(&self, client: &str) -> Result<(), Refusal> {
        self.allowance.admit(client, Instant::now()).map_err(Refusal::too_often)
    }

    /// Refuses a client unless its book has the same identity as the server's.
    fn check_book(&self, headers: &HeaderMap) -> Result<(), Refusal> {
        let theirs = headers.get(BOOK_HEADER).and_then(|value| value.to_str().ok());
        let ours = &self.identity;
        match theirs {
            Some(theirs) if theirs.eq_ignore_ascii_case(ours) => Ok(()),
            Some(theirs) => Err(Refusal::new(
                StatusCode::CONFLICT,
                format!(
                    "the book of this server is {ours}, but yours is {theirs}: make both from the same table with the same \
                     filters"
                ),
            )),
            None => Err(Refusal::new(
                StatusCode::BAD_REQUEST,
                format!(
                    "the header Tabia-Book must give the identity of your book; that of this server is {ours}"
                ),
            )),
        }
    }
}

/// Handles a request on a thread that may block while it waits for the disk.
async fn answer(
    shared: Arc<Shared>,
    work: impl FnOnce(&Shared) -> Result<Response, Refusal> + Send + 'static,
) -> Response {
    let answered = tokio::task::spawn_blocking(move || work(&shared)).await;
    match answered {
        Ok(answered) => answered.unwrap_or_else(refused),
        Err(_) => refused(Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, "the server failed")),
    }
}

type Shares = State<Arc<Shared>>;
type From = ConnectInfo<SocketAddr>;

/// `GET /`: returns the identity of the book, the number of records, and the highest entry number.
async fn about(State(shared): Shares, ConnectInfo(from): From, headers: HeaderMap) -> Response {
    answer(shared, move |shared| {
        shared.asking(&headers, from.ip())?;
        let (records, last) = shared.store().count();
        Ok(answers::about(&shared.identity, records, last))
    })
    .await
}

#[derive(Deserialize)]
struct Posting {
    /// The player whose games are posted; the writer by default.
    player: Option<String>,
    /// The layout of the record.
    #[serde(default)]
    layout: PostedLayout,
}

#[derive(Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum PostedLayout {
    #[default]
    Games,
    Crafty,
}

/// `POST /records?player=NAME`, `POST /records?layout=crafty`: stores a record.
async fn post(
    State(shared): Shares,
    ConnectInfo(from): From,
    Query(Posting { player, layout }): Query<Posting>,
    headers: HeaderMap,
    body: Body,
) -> Response {
    // The client and its book are checked before the body is read.
    let asking = shared.asking(&headers, from.ip());
    let asking = match asking.and_then(|asking| shared.check_book(&headers).map(|()| asking)) {
        Ok(asking) => asking,
        Err(refusal) => return refused(refusal),
    };
    let body = match shared.bodies.read(body).await {
        Ok(body) => body,
        Err(error) => return refused(error.into()),
    };
    answer(shared, move |shared| {
        let player = player.or_else(|| asking.name.clone()).unwrap_or_default();
        let (layout, source) = match layout {
            PostedLayout::Games => (RecordKind::Games(&player), player.as_str()),
            PostedLayout::Crafty => (RecordKind::Crafty, "crafty"),
        };
        let writer = asking.name.as_deref().unwrap_or(source);
        Ok(posted(shared.store().post(writer, layout, &body)?))
    })
    .await
}

#[derive(Deserialize)]
struct Reading {
    /// Only records with numbers above this one are returned.
    #[serde(default)]
    after: u64,
}

/// `GET /records?after=N`: returns records numbered above N, one JSON object per line.
async fn records(
    State(shared): Shares,
    ConnectInfo(from): From,
    Query(Reading { after }): Query<Reading>,
    headers: HeaderMap,
) -> Response {
    answer(shared, move |shared| {
        shared.asking(&headers, from.ip())?;
        Ok(lines(&shared.store().records(after, ANSWER_BYTES_MAX)?))
    })
    .await
}

#[derive(Deserialize)]
struct Clearing {
    /// The writer whose records are to be removed.
    source: String,
}

/// `DELETE /records?source=NAME`: removes a writer, and those of its records that no other writer has posted.
async fn clear(
    State(shared): Shares,
    ConnectInfo(from): From,
    Query(Clearing { source }): Query<Clearing>,
    headers: HeaderMap,
) -> Response {
    answer(shared, move |shared| {
        let asking = shared.asking(&headers, from.ip())?;
        if !asking.may_clear_all && asking.name.as_deref() != Some(&source) {
            let why = "a writer can clear only what it has posted itself";
            return Err(Refusal::new(StatusCode::FORBIDDEN, why));
        }
        Ok(cleared(shared.store().clear(&source)?))
    })
    .await
}

/// `GET /experience`: returns the experience file, which is made from all records.
async fn fetch(State(shared): Shares, ConnectInfo(from): From, headers: HeaderMap) -> Response {
    answer(shared, move |shared| {
        shared.asking(&headers, from.ip())?;
        shared.check_book(&headers)?;
        // Keeps the store locked until the file has been read, because another request might replace the
        // file.
        let mut store = shared.store();
        let (path, hash): (PathBuf, u64) = store.experience()?;
        experience(&path, hash, &headers)
    })
    .await
}
