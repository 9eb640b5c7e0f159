//! Listening, answering within limits, and ending.

use std::{
    future::IntoFuture as _,
    io,
    net::{SocketAddr, TcpListener},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    time::Duration,
};

use axum::{Router, extract::DefaultBodyLimit, http::StatusCode};
use tokio::{runtime, time};
use tower_http::timeout::TimeoutLayer;

/// How often it is asked whether to stop.
const STOP_POLL: Duration = Duration::from_millis(50);

/// What a request may take.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The most bytes of a body; a larger one is answered with status 413.
    pub body_bytes_max: usize,
    /// How long a request may take; then it is answered with status 408.
    pub request: Duration,
    /// How long requests have to finish when the server stops.
    pub grace: Duration,
}

impl Default for Limits {
    /// A MiB, half a minute, five seconds.
    fn default() -> Self {
        Self { body_bytes_max: 1 << 20, request: Duration::from_secs(30), grace: Duration::from_secs(5) }
    }
}

/// Why an address is not listened on.
#[derive(Debug, thiserror::Error)]
pub enum ListenError {
    /// Others can reach it, and no token is asked for.
    #[error(
        "{address} can be reached by others, so clients must have tokens; without tokens it must be of this machine, as 127.0.0.1"
    )]
    Open {
        /// The address.
        address: SocketAddr,
    },
    /// The system refuses it.
    #[error("cannot listen on {address}: {source}")]
    Io {
        /// The address.
        address: SocketAddr,
        /// The system's error.
        source: io::Error,
    },
}

/// Opens `address` for [`serve`]. Only this machine's own addresses can be open without tokens.
///
/// # Errors
///
/// [`ListenError`].
pub fn listen(address: SocketAddr, has_tokens: bool) -> Result<TcpListener, ListenError> {
    if !has_tokens && !address.ip().is_loopback() {
        return Err(ListenError::Open { address });
    }
    TcpListener::bind(address).map_err(|source| ListenError::Io { address, source })
}

/// Answers requests until `stop` is set.
///
/// # Errors
///
/// If the system gives no thread or the listener cannot be used.
pub fn serve(
    listener: TcpListener,
    router: Router,
    limits: Limits,
    stop: &Arc<AtomicBool>,
) -> io::Result<()> {
    listener.set_nonblocking(true)?;
    let router = router
        .layer(DefaultBodyLimit::max(limits.body_bytes_max))
        .layer(TimeoutLayer::with_status_code(StatusCode::REQUEST_TIMEOUT, limits.request));
    let service = router.into_make_service_with_connect_info::<SocketAddr>();
    let runtime = runtime::Builder::new_multi_thread().worker_threads(2).enable_io().enable_time().build()?;
    let served = runtime.block_on(async {
        let listener = tokio::net::TcpListener::from_std(listener)?;
        let serving = axum::serve(listener, service).with_graceful_shutdown(stopped(Arc::clone(stop)));
        let serving = tokio::spawn(serving.into_future());
        stopped(Arc::clone(stop)).await;
        // A request that takes longer is cut off; a client that keeps its connection open holds up nothing.
        time::timeout(limits.grace, serving).await.map_or(Ok(()), |ended| ended.map_err(io::Error::other)?)
    });
    runtime.shutdown_timeout(limits.grace);
    served
}

async fn stopped(stop: Arc<AtomicBool>) {
    while !stop.load(Relaxed) {
        time::sleep(STOP_POLL).await;
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use axum::routing::{get, post};

    use super::*;

    const LIMITS: Limits =
        Limits { body_bytes_max: 100, request: Duration::from_millis(500), grace: Duration::from_secs(2) };

    #[test]
    fn addresses_of_others_need_tokens() {
        let open: SocketAddr = "0.0.0.0:0".parse().unwrap();
        assert!(matches!(listen(open, false), Err(ListenError::Open { .. })));
        assert!(listen(open, true).is_ok());
        let taken = listen("127.0.0.1:0".parse().unwrap(), false).unwrap();
        assert!(matches!(listen(taken.local_addr().unwrap(), false), Err(ListenError::Io { .. })));
    }

    #[test]
    fn requests_are_answered_within_limits_until_the_server_stops() {
        let slow = || async {
            time::sleep(Duration::from_millis(200)).await;
            "slow"
        };
        let hangs = || async {
            time::sleep(Duration::from_mins(1)).await;
            "never"
        };
        let echo = |body: String| async move { body };
        let router =
            Router::new().route("/slow", get(slow)).route("/hangs", get(hangs)).route("/echo", post(echo));
        let listener = listen("127.0.0.1:0".parse().unwrap(), false).unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let stop = Arc::new(AtomicBool::new(false));
        let config = ureq::Agent::config_builder().http_status_as_error(false).build();
        let agent: ureq::Agent = config.into();
        thread::scope(|scope| {
            let server = scope.spawn(|| serve(listener, router, LIMITS, &stop));
            let echo = |body: &str| {
                let mut answer = agent.post(format!("{url}/echo")).send(body).unwrap();
                (answer.status().as_u16(), answer.body_mut().read_to_string().unwrap())
            };
            assert_eq!(echo("a lesson"), (200, "a lesson".into()));
            assert_eq!(echo(&"x".repeat(101)).0, 413);
            assert_eq!(agent.get(format!("{url}/hangs")).call().unwrap().status(), 408);
            let slow = scope.spawn(|| {
                let mut answer = agent.get(format!("{url}/slow")).call().unwrap();
                answer.body_mut().read_to_string().unwrap()
            });
            thread::sleep(Duration::from_millis(100));
            stop.store(true, Relaxed);
            assert_eq!(slow.join().unwrap(), "slow", "a request that has begun is answered");
            server.join().unwrap().unwrap();
            assert!(agent.get(format!("{url}/slow")).call().is_err());
        });
    }
}
