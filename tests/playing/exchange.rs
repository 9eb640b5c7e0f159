//! Players that share what they learn.

use super::{
    games::{ROOK, play},
    gui::Gui,
    small_book,
};
use crate::{asking::Listening, workbench::Workbench};

/// Starts a server of the folder `shared`, and waits until it listens.
fn shared(bench: &Workbench, listen: &str) -> Listening {
    let command = format!("exec \"$TABIA\" exchange shared --book b.tabia --rule terra --listen {listen}");
    Listening::start(&mut bench.shell(&command))
}

/// A player of that name with a file of its own.
fn player(bench: &Workbench, name: &str, url: &str) -> Gui {
    let file = format!("{name}.experience.parquet");
    let arguments = ["b.tabia", "--policy", "crafty-5.1", "--rule", "terra", "--learn", &file];
    Gui::with_engine(bench, "engine", ROOK, &[&arguments[..], &["--name", name, "--exchange", url]].concat())
}

#[test]
fn what_one_learns_the_others_know_and_a_server_that_is_away_stops_no_one() {
    let bench = small_book();
    let server = shared(&bench, "127.0.0.1:0");
    let (url, address) = (server.url(), server.address.clone());
    let mut one = player(&bench, "One", &url);
    play(&mut one);
    one.ask("setoption name Result value 1-0", "info string game 1");
    assert!(one.end().0.success());
    let mut other = player(&bench, "Other", &url);
    other.say("position startpos");
    let answer = other.ask("go wtime 9 btime 9", "bestmove");
    assert!(answer[0].contains("own 1-0-0"), "{answer:#?}");
    drop(server);

    play(&mut other);
    let said = other.ask("setoption name Result value 1-0\nisready", "readyok");
    assert!(said.iter().any(|line| line.contains("game 2, 1-0: learned")), "{said:#?}");
    let (status, said, _) = other.end();
    assert!(status.success(), "being away is no failure");
    assert!(said.iter().any(|line| line.contains("games are waiting in Other.outbox")), "{said:#?}");

    let server = shared(&bench, &address);
    assert!(player(&bench, "Other", &url).end().0.success());
    assert_eq!(bench.text("Other.outbox").lines().count(), 1, "sent");
    drop(server);
    let journal = bench.text("shared/records.journal");
    assert_eq!(journal.matches("[Result \"1-0\"]").count(), 2, "each game once: {journal}");
}

#[test]
fn an_exchange_of_another_book_is_said_and_fails() {
    let bench = small_book();
    bench.ok("compact t.table -o other.tabia --min-games 2");
    let server = shared(&bench, "127.0.0.1:0");
    let arguments = ["other.tabia", "--learn", "x.experience.parquet", "--exchange", &server.url()];
    let (status, said, error) = Gui::start(&bench, &arguments).end();
    assert_eq!(status.code(), Some(1), "{said:#?}");
    assert!(error.contains("the exchange refused the request") && error.contains("409"), "{error}");
    let error = bench.fails("uci b.tabia --learn x.experience.parquet --exchange ftp://x", 1);
    assert!(error.contains("http://HOST:PORT"), "{error}");
    assert!(bench.fails("uci b.tabia --exchange http://127.0.0.1:1", 2).contains("--learn"));
}
