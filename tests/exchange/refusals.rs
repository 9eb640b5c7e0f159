//! Requests that are refused, and why.

use std::{
    io::{Read as _, Write as _},
    net::TcpStream,
    time::{Duration, Instant},
};

use super::{Server, counted, game};
use crate::workbench::Workbench;

#[test]
fn records_without_a_game_of_the_player_are_refused() {
    let bench = counted();
    let server = Server::start(&bench, "shared --table s.table --max-record 4KiB");
    let post =
        |query: &str, text: &str| server.ask_of_book(&format!("POST /records{query}"), "", text.as_bytes());
    for (query, text, said) in [
        ("?player=E", "", "no readable game of `E`"),
        ("?player=E", "not a game", "no readable game of `E`"),
        ("?player=Nobody", &game(0), "no readable game of `Nobody`"),
        ("?player=E", &game(0).replace("e4", "e5"), "no readable game of `E`"),
        ("", &game(0), "a player's name"),
        ("?player=a%0Ab", &game(0), "a player's name"),
        ("?player=E", &format!("% tabia-journal 1 number=1\n{}", game(0)), "tabia-journal"),
    ] {
        let answer = post(query, text);
        assert_eq!(answer.status, 422, "{}", answer.text());
        assert!(answer.text().contains(said), "{}", answer.text());
    }
    assert_eq!(post("?player=E", &"x".repeat(5000)).status, 413);
    assert_eq!(server.ask("GET /", "", b"").json()["records"].as_u64(), Some(0));
    assert_eq!(server.ask("GET /nothing", "", b"").status, 404);
    assert_eq!(server.ask("PUT /records", "", b"").status, 405);
}

#[test]
fn lessons_of_another_book_are_refused() {
    let bench = counted();
    let server = Server::start(&bench, "shared --table s.table --min-games 2");
    let other = Server::start(&bench, "other --table s.table --min-games 3");
    assert_ne!(server.book, other.book);
    let post = |headers: &str| server.ask("POST /records?player=E", headers, game(0).as_bytes());
    let refused = post(&format!("Tabia-Book: {}", other.book));
    assert!(refused.status == 409 && refused.text().contains(&server.book), "{}", refused.text());
    assert_eq!(post("").status, 400);
    assert_eq!(server.ask("GET /experience", "", b"").status, 400);

    // A book of the same table under the same filters is the same one, also with experience in it.
    bench.ok("learn set --value ! -o v.parquet --line e4");
    bench.ok("compact s.table --min-games 2 --experience v.parquet -o same.tabia");
    let same = Server::start(&bench, "same --book same.tabia");
    assert_eq!(same.book, server.book);
}

#[test]
fn who_has_no_token_or_asks_too_often_waits() {
    let bench = counted();
    bench.write("tokens", "ada aaaaaaaaaaaaaaaaaaaa\n");
    let server = Server::start(&bench, "shared --table s.table --tokens tokens --requests-a-minute 5");
    for headers in ["", "Authorization: Bearer aaaaaaaaaaaaaaaaaaab", "Authorization: Basic YWRh"] {
        assert_eq!(server.ask("GET /", headers, b"").status, 401);
    }
    let ask = || server.ask("GET /", &format!("Authorization: Bearer {}", "a".repeat(20)), b"");
    assert!((0..5).all(|_| ask().status == 200), "those without a token take nothing from it");
    let refused = ask();
    assert_eq!(refused.status, 429);
    assert!(refused.header("retry-after").unwrap().parse::<u64>().unwrap() <= 13);
}

/// A page whose name is made to lead here reads and changes nothing.
#[test]
fn requests_to_other_hosts_and_of_other_sites_are_refused() {
    let bench = counted();
    let server = Server::start(&bench, "shared --table s.table --host gang.example");
    server.post(&game(0));
    for headers in [
        "Host: evil.example:9003",
        "Host: evil@127.0.0.1",
        "Origin: https://evil.example",
        "Origin: null",
        "Origin: http://127.0.0.1:1",
    ] {
        for request in ["GET /", "GET /records", "DELETE /records?source=E", "POST /records?player=E"] {
            let answer = server.ask_of_book(request, headers, game(1).as_bytes());
            assert_eq!(answer.status, 403, "{request} {headers}");
            assert!(!answer.text().contains(&server.book), "{}", answer.text());
        }
    }
    assert_eq!(server.ask("DELETE /records?source=E", "Sec-Fetch-Site: cross-site", b"").status, 403);
    assert_eq!(server.ask("GET /", "Host: 127.0.0.1\nHost: 127.0.0.1", b"").status, 400);
    assert_eq!(server.ask("GET /", "Host: localhost:1", b"").json()["records"].as_u64(), Some(1));
    assert_eq!(server.ask("GET /", "Host: Gang.Example.", b"").json()["records"].as_u64(), Some(1));
}

/// Who has no token, or another book, is refused before a body comes.
#[test]
fn bodies_are_read_of_those_who_may_post() {
    let bench = counted();
    bench.write("tokens", "ada aaaaaaaaaaaaaaaaaaaa\n");
    let server = Server::start(&bench, "shared --table s.table --tokens tokens --requests-a-minute 400");
    let refused = |headers: &str| {
        let mut stream = TcpStream::connect(&server.listening.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
        let head = "POST /records?player=E HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n";
        stream.write_all(format!("{head}{headers}\r\n[").as_bytes()).unwrap();
        let mut answer = [0; 12];
        stream.read_exact(&mut answer).unwrap();
        String::from_utf8_lossy(&answer[9..]).into_owned()
    };
    let ada = format!("Authorization: Bearer {}\r\n", "a".repeat(20));
    let begun = Instant::now();
    for _ in 0..100 {
        assert_eq!(refused(""), "401");
        assert_eq!(refused(&format!("{ada}Tabia-Book: 0123456789abcdef\r\n")), "409");
    }
    assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
    // A client that writes all of its record gets the answer all the same.
    let large = format!("{{{}}}", "x".repeat(900_000));
    assert_eq!(server.ask_of_book("POST /records?player=E", "", large.as_bytes()).status, 401);
}

/// A limit on the size of files is reached as a full disk is: within a record.
#[test]
fn a_record_that_does_not_fit_the_disk_is_not_acknowledged_and_leaves_no_trace() {
    let bench = counted();
    bench.ok("compact s.table -o s.tabia");
    let server = Server::start_after(&bench, "ulimit -f 4", "shared --book s.tabia");
    let post =
        |server: &Server, number| server.ask_of_book("POST /records?player=E", "", game(number).as_bytes());
    let refused = (0..100).find(|&number| post(&server, number).status != 201).unwrap();
    let answer = post(&server, refused);
    assert_eq!(answer.status, 500);
    assert!(answer.text().contains("records.journal: File too large"), "{}", answer.text());
    assert_eq!(server.ask("GET /", "", b"").json()["records"].as_u64(), Some(refused.into()));
    drop(server);
    let server = Server::start(&bench, "shared --book s.tabia");
    let number = post(&server, refused).json()["number"].as_u64();
    assert_eq!(number, Some(u64::from(refused) + 1), "the next number, since the record was not kept");
}

#[test]
fn settings_that_make_no_sense_are_refused() {
    let bench = Workbench::after(["build SAMPLE -o s.tabia --polyglot s.bin"]);
    bench.assert_fails("exchange x --book s.tabia --listen 0.0.0.0:0", 2, ["must have tokens"]);
    bench.write("tokens", "ada short\n");
    bench.assert_fails("exchange x --book s.tabia --tokens tokens", 1, ["tokens, line 1"]);
    bench.assert_fails("exchange x --book s.tabia --min-games 3", 2, ["use --table TABLE"]);
    bench.fails("exchange x", 2);
    bench.assert_fails("exchange x --book s.bin --listen 127.0.0.1:0", 2, ["not a tabia book"]);

    let _server = Server::start(&bench, "x --book s.tabia");
    let error = bench.fails("exchange x --book s.tabia --listen 127.0.0.1:0", 1);
    assert!(error.contains("another command is writing to it"), "{error}");
}
