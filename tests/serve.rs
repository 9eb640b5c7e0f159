//! `tabia serve`: answers about openings over HTTP, as any client sees them.

mod access;
mod edits;
mod lichess;
mod proxy;
mod tabia_api;
mod weights;

use std::{
    thread,
    time::{Duration, Instant},
};

use serde_json::Value;

use crate::{
    asking::{Answer, Listening, ask},
    workbench::{Workbench, sample},
};

/// A server in the folder of a workbench.
struct Server(Listening);

impl Server {
    /// `tabia serve` with these arguments, at a port of its own.
    fn start(bench: &Workbench, arguments: &str) -> Self {
        let command = format!("exec \"$TABIA\" serve {arguments} --listen 127.0.0.1:0");
        Self(Listening::start(&mut bench.shell(&command)))
    }

    fn ask(&self, request: &str, headers: &str, body: &str) -> Answer {
        ask(&self.0.address, request, headers, body.as_bytes())
    }

    /// The header with the token of the printed address.
    fn token(&self) -> String {
        format!("Authorization: Bearer {}", self.0.token)
    }

    fn get(&self, path: &str) -> Answer {
        self.ask(&format!("GET {path}"), "", "")
    }

    /// An answer of 200, as JSON.
    fn json(&self, path: &str) -> Value {
        let answer = self.get(path);
        assert_eq!(answer.status, 200, "{path}: {}", answer.text());
        answer.json()
    }

    /// Status and body of a request that is refused.
    fn refused(&self, path: &str) -> (u16, String) {
        let answer = self.get(path);
        (answer.status, answer.text())
    }
}

/// The sample as a table by group with ratings, as a book and as a Polyglot book.
fn bench() -> Workbench {
    let bench = Workbench::new();
    let pgn = sample();
    bench.ok(&format!(
        "count {} -o games.table --by speed,rating-band,month --ratings --quiet",
        pgn.display()
    ));
    bench.ok("compact games.table -o book.tabia --min-games 2 --quiet");
    bench.ok("export polyglot book.tabia -o poly.bin --quiet");
    bench
}

/// Waits until something holds, for at most ten seconds.
fn until(what: &str, holds: impl Fn() -> bool) {
    let begin = Instant::now();
    while !holds() {
        assert!(begin.elapsed() < Duration::from_secs(10), "{what}");
        thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn it_ends_when_it_is_asked_to() {
    let bench = bench();
    let server = Server::start(&bench, "book.tabia");
    assert_eq!(server.get("/lichess").status, 200);
    server.0.stop();
}

#[test]
fn wrong_arguments_are_refused() {
    let bench = bench();
    bench.fails("serve", 2);
    bench.fails("serve --name book.tabia", 2);
    assert!(bench.fails("serve none.tabia", 1).contains("none.tabia: no such file"));
    bench.assert_fails("serve book.tabia --name book=poly.bin", 2, ["two artefacts are called `book`"]);
    bench.ok("learn set --line e4 --value 75 -o x.parquet --quiet");
    bench.assert_fails("serve x.parquet", 2, ["give this file with --experience"]);
    assert!(bench.fails("serve book.tabia --experience book.tabia", 1).contains("book.tabia"));
    bench.fails("serve book.tabia --tokens none", 2);
    bench.fails("serve book.tabia --host http://books.example", 2);
    bench.fails("serve book.tabia --origin books.example", 2);
}

#[test]
fn files_cut_short_in_their_place_are_errors_and_the_server_lives() {
    let bench = bench();
    std::fs::copy(bench.path("book.tabia"), bench.path("whole.tabia")).unwrap();
    let server = Server::start(&bench, "whole.tabia book.tabia poly.bin games.table");
    let parts = std::fs::read_dir(bench.path("games.table")).unwrap().map(|entry| entry.unwrap().path());
    let parts = parts.filter(|path| path.extension().is_some_and(|extension| extension == "parquet"));
    for path in parts.chain(["book.tabia", "poly.bin"].map(|name| bench.path(name))) {
        std::fs::File::options().write(true).open(path).unwrap().set_len(600).unwrap();
    }
    for _ in 0..2 {
        for name in ["book", "poly", "games"] {
            let (status, text) = server.refused(&format!("/x/{name}/tabia/probe?play=e2e4"));
            assert!(status == 500 && text.contains("error"), "{name}: {status} {text}");
        }
        assert_eq!(server.get("/x/whole/tabia/probe?play=e2e4").status, 200);
    }
    server.0.stop();
}

#[test]
fn artefacts_that_are_replaced_are_opened_anew() {
    let bench = bench();
    let server = Server::start(&bench, "book.tabia games.table");
    let (before, table_before) = (server.json("/lichess"), server.json("/x/games/lichess"));
    // Headers are in small letters there.
    let tag = server.get("/lichess").header("etag").unwrap().replace("w/", "W/");
    let again = |path: &str| server.ask(&format!("GET {path}"), &format!("If-None-Match: {tag}"), "");
    assert_eq!((again("/lichess").status, again("/lichess").body.len()), (304, 0));
    bench.ok("compact games.table -o book.tabia --min-games 100 --force --quiet");
    until("the book is opened anew", || again("/lichess").status == 200);
    assert_ne!(server.json("/lichess"), before);
    let pgn = sample();
    bench.ok(&format!("add games.table {} --force --quiet", pgn.display()));
    until("the table is opened anew", || server.json("/x/games/lichess") != table_before);
    assert_eq!(
        server.json("/x/games/lichess")["white"].as_u64().unwrap(),
        2 * table_before["white"].as_u64().unwrap()
    );
    // What is no book leaves the one before.
    bench.write("new.tabia", "TABIABK\nand nothing more");
    std::fs::rename(bench.path("new.tabia"), bench.path("book.tabia")).unwrap();
    thread::sleep(Duration::from_secs(1));
    assert_eq!(server.get("/lichess").status, 200);
}

#[test]
fn requests_that_make_no_sense_are_refused() {
    let bench = bench();
    let server = Server::start(&bench, "book.tabia games.table poly.bin");
    for (path, status) in [
        ("/nothing", 404),
        ("/x/none/lichess", 404),
        ("/x/%ff%fe/lichess", 404),
        ("/x/%ff%fe/tabia/probe", 404),
        ("/page/%ff", 404),
        ("/../../etc/passwd", 404),
        ("/x/..%2f..%2fetc%2fpasswd/tabia/info", 404),
        ("/masters/pgn/aAbBcCdD", 404),
        ("/lichess?play=e2e5", 400),
        ("/lichess?fen=rubbish", 400),
        ("/lichess?variant=atomic", 400),
        ("/lichess?moves=many", 400),
        ("/player?player=me&color=white", 400),
        ("/x/poly/lichess", 400),
        ("/tabia/probe?policy=none", 400),
        ("/tabia/probe?set=a=b", 400),
        ("/tabia/why?move=Ke4", 400),
        ("/x/games/tabia/why?move=e4", 400),
        ("/tabia/compare", 400),
        ("/tabia/compare?other=none", 400),
        ("/tabia/holes?min_share=2", 400),
        ("/tabia/holes?own_share=2", 400),
        ("/tabia/holes?color=red", 400),
    ] {
        let (got, text) = server.refused(path);
        assert_eq!(got, status, "{path}: {text}");
        assert!(!text.contains(&bench.path("").display().to_string()), "{path}: {text}");
        if path.starts_with("/tabia") {
            assert!(serde_json::from_str::<Value>(&text).unwrap()["error"].is_string(), "{path}");
        }
    }
    assert_eq!(server.ask("POST /lichess", "", "").status, 405);
    assert_eq!(server.ask("PUT /tabia/probe", "", "{}").status, 405);
    let long = format!("/lichess?play={}", "e2e4,".repeat(4000));
    assert_eq!(server.get(&long).status, 414);
    assert_eq!(server.get(&format!("/lichess?fen={}", "x".repeat(1 << 20))).status, 431);
    assert_eq!(server.get("/lichess").status, 200);
}
