//! Listens, answers requests within limits, and stops.

use std::{
    io,
    net::{SocketAddr, TcpListener},
    sync::{Arc, atomic::AtomicBool},
    thread,
    time::Duration,
};

use axum::{Router, http::StatusCode, middleware::from_fn_with_state};
use rustix::process::{Resource, getrlimit};
use tokio::runtime;
use tower_http::timeout::TimeoutLayer;

use crate::{Gate, connections::answer, gate::pass};

/// The limits of a server.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The maximum size in bytes of a request's first line and its headers together; must be at least 8 KiB.
    /// A request that exceeds it gets status 431.
    pub head_bytes_max: usize,
    /// The time within which the first line and the headers of a request must arrive. A connection on which
    /// no request arrives is also closed after this time.
    pub head: Duration,
    /// The maximum size of a body in bytes. A request with a larger body gets status 413.
    pub body_bytes_max: usize,
    /// The maximum total size of all request bodies in bytes. Once it is reached, further requests with a
    /// body get status 503.
    pub bodies_bytes_max: usize,
    /// The longest time that a request may take before it gets status 408.
    pub request: Duration,
    /// How long a connection may be idle before it is closed. It is idle after each answer, even if the
    /// client has not read that answer. It is also idle while the server waits for the rest of a body.
    pub idle: Duration,
    /// The maximum number of open connections; never more than half the number of files that the process may
    /// open. If one more connection is opened, the connection that has been idle longest is closed, or the
    /// new one if none is idle.
    pub connections_max: usize,
    /// The time that requests have to finish when the server stops.
    pub grace: Duration,
}

impl Default for Limits {
    /// Allows 32 KiB for the first line and the headers of a request, 1 MiB for a body, and 32 MiB for all
    /// bodies together. The first line and the headers must arrive within ten seconds, and a request may take
    /// 30 seconds. There may be 1,024 connections, and each may be idle for 30 seconds. When the server
    /// stops, requests have five seconds to finish.
    fn default() -> Self {
        Self {
            head_bytes_max: 32 << 10,
            head: Duration::from_secs(10),
            body_bytes_max: 1 << 20,
            bodies_bytes_max: 32 << 20,
            request: Duration::from_secs(30),
            idle: Duration::from_secs(30),
            connections_max: 1024,
            grace: Duration::from_secs(5),
        }
    }
}

/// Why the server cannot listen on an address.
#[derive(Debug, thiserror::Error)]
pub enum ListenError {
    /// Other machines can reach the address, and no token is required.
    #[error(
        "other machines can reach {address}, so clients must have tokens (--tokens); without tokens, listen on an address \
         of this machine alone, such as 127.0.0.1",
        address = .0
    )]
    Open(SocketAddr),
    /// The system refuses the address.
    #[error("cannot listen on {address}: {source}")]
    Io {
        /// The address.
        address: SocketAddr,
        /// The system's error.
        source: io::Error,
    },
}

/// Opens `address` for [`serve`]. Without tokens, only loopback addresses are allowed.
///
/// # Errors
///
/// [`ListenError`] with the address.
pub fn listen(address: SocketAddr, has_tokens: bool) -> Result<TcpListener, ListenError> {
    if !has_tokens && !address.ip().is_loopback() {
        return Err(ListenError::Open(address));
    }
    TcpListener::bind(address).map_err(|source| ListenError::Io { address, source })
}

/// Answers requests that `gate` accepts, until `stop` is set. Handlers must read bodies with
/// [`Bodies`](crate::Bodies), which enforces the limits on them.
///
/// # Errors
///
/// Fails if no thread can be started, or the listener cannot be used.
pub fn serve(
    listener: TcpListener,
    router: Router,
    gate: Gate,
    limits: Limits,
    stop: &Arc<AtomicBool>,
) -> io::Result<()> {
    listener.set_nonblocking(true)?;
    let descriptors = getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX) / 2;
    let connections_max =
        limits.connections_max.min(usize::try_from(descriptors).unwrap_or(usize::MAX)).max(1);
    let limits = Limits { connections_max, ..limits };
    let router = router
        .layer(from_fn_with_state(Arc::new(gate), pass))
        .layer(TimeoutLayer::with_status_code(StatusCode::REQUEST_TIMEOUT, limits.request));
    let threads = thread::available_parallelism().map_or(2, usize::from).max(2);
    let runtime =
        runtime::Builder::new_multi_thread().worker_threads(threads).enable_io().enable_time().build()?;
    let served = runtime.block_on(async {
        let listener = tokio::net::TcpListener::from_std(listener)?;
        answer(listener, router, limits, stop).await;
        Ok(())
    });
    runtime.shutdown_timeout(limits.grace);
    served
}

#[cfg(test)]
mod tests {
    use std::{
        io::{Read as _, Write as _},
        net::TcpStream,
        pin::Pin,
        sync::atomic::Ordering::Relaxed,
        time::Instant,
    };

    use axum::{
        body::Body,
        response::{IntoResponse as _, Response},
        routing::{get, post},
    };
    use tokio::time;

    use super::*;
    use crate::Bodies;

    const LIMITS: Limits = Limits {
        head_bytes_max: 8 << 10,
        head: Duration::from_millis(600),
        body_bytes_max: 100,
        bodies_bytes_max: 8000,
        request: Duration::from_millis(500),
        idle: Duration::from_secs(1),
        connections_max: 8,
        grace: Duration::from_secs(2),
    };

    fn gate() -> Gate {
        let refuse = |status: StatusCode, why: &str| (status, why.to_owned()).into_response();
        Gate { hosts: Vec::new(), origins: Vec::new(), is_open: true, refuse }
    }

    /// Answers with the body.
    fn echo() -> impl Fn(Body) -> Pin<Box<dyn Future<Output = Response> + Send>> + Clone {
        let bodies = Bodies::new(&LIMITS);
        move |body| {
            let bodies = bodies.clone();
            Box::pin(async move {
                match bodies.read(body).await {
                    Ok(body) => body.to_vec().into_response(),
                    Err(error) => error.status().into_response(),
                }
            })
        }
    }

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
        let router =
            Router::new().route("/slow", get(slow)).route("/hangs", get(hangs)).route("/echo", post(echo()));
        let listener = listen("127.0.0.1:0".parse().unwrap(), false).unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let stop = Arc::new(AtomicBool::new(false));
        let config = ureq::Agent::config_builder().http_status_as_error(false).build();
        let agent: ureq::Agent = config.into();
        thread::scope(|scope| {
            let server = scope.spawn(|| serve(listener, router, gate(), LIMITS, &stop));
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

    /// Runs a server while `client` talks to it. On one path, the server refuses the body unread; on another,
    /// it echoes the body.
    fn with_server(client: impl FnOnce(SocketAddr) + Send) {
        let refuse = |_: Body| async { StatusCode::UNAUTHORIZED };
        let router = Router::new()
            .route("/", get(|| async { "here" }))
            .route("/refused", post(refuse))
            .route("/echo", post(echo()));
        let listener = listen("127.0.0.1:0".parse().unwrap(), false).unwrap();
        let (address, stop) = (listener.local_addr().unwrap(), Arc::new(AtomicBool::new(false)));
        thread::scope(|scope| {
            let server = scope.spawn(|| serve(listener, router, gate(), LIMITS, &stop));
            // The server must end even if the client fails.
            let told = scope.spawn(move || client(address)).join();
            stop.store(true, Relaxed);
            server.join().unwrap().unwrap();
            told.unwrap();
        });
    }

    /// Sends these bytes, and returns everything that the server sends before it closes the connection.
    fn told(address: SocketAddr, bytes: &[u8]) -> String {
        let mut stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(5))).unwrap();
        stream.write_all(bytes).unwrap();
        let mut answer = Vec::new();
        // Reading may fail, because a connection is reset if the server closes it with unread bytes.
        let _ = stream.read_to_end(&mut answer);
        String::from_utf8_lossy(&answer).into_owned()
    }

    const ASKED: &[u8] = b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";

    #[test]
    fn heads_come_in_time_and_are_small() {
        with_server(|address| {
            assert!(told(address, ASKED).ends_with("here"));
            let begun = Instant::now();
            assert_eq!(told(address, b"GET / HTTP/1.1\r\nHost: lo"), "");
            assert_eq!(told(address, b""), "", "and a connection needs a request");
            assert!(begun.elapsed() < Duration::from_secs(4));
            let long = |text: &str| told(address, text.as_bytes())[..12].to_owned();
            assert_eq!(long(&format!("GET /{} HTTP/1.1\r\n\r\n", "x".repeat(20_000))), "HTTP/1.1 431");
            let header = "x".repeat(20_000);
            assert_eq!(long(&format!("GET / HTTP/1.1\r\nA: {header}\r\n\r\n")), "HTTP/1.1 431");
            let of_bytes = |bytes: usize| {
                let head = "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nA: ";
                format!("{head}{}\r\n\r\n", "x".repeat(bytes - head.len() - 4))
            };
            assert_eq!(long(&of_bytes(LIMITS.head_bytes_max)), "HTTP/1.1 200");
            for more in [1, 10, 232, 1000] {
                assert_eq!(long(&of_bytes(LIMITS.head_bytes_max + more)), "HTTP/1.1 431", "{more}");
            }
            // If the first line contains an `http` address, the server counts it as an `https` address, which
            // is one byte longer.
            let absolute =
                |bytes| of_bytes(bytes - "http://localhost".len()).replace(" / ", " http://localhost/ ");
            assert_eq!(long(&absolute(LIMITS.head_bytes_max - 1)), "HTTP/1.1 200");
            assert_eq!(long(&absolute(LIMITS.head_bytes_max)), "HTTP/1.1 431");
        });
    }

    /// The server refuses the request while the client is still sending the first line.
    #[test]
    fn a_head_that_is_much_too_long_is_answered() {
        with_server(|address| {
            let mut stream = TcpStream::connect(address).unwrap();
            for part in ["GET /", &"x".repeat(1 << 20)].concat().as_bytes().chunks(1 << 17) {
                stream.write_all(part).unwrap();
                thread::sleep(Duration::from_millis(10));
            }
            let mut answer = String::new();
            stream.read_to_string(&mut answer).unwrap();
            assert!(answer.starts_with("HTTP/1.1 431"), "{answer}");
        });
    }

    #[test]
    fn only_its_own_hosts_are_answered() {
        with_server(|address| {
            let of = |host: &str| {
                let asked = format!("GET / HTTP/1.1\r\n{host}Connection: close\r\n\r\n");
                told(address, asked.as_bytes())[9..12].to_owned()
            };
            assert_eq!(of(&format!("Host: {address}\r\n")), "200");
            assert_eq!(of("Host: rebound.example\r\n"), "403");
            assert_eq!(of("Host: localhost\r\nHost: localhost\r\n"), "400");
            assert_eq!(of(""), "400");
        });
    }

    /// The first line and the headers of a request whose body is sent later.
    fn head(path: &str, bytes: usize) -> String {
        format!("POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: {bytes}\r\n\r\n")
    }

    #[test]
    fn a_request_that_is_refused_is_answered_before_its_body_comes() {
        with_server(|address| {
            let begun = Instant::now();
            let mut stream = TcpStream::connect(address).unwrap();
            stream.write_all(head("/refused", 90).as_bytes()).unwrap();
            let mut answer = [0; 12];
            stream.read_exact(&mut answer).unwrap();
            assert_eq!(&answer, b"HTTP/1.1 401");
            assert!(begun.elapsed() < LIMITS.request, "{:?}", begun.elapsed());
            // The client must get the answer even if it is still writing.
            let whole = head("/refused", 90) + &"x".repeat(90) + &head("/echo", 0);
            let answers = told(address, whole.as_bytes());
            assert!(answers.contains("401") && answers.contains("200"), "{answers}");
            // The connection must also survive if the body arrives after the answer.
            stream.write_all(&["x".repeat(90).as_bytes(), ASKED].concat()).unwrap();
            let mut answer = String::new();
            stream.read_to_string(&mut answer).unwrap();
            assert!(answer.ends_with("here"), "{answer}");
        });
    }

    #[test]
    fn connections_that_wait_for_bodies_give_way() {
        with_server(|address| {
            let slow = |_| {
                let mut stream = TcpStream::connect(address).unwrap();
                stream.write_all((head("/echo", 90) + "x").as_bytes()).unwrap();
                stream
            };
            let waiting: Vec<_> = (0..4 * LIMITS.connections_max).map(slow).collect();
            thread::sleep(Duration::from_millis(50));
            let begun = Instant::now();
            assert!(told(address, ASKED).ends_with("here"));
            assert!(begun.elapsed() < LIMITS.request, "{:?}", begun.elapsed());
            drop(waiting);
        });
    }

    #[test]
    fn idle_connections_give_way() {
        with_server(|address| {
            let idle: Vec<_> = (0..50).map(|_| TcpStream::connect(address).unwrap()).collect();
            let begun = Instant::now();
            assert!(told(address, ASKED).ends_with("here"));
            assert!(begun.elapsed() < LIMITS.head, "{:?}", begun.elapsed());
            drop(idle);
        });
    }
}
