//! `tabia uci --exchange`: players that share what they learn.

use std::{thread, time::Duration};

use super::Server;
use crate::{
    playing::{gui::Gui, small_book},
    workbench::Workbench,
};

/// A player of the small book that shares, with files of its own name.
fn player(bench: &Workbench, name: &str, address: &str) -> Gui {
    let (file, url) = (format!("{name}.experience.parquet"), format!("http://{address}"));
    let answer = r#"echo "info depth 10 score cp $score"; echo bestmove a2a3"#;
    let arguments = ["b.tabia", "--policy", "crafty-5.1", "--rule", "terra", "--learn", &file];
    Gui::with_engine(bench, name, answer, &[&arguments[..], &["--name", name, "--exchange", &url]].concat())
}

/// Wins a game with book moves alone; what the player says of it.
fn win(gui: &mut Gui) -> String {
    gui.say("ucinewgame");
    gui.say("position startpos");
    gui.best_move("go wtime 9000 btime 9000");
    gui.ask("setoption name Result value 1-0", "info string game").pop().unwrap()
}

/// The records of a server, once there are as many.
fn records(server: &Server, count: usize) -> String {
    for _ in 0..600 {
        let text = server.ask("GET /records", "", b"").text();
        if text.lines().count() == count {
            return text;
        }
        thread::sleep(Duration::from_millis(100));
    }
    panic!("there are not {count} records after a minute");
}

#[test]
fn what_one_player_learns_another_one_knows() {
    let bench = small_book();
    let server = Server::start(&bench, "shared --book b.tabia --rule terra");
    let mut one = player(&bench, "One", &server.listening.address);
    assert!(win(&mut one).starts_with("info string game 1, 1-0: learned, "));
    assert!(records(&server, 1).contains("\"player\":\"One\""));
    let mut other = player(&bench, "Other", &server.listening.address);
    other.say("position startpos");
    let answer = other.ask("go wtime 9 btime 9", "bestmove");
    assert!(answer[0].contains("own 1-0-0"), "{answer:#?}");
    assert!(one.end().0.success() && other.end().0.success());
    let own = bench.ok("experience show One.experience.parquet --json");
    assert!(own.contains("\"wins\":1"), "its own file has what it learned itself: {own}");
    assert_eq!(bench.ok("experience show Other.experience.parquet --json"), "");
}

#[test]
fn a_player_plays_on_when_the_server_is_away_and_posts_later() {
    let bench = small_book();
    let server = Server::start(&bench, "shared --book b.tabia --rule terra");
    let address = server.listening.address.clone();
    drop(server);
    let mut gui = player(&bench, "One", &address);
    win(&mut gui);
    gui.kill();
    let journal = bench.text("One.outbox");
    assert_eq!(journal.matches("number=").count(), 1, "{journal}");

    let server = Server::start(&bench, "shared --book b.tabia --rule terra");
    let gui = player(&bench, "One", &server.listening.address);
    records(&server, 1);
    assert!(gui.end().0.success());
    let journal = bench.text("One.outbox");
    assert_eq!(
        journal.matches("number=").count(),
        0,
        "what the server has does not wait any more: {journal}"
    );
}

#[test]
fn a_player_with_another_book_is_refused() {
    let bench = small_book();
    bench.ok("compact t.table --min-games 2 -o other.tabia");
    let server = Server::start(&bench, "shared --book other.tabia");
    let arguments =
        format!("uci b.tabia --learn x.experience.parquet --exchange http://{}", server.listening.address);
    bench.assert_fails(&arguments, 1, ["make both from the same table with the same filters"]);
    assert!(bench.fails("uci b.tabia --exchange http://127.0.0.1:9003", 2).contains("--learn"));
}
