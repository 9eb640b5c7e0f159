//! Experience in the book: what `compact` adds to the counts, what `probe` and `why` print of it.

use serde_json::{Value, json};

use super::{RUY, game, lesson, number, ruy};
use crate::workbench::{Workbench, assert_has};

/// `learned.parquet` from a record, `own.parquet` from a lost game that left the book, `hand.parquet` set by
/// hand.
fn taught() -> Workbench {
    let bench = ruy();
    bench.write("a.lrn", lesson("a", "O-O", -135) + &lesson("b", "d3", -250));
    bench.write(
        "own.pgn",
        game(
            "Eng",
            "Opp",
            "0-1",
            &[("Date", "2020.02.03")],
            "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O {+0.20/9 1s} b5",
        ),
    );
    bench.learn("crafty a.lrn", "learned.parquet");
    bench.learn("games own.pgn --player Eng", "own.parquet");
    bench.ok_at("learn set --value ! --priority 5 -o hand.parquet", "e4 e5 Nf3 Nc6 Bb5 a6 Ba4");
    bench
}

fn compact(bench: &Workbench, options: &str) -> Value {
    let text = bench.ok(&format!("compact ruy.table {options} -o ruy.tabia --json --force"));
    serde_json::from_str(&text).unwrap()
}

fn with_line(bench: &Workbench, command: &str, line: &str) -> String {
    String::from_utf8(bench.command(command).arg("--line").arg(line).output().unwrap().stdout).unwrap()
}

#[test]
fn several_files_go_into_one_book_and_probe_shows_them() {
    let bench = taught();
    let report = compact(&bench, "--experience learned.parquet own.parquet hand.parquet");
    assert_eq!(report["warnings"], json!([]));
    let probed = with_line(&bench, "probe ruy.tabia", "e4 e5 Nf3 Nc6 Bb5 a6");
    let table: Vec<_> = probed.lines().skip_while(|line| !line.starts_with("move")).collect();
    assert_eq!(
        table,
        [
            "move  games   share    White  drawn  Black    score  learned    own    set  play",
            "Nc3       3  75.0 %  100.0 %  0.0 %  0.0 %  100.0 %    -0.85                  no",
            "Ba4       1  25.0 %  100.0 %  0.0 %  0.0 %  100.0 %           0/0/1  75 p5   yes",
            "set: by hand, a value from 0 (never) to 100 and a priority from p0 (never) to p5 (best)",
        ]
    );
    let beyond = with_line(&bench, "probe ruy.tabia", "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6");
    assert_has(
        &beyond,
        ["known beyond the book's moves:\n  O-O [postbook] own games: 0 won, 0 drawn, 1 lost"],
    );
    assert!(beyond.contains("O-O [postbook] searched +0.20 at depth 9"), "{beyond}");
    // A book without experience has no such columns.
    compact(&bench, "");
    assert!(!with_line(&bench, "probe ruy.tabia", "e4").contains("learned"));
}

#[test]
fn why_shows_where_each_number_came_from() {
    let bench = taught();
    compact(&bench, "--experience learned.parquet own.parquet hand.parquet");
    assert_eq!(
        with_line(&bench, "why ruy.tabia Ba4", "e4 e5 Nf3 Nc6 Bb5 a6"),
        "Ba4 (b5a4)\n  1 game: White 100.0 %, drawn 0.0 %, Black 0.0 %; counted from ruy.pgn\n  \
         own games: 0 won, 0 drawn, 1 lost; from 1 of own.pgn (last 2020-02-03)\n  set to 75 (!), priority 5; from 1 of by hand\n"
    );
    let nc3 = with_line(&bench, "why ruy.tabia Nc3", "e4 e5 Nf3 Nc6 Bb5 a6");
    assert!(nc3.contains("learned -0.85, not to be played; from 2 of a.lrn (last 1998-09-01)"), "{nc3}");
    let castles = with_line(&bench, "why ruy.tabia O-O", "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6");
    assert_has(&castles, ["not a move of the book", "postbook: searched +0.20 at depth 9"]);
    bench.assert_prints("why ruy.tabia d4", ["nothing was learned about it"]);
    let e4 = bench.json("why ruy.tabia e4");
    assert_eq!(e4["known"][0]["own"]["losses"], 1);
    bench.fails("why ruy.tabia Ke4", 2);
}

/// The book holds what the files hold, in any order of their names.
#[test]
fn the_book_knows_what_the_files_know() {
    let bench = taught();
    compact(&bench, "--experience learned.parquet own.parquet hand.parquet");
    let first = bench.read("ruy.tabia");
    compact(&bench, "--experience hand.parquet learned.parquet own.parquet");
    assert!(bench.read("ruy.tabia") == first);
    bench.ok("experience merge learned.parquet own.parquet hand.parquet -o all.parquet");
    compact(&bench, "--experience all.parquet");
    assert!(bench.read("ruy.tabia") == first);
    let known = bench.known("all.parquet");
    let moves: Value = serde_json::from_str(&with_line(&bench, "probe ruy.tabia --json", RUY)).unwrap();
    for mv in moves["moves"].as_array().unwrap().iter().filter(|mv| !mv["known"].is_null()) {
        let line = format!("{RUY} {}", mv["san"].as_str().unwrap());
        assert_eq!(mv["known"], known[&line], "{line}");
    }
    assert_eq!(number(&known[&format!("{RUY} d3")]["learn"]), -2.5);
}

/// Experience of moves that the filters drop is kept next to the book's moves.
#[test]
fn moves_that_are_not_kept_keep_their_experience() {
    let bench = taught();
    let report = compact(&bench, "--experience learned.parquet own.parquet hand.parquet --min-games 2");
    let warnings = report["warnings"].as_array().unwrap();
    assert_eq!(warnings.len(), 2, "both were learned in a book of every move: {warnings:?}");
    assert!(
        warnings[0]
            .as_str()
            .unwrap()
            .contains("learned with a book that keeps every move, but this book keeps min-games=2"),
        "{warnings:?}"
    );
    let probed = with_line(&bench, "probe ruy.tabia", "e4 e5 Nf3 Nc6 Bb5 a6");
    assert!(
        !probed.contains("\nBa4") && probed.contains("\n  Ba4 [book] set to 75 (!), priority 5"),
        "{probed}"
    );
}

#[test]
fn another_table_is_warned_of() {
    let bench = taught();
    bench.write("more.pgn", game("a", "b", "1-0", &[], "d4 d5"));
    bench.ok("count ruy.pgn more.pgn -o more.table");
    let report = bench.json("compact more.table --experience learned.parquet hand.parquet -o more.tabia");
    let warnings = report["warnings"].as_array().unwrap();
    assert_eq!(warnings.len(), 1, "what was set by hand belongs to no table: {warnings:?}");
    assert!(
        warnings[0]
            .as_str()
            .unwrap()
            .starts_with("the experience in learned.parquet was learned with another table ("),
        "{warnings:?}"
    );
    // A file that continues over another table names no table: neither digest is right.
    bench.ok("learn crafty a.lrn --table more.table --continue learned.parquet -o both.parquet");
    assert!(bench.ok("info both.parquet").contains("none, or several"));
}

#[test]
fn books_with_experience_are_described_and_checked() {
    let bench = taught();
    compact(&bench, "--experience learned.parquet own.parquet hand.parquet");
    bench.assert_prints("info ruy.tabia", ["rows of 3 sources"]);
    bench.ok("verify ruy.tabia");
    let whole = bench.read("ruy.tabia");
    for at in (0..whole.len()).step_by(whole.len() / 50) {
        let mut damaged = whole.clone();
        damaged[at] ^= 1 << (at % 8);
        bench.write("bad.tabia", damaged);
        bench.fails("verify bad.tabia", 1);
    }
    assert_eq!(bench.ok("verify learned.parquet own.parquet hand.parquet ruy.tabia").lines().count(), 4);
}
