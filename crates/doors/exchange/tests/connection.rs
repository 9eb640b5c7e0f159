//! A client and a server of one process.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::{
    net::TcpListener,
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    thread,
};

use book::{BookWriter, Existing, PositionEntry};
use exchange::{Connection, ConnectionError, ServerSettings, Store, identity_of, serve};
use http::Limits;
use lessons::GameRules;
use position::{Edge, Key, PackedMove, Tally};
use query::Artefact;
use serde_json::json;
use shakmaty::{Color, Square};

/// A book of 1.e4 that keeps what is said.
fn book(folder: &Path, keeps: &str) -> Artefact {
    let path = folder.join("book.tabia");
    let tally = Tally { white: 3, draws: 2, black: 1 };
    let edges = vec![Edge { mv: PackedMove::new(Square::E2, Square::E4, None), tally }];
    let provenance = json!({ "counting": {}, "games": 6, "sources": [], "book": { "keeps": keeps } });
    let mut writer = BookWriter::create(&path, &provenance, 1, Existing::Replace).unwrap();
    writer.push(&PositionEntry { key: Key::START, turn: Color::White, tally, edges }).unwrap();
    writer.finish().unwrap();
    Artefact::open(&path).unwrap()
}

const GAME: &str = "[White \"E\"]\n[Black \"O\"]\n[Result \"0-1\"]\n\n1. e4 e5 2. a3 {-1.20/9} a6 0-1\n";

/// Has `client` talk with a server, which ends then; its address.
fn with_server(folder: &Path, client: impl FnOnce(&str)) -> String {
    let store = Store::open(&folder.join("shared"), book(folder, ""), GameRules::default(), 1).unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let stop = Arc::new(AtomicBool::new(false));
    let (tokens, hosts, limits) = (None, Vec::new(), Limits::default());
    let settings = ServerSettings { tokens, hosts, requests_a_minute: 100, limits };
    thread::scope(|scope| {
        let server = scope.spawn(|| serve(store, listener, settings, &stop));
        client(&url);
        stop.store(true, Relaxed);
        server.join().unwrap().unwrap();
    });
    url
}

#[test]
fn a_client_posts_and_fetches() {
    let folder = tempfile::tempdir().unwrap();
    let identity = identity_of(&book(folder.path(), "")).unwrap();
    let connect = |url: &str, book: &str| Connection::new(url, None, book.to_owned()).unwrap();
    let url = with_server(folder.path(), |url| {
        let client = connect(url, &identity);
        let first = client.post("E", GAME.as_bytes()).unwrap();
        let again = client.post("E", GAME.as_bytes()).unwrap();
        assert_eq!((first.number, first.new, again.number, again.new), (1, true, 1, false));
        let fetched = client.experience(None).unwrap().unwrap();
        assert!(fetched.bytes.starts_with(b"PAR1") && !fetched.tag.is_empty());
        assert_eq!(client.experience(Some(&fetched.tag)).unwrap(), None);
        match client.post("A name, of another", GAME.as_bytes()) {
            Err(ConnectionError::Refused { status: 422, why }) => {
                assert!(why.contains("`A name, of another`"), "{why}");
            }
            other => panic!("{other:?}"),
        }
        let other = connect(url, "0123456789abcdef").post("E", GAME.as_bytes());
        assert!(matches!(other, Err(ConnectionError::Refused { status: 409, .. })), "{other:?}");
    });
    let away = connect(&url, &identity).post("E", GAME.as_bytes());
    assert!(matches!(away, Err(ConnectionError::Away(_))), "{away:?}");
}

#[test]
fn a_book_is_known_by_what_it_was_made_of() {
    let folder = tempfile::tempdir().unwrap();
    let [all, some] = ["", "min-games=3"].map(|keeps| identity_of(&book(folder.path(), keeps)).unwrap());
    assert_ne!(all, some);
    assert_eq!(identity_of(&book(folder.path(), "")).unwrap(), all);
    for url in ["https://x", "x:9003", "http://", "http:///"] {
        let error = Connection::new(url, None, all.clone()).unwrap_err();
        assert!(matches!(error, ConnectionError::Address { .. }), "{url}");
    }
}
