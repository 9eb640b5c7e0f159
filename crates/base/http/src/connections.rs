//! Accepts connections, answers their requests, and ends those that are idle.
//!
//! A client that sends nothing, sends slowly or does not read its answers ties up a connection but no thread.
//! If there are too many connections, a new one takes the place of the one that has been idle longest, so
//! that clients with requests still get through. A connection also counts as idle while the server waits for
//! the rest of a body.

mod arriving;
mod linger;

use std::{
    collections::HashMap,
    convert::Infallible,
    net::SocketAddr,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
    },
    time::{Duration, Instant},
};

use axum::{
    Router,
    body::Body,
    extract::ConnectInfo,
    http::{HeaderName, HeaderValue, Request, StatusCode},
    response::{IntoResponse as _, Response},
};
use hyper::{body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::{
    net::{TcpListener, TcpStream},
    pin, select,
    sync::{Notify, watch},
    time::{self, MissedTickBehavior},
};
use tower::ServiceExt as _;

use self::{arriving::Arriving, linger::linger};
use crate::{Limits, gate::LocalAddress};

/// The interval at which the server checks whether to stop, and which connections have been idle too long.
const TICK: Duration = Duration::from_millis(50);
/// The value of [`Activity::idle_since`] while a connection answers a request.
const BUSY: u64 = u64::MAX;

/// Answers requests with `router` until `stop` is set, and then finishes the requests that have already
/// arrived.
pub(crate) async fn answer(listener: TcpListener, router: Router, limits: Limits, stop: &AtomicBool) {
    let (ending, ends) = watch::channel(false);
    let open = Arc::new(Open::new(limits));
    let mut ticks = time::interval(TICK);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    while !stop.load(Relaxed) {
        select! {
            // Accepting fails if the client has disconnected or no file descriptor is free; it is retried at
            // the next tick.
            accepted = listener.accept() => match accepted {
                Ok((stream, from)) => Connection::begin(&open, stream, from, router.clone(), ends.clone()),
                Err(_) => { ticks.tick().await; }
            },
            _ = ticks.tick() => open.end_idle(),
        }
    }
    drop((listener, ends));
    let _ = ending.send(true);
    // A request that takes longer than the grace period is cut off.
    let _ = time::timeout(limits.grace, ending.closed()).await;
}

/// The connections that are open.
struct Open {
    limits: Limits,
    begun: Instant,
    next: AtomicU64,
    connections: Mutex<HashMap<u64, Arc<Activity>>>,
}

/// Records how long a connection has been idle, and can tell it to end.
struct Activity {
    /// When the server started.
    begun: Instant,
    /// When the connection became idle, in milliseconds after `begun`; [`BUSY`] if it is not idle.
    idle_since: AtomicU64,
    /// Notified when the connection must end at once.
    end: Notify,
}

impl Activity {
    fn new(begun: Instant) -> Self {
        let activity = Self { begun, idle_since: AtomicU64::new(BUSY), end: Notify::new() };
        activity.rest();
        activity
    }

    /// Marks the connection as idle, unless it is already.
    fn rest(&self) {
        let now = self.begun.elapsed().as_millis() as u64;
        let _ = self.idle_since.compare_exchange(BUSY, now, Relaxed, Relaxed);
    }

    /// Marks the connection as busy.
    fn work(&self) {
        self.idle_since.store(BUSY, Relaxed);
    }
}

impl Open {
    fn new(limits: Limits) -> Self {
        Self { limits, begun: Instant::now(), next: AtomicU64::new(0), connections: Mutex::default() }
    }

    /// Ends connections that have been idle too long.
    fn end_idle(&self) {
        let now = self.begun.elapsed().as_millis() as u64;
        let too_long = |activity: &Activity| {
            let since = activity.idle_since.load(Relaxed);
            since != BUSY && Duration::from_millis(now.saturating_sub(since)) >= self.limits.idle
        };
        let connections = self.connections.lock().unwrap_or_else(PoisonError::into_inner);
        connections.values().filter(|activity| too_long(activity)).for_each(|idle| idle.end.notify_one());
    }

    /// Adds a connection and returns its number, or `None` if there are too many and none is idle.
    fn add(&self, activity: &Arc<Activity>) -> Option<u64> {
        let mut connections = self.connections.lock().unwrap_or_else(PoisonError::into_inner);
        if connections.len() >= self.limits.connections_max {
            let idle_since = |activity: &Activity| activity.idle_since.load(Relaxed);
            let oldest = connections.iter().min_by_key(|(_, activity)| idle_since(activity));
            let oldest =
                oldest.filter(|(_, activity)| idle_since(activity) != BUSY).map(|(&number, _)| number)?;
            // The connection is removed from the map right away, although its task ends only when it receives
            // `end`.
            if let Some(activity) = connections.remove(&oldest) {
                activity.end.notify_one();
            }
        }
        let number = self.next.fetch_add(1, Relaxed);
        connections.insert(number, Arc::clone(activity));
        Some(number)
    }

    fn remove(&self, number: u64) {
        self.connections.lock().unwrap_or_else(PoisonError::into_inner).remove(&number);
    }
}

/// A connection and the state that is needed to answer its requests.
#[derive(Clone)]
struct Connection {
    open: Arc<Open>,
    activity: Arc<Activity>,
    from: SocketAddr,
    to: SocketAddr,
    router: Router,
}

impl Connection {
    /// Starts a task that answers the requests on a stream.
    fn begin(
        open: &Arc<Open>,
        stream: TcpStream,
        from: SocketAddr,
        router: Router,
        mut ends: watch::Receiver<bool>,
    ) {
        let Ok(to) = stream.local_addr() else { return };
        let activity = Arc::new(Activity::new(open.begun));
        let Some(number) = open.add(&activity) else { return };
        let connection = Self { open: Arc::clone(open), activity, from, to, router };
        tokio::spawn(async move {
            connection.run(stream, &mut ends).await;
            connection.open.remove(number);
            drop(ends);
        });
    }

    async fn run(&self, mut stream: TcpStream, ends: &mut watch::Receiver<bool>) {
        // Each answer is small and written as a whole, so the system need not wait for more data before it
        // sends a packet.
        let _ = stream.set_nodelay(true);
        if self.answer(&mut stream, ends).await {
            select! {
                () = linger(&mut stream) => {}
                () = self.activity.end.notified() => {}
                _ = ends.changed() => {}
            }
        }
    }

    /// Answers requests until one side ends the connection. Returns `false` if the connection must be closed
    /// at once.
    async fn answer(&self, stream: &mut TcpStream, ends: &mut watch::Receiver<bool>) -> bool {
        let limits = self.open.limits;
        let service = service_fn(|request| self.respond(request));
        let served = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(limits.head)
            .max_buf_size(limits.head_bytes_max)
            .serve_connection(TokioIo::new(stream), service);
        pin!(served);
        let mut is_ending = false;
        loop {
            select! {
                // An error on a connection only affects its client.
                _ = served.as_mut() => return !is_ending,
                () = self.activity.end.notified() => return false,
                _ = ends.changed(), if !is_ending => {
                    is_ending = true;
                    served.as_mut().graceful_shutdown();
                }
            }
        }
    }

    async fn respond(&self, request: Request<Incoming>) -> Result<Response, Infallible> {
        let Limits { head_bytes_max, body_bytes_max, .. } = self.open.limits;
        // The buffer may hold more than the first line and the headers, since a body may follow.
        if head_bytes(&request) > head_bytes_max {
            return Ok(StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE.into_response());
        }
        self.activity.work();
        let (parts, body) = request.into_parts();
        let arriving = Arriving::new(body, &parts.headers, body_bytes_max, Arc::clone(&self.activity));
        let mut request = Request::from_parts(parts, Body::new(arriving));
        request.extensions_mut().insert(ConnectInfo(self.from));
        request.extensions_mut().insert(LocalAddress(self.to.ip()));
        let response = self.router.clone().oneshot(request).await;
        self.activity.rest();
        response
    }
}

/// The size in bytes of a request's first line and its headers, without insignificant whitespace.
fn head_bytes(request: &Request<Incoming>) -> usize {
    let uri = request.uri();
    let host = uri.authority().map_or(0, |authority| "https://".len() + authority.as_str().len());
    let path = uri.path_and_query().map_or(0, |path| path.as_str().len());
    let line = request.method().as_str().len() + host + path + "  HTTP/1.1\r\n\r\n".len();
    let header =
        |(name, value): (&HeaderName, &HeaderValue)| name.as_str().len() + value.len() + ": \r\n".len();
    line + request.headers().iter().map(header).sum::<usize>()
}
