//! Who is answered: by host, by page, and before a body comes.

use std::{
    io::{Read as _, Write as _},
    net::TcpStream,
};

use super::*;

#[test]
fn requests_to_other_hosts_are_refused() {
    let bench = bench();
    let server = Server::start(&bench, "book.tabia --host books.example");
    let port = server.0.address.split_once(':').unwrap().1;
    let ask = |host: &str| server.ask("GET /lichess", host, "").status;
    for host in ["127.0.0.1", "LOCALHOST", "localhost.:1", "[::1]", "Books.example", "books.example:443"] {
        assert_eq!(ask(&format!("Host: {host}")), 200, "{host}");
        assert_eq!(ask(&format!("Host: {host}\nOrigin: https://lichess.example")), 200, "{host}");
    }
    for host in
        ["evil.example", "evil@127.0.0.1", "x.books.example", "127.0.0.1.evil.example", "192.0.2.1", ""]
    {
        let with_port = format!("Host: {host}:{port}");
        for host in [format!("Host: {host}"), with_port] {
            assert_eq!(ask(&host), 403, "{host}");
        }
    }
    assert_eq!(ask("Host: 127.0.0.1\nHost: 127.0.0.1"), 400);
    assert_eq!(ask("Host: 127.0.0.1\nOrigin: http://a.example\nOrigin: http://b.example"), 400);
    let refused = server.ask("GET /lichess", "Host: evil.example", "");
    assert!(refused.json()["error"].as_str().unwrap().contains("--host"), "{}", refused.text());
    assert_eq!(server.ask("GET http://evil.example/lichess", "", "").status, 403);
}

#[test]
fn pages_of_other_origins_read_unless_some_are_named() {
    let bench = bench();
    let open = Server::start(&bench, "book.tabia");
    let narrow =
        Server::start(&bench, "book.tabia --origin https://lila.example --origin http://other.example:8080");
    let ask = |server: &Server, origin: &str| server.ask("GET /lichess", &format!("Origin: {origin}"), "");
    for (origin, is_named) in [
        ("https://lila.example", true),
        ("http://other.example:8080", true),
        ("http://lila.example", false),
        ("https://lila.example:8443", false),
        ("https://evil.example", false),
        ("null", false),
    ] {
        let allowed = |answer: &Answer| answer.header("access-control-allow-origin").map(str::to_owned);
        let answer = ask(&open, origin);
        assert_eq!((answer.status, allowed(&answer).as_deref()), (200, Some("*")), "{origin}");
        let answer = ask(&narrow, origin);
        assert_eq!(answer.status, if is_named { 200 } else { 403 }, "{origin}");
        assert_eq!(allowed(&answer).as_deref(), is_named.then_some(origin));
    }
    assert_eq!(ask(&narrow, &narrow.0.url()).status, 200);
    assert_eq!(narrow.get("/lichess").status, 200);
}

/// Starts a `PUT` whose body does not come.
fn begin(server: &Server, headers: &str) -> TcpStream {
    let mut stream = TcpStream::connect(&server.0.address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
    let head = format!("PUT /tabia/experience HTTP/1.1\r\nHost: {}\r\n{headers}", server.0.address);
    stream.write_all(format!("{head}Content-Length: 4000\r\n\r\n{{").as_bytes()).unwrap();
    stream
}

/// Bodies that do not come take neither the places of requests nor memory, and who has no token is refused
/// before one comes.
#[test]
fn slow_bodies_keep_no_one_waiting() {
    let bench = bench();
    let server = Server::start(&bench, "book.tabia --experience x.parquet");
    let strangers: Vec<_> = (0..300).map(|_| begin(&server, "")).collect();
    for mut stranger in strangers {
        let mut answer = [0; 12];
        stranger.read_exact(&mut answer).unwrap();
        assert_eq!(&answer, b"HTTP/1.1 403");
    }
    let token = format!("{}\r\n", server.token());
    let slow: Vec<_> = (0..600).map(|_| begin(&server, &token)).collect();
    let begun = Instant::now();
    for _ in 0..20 {
        assert_eq!(server.get("/lichess").status, 200);
    }
    let set = server.ask("PUT /tabia/experience", &server.token(), r#"{"move":"e4","value":75}"#);
    assert_eq!(set.status, 200, "{}", set.text());
    assert!(begun.elapsed() < Duration::from_secs(4), "{:?}", begun.elapsed());
    drop(slow);
}

/// A browser asks first whether a page may send a token, or change something.
#[test]
fn browsers_are_told_what_pages_may_send() {
    let bench = bench();
    let asked = |server: &Server, path: &str, origin: &str, method: &str| {
        let head = format!(
            "Origin: {origin}\nAccess-Control-Request-Method: {method}\n\
             Access-Control-Request-Headers: authorization"
        );
        let answer = server.ask(&format!("OPTIONS {path}"), &head, "");
        let header = |name| answer.header(name).unwrap_or_default().to_owned();
        (
            header("access-control-allow-origin"),
            header("access-control-allow-headers").contains("authorization"),
        )
    };
    let open = Server::start(&bench, "book.tabia");
    for path in ["/lichess", "/x/book/masters", "/player"] {
        assert_eq!(asked(&open, path, "http://localhost:1420", "GET"), ("*".to_owned(), true), "{path}");
    }
    assert_eq!(asked(&open, "/tabia/experience", "http://localhost:1420", "PUT").0, "");
    let page = "https://lila.example";
    let named = Server::start(&bench, &format!("book.tabia --origin {page}"));
    assert_eq!(asked(&named, "/tabia/experience", page, "PUT"), (page.to_owned(), true));
    assert_eq!(asked(&named, "/lichess", page, "GET"), (page.to_owned(), true));
}
