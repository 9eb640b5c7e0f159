//! Any bytes as the requests on a connection to `tabia serve` and to `tabia exchange`: each is answered or
//! refused in time, without a panic, and answered alike where the bytes come in two pieces.

#![no_main]

use std::{
    fs,
    io::{ErrorKind, Read as _, Write as _},
    net::{Shutdown, SocketAddr, TcpListener, TcpStream},
    path::Path,
    sync::{
        Arc, LazyLock, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    thread,
    time::Duration,
};

use exchange::{Store, identity_of};
use http::{Limits, Tokens};
use lessons::GameRules;
use libfuzzer_sys::fuzz_target;
use query::Artefact;
use serve::{Artefacts, NamedPath};
use table::GameWeights;

/// The bytes of a request that become headers: with a token of `serve`, with the book of `exchange`.
const AUTHORIZATION: u8 = 1;
const BOOK: u8 = 2;
const TOKEN: &str = "0123456789abcdef";
/// What follows the bytes, so that the server ends the connection. Of a head that has no end it is the end.
const LAST: &[u8] = b"\r\n\r\nGET /tabia/artefacts HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
/// Longer than any answer takes.
const ANSWER: Duration = Duration::from_secs(20);
/// A server that is silent for so long waits for more of a body.
const SILENCE: Duration = Duration::from_millis(100);
/// How long the second piece of a request comes after the first.
const BETWEEN: Duration = Duration::from_micros(300);
/// After as many connections the servers begin anew, so that what they keep stays little.
const CONNECTIONS_MAX: u32 = 2000;

/// Both servers, until they are dropped.
struct Servers {
    addresses: [SocketAddr; 2],
    /// The headers that tokens and books are sent with.
    headers: [String; 2],
    connections: u32,
    stop: Arc<AtomicBool>,
}

static SERVERS: LazyLock<Mutex<Servers>> = LazyLock::new(|| Mutex::new(Servers::start()));

fuzz_target!(|data: &[u8]| {
    let [kind, at, rest @ ..] = data else { return };
    let mut servers = SERVERS.lock().unwrap_or_else(PoisonError::into_inner);
    servers.connections += 1;
    if servers.connections > CONNECTIONS_MAX {
        *servers = Servers::start();
    }
    let request = servers.request(rest);
    let address = servers.addresses[usize::from(kind & 1)];
    let at = (usize::from(*at) << (kind >> 1 & 7)).min(request.len());
    let (whole, pieces) =
        (answers(address, &[&request]), answers(address, &[&request[..at], &request[at..]]));
    // What changes something is answered otherwise the second time.
    let has = |word: &str| request.windows(word.len()).any(|text| text.eq_ignore_ascii_case(word.as_bytes()));
    if let (Some(whole), Some(pieces)) = (whole, pieces)
        && !["put", "post", "delete", "expect"].into_iter().any(has)
    {
        let [whole, pieces] = [whole, pieces].map(|answer| String::from_utf8_lossy(&answer).into_owned());
        assert_eq!(whole, pieces);
    }
});

impl Servers {
    fn start() -> Self {
        let (folder, paths) = fuzz::books();
        let stop = Arc::new(AtomicBool::new(false));
        let listeners = [(); 2].map(|()| TcpListener::bind("127.0.0.1:0").expect("a port"));
        let addresses = [0, 1].map(|at: usize| listeners[at].local_addr().expect("an address"));
        let book = Artefact::open_cached(&paths[0]).expect("a book");
        let identity = identity_of(&book).expect("a book of games");
        let [pages, records] = listeners;
        let store =
            Store::open(&folder.path().join("records"), book, GameRules::default(), 1).expect("a store");
        let artefacts = Artefacts::open(NamedPath::all(&paths), GameWeights::default()).expect("books");
        let settings = serve::Settings {
            experience: Some(folder.path().join("edits.experience.parquet")),
            tokens: tokens(folder.path()),
            endpoints: serve::Endpoints::default(),
            hosts: Vec::new(),
            origins: Vec::new(),
            strict_filters: false,
            requests_a_minute: u32::MAX,
            report: |_| (),
        };
        let of_records = exchange::ServerSettings {
            tokens: None,
            hosts: Vec::new(),
            requests_a_minute: u32::MAX,
            limits: Limits::default(),
        };
        let (stops, stopped) = (Arc::clone(&stop), Arc::clone(&stop));
        thread::spawn(move || {
            let served = thread::spawn(move || serve::serve(artefacts, pages, settings, &stops));
            exchange::serve(store, records, of_records, &stopped).expect("a server");
            served.join().expect("no panic").expect("a server");
            drop(folder);
        });
        let headers = [format!("Authorization: Bearer {TOKEN}"), format!("Tabia-Book: {identity}")];
        Self { addresses, headers, connections: 0, stop }
    }

    /// The bytes of a request, with headers that no one guesses.
    fn request(&self, data: &[u8]) -> Vec<u8> {
        let mut request = Vec::new();
        for byte in data {
            match *byte {
                AUTHORIZATION => request.extend(self.headers[0].as_bytes()),
                BOOK => request.extend(self.headers[1].as_bytes()),
                other => request.push(other),
            }
        }
        request
    }
}

impl Drop for Servers {
    fn drop(&mut self) {
        self.stop.store(true, Relaxed);
    }
}

fn tokens(folder: &Path) -> Tokens {
    let path = folder.join("tokens");
    fs::write(&path, format!("page {TOKEN}\n")).expect("a file");
    Tokens::read(&path).expect("a token")
}

/// The answers to what is sent in these pieces, but for their dates; `None` where the connection is reset, as
/// it is after a request that cannot be read, and where the server waits for more.
fn answers(address: SocketAddr, pieces: &[&[u8]]) -> Option<Vec<u8>> {
    let mut stream = TcpStream::connect(address).expect("a server that listens");
    stream.set_read_timeout(Some(SILENCE)).and_then(|()| stream.set_nodelay(true)).ok()?;
    for (number, piece) in pieces.iter().enumerate() {
        if number > 0 {
            thread::sleep(BETWEEN);
        }
        stream.write_all(piece).ok()?;
    }
    stream.write_all(LAST).ok()?;
    let mut answers = Vec::new();
    if let Err(error) = stream.read_to_end(&mut answers) {
        if error.kind() == ErrorKind::WouldBlock {
            stream.shutdown(Shutdown::Write).and_then(|()| stream.set_read_timeout(Some(ANSWER))).ok()?;
            let ended = stream.read_to_end(&mut answers);
            assert!(!ended.is_err_and(|error| error.kind() == ErrorKind::WouldBlock), "no answer in time");
        }
        return None;
    }
    let lines = answers.split_inclusive(|byte| *byte == b'\n');
    Some(lines.filter(|line| !line.starts_with(b"date: ")).flatten().copied().collect())
}
