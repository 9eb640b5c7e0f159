//! Books of games that are counted from the end of a line, with the moves of the line before them.

use crate::workbench::{Workbench, results, sample};

/// A line that many games of the sample play.
const LINE: &str = "e4 c5";

fn with_table(line: &str) -> Workbench {
    let bench = Workbench::new();
    let mut count = bench.command("count -o games.table --line");
    count.arg(line).arg(sample()).assert().success();
    bench
}

/// The only move that is kept after a line.
fn only_move(bench: &Workbench, book: &str, line: &str) -> (String, [u64; 3]) {
    let probe = bench.probe(book, line);
    let [only] = &probe["moves"].as_array().unwrap()[..] else { panic!("{probe}") };
    (only["san"].as_str().unwrap().to_owned(), results(only))
}

#[test]
fn the_moves_of_the_line_have_the_games_that_reached_its_end() {
    let bench = with_table(LINE);
    bench.ok("compact games.table -o book.tabia --from-start --min-games 2 --min-score 0.5");
    let games = bench.json("info games.table");
    let reached = results(&bench.probe("games.table", LINE)["tally"]);
    assert_eq!(reached.iter().sum::<u64>(), games["details"]["games"].as_u64().unwrap());
    assert_eq!(only_move(&bench, "book.tabia", ""), ("e4".to_owned(), reached));
    assert_eq!(
        only_move(&bench, "book.tabia", "e4"),
        ("c5".to_owned(), reached),
        "though one side scores less"
    );
    let after = bench.probe("book.tabia", LINE);
    assert!(after["moves"].as_array().unwrap().len() > 1, "{after}");
    let verified = bench.ok("verify book.tabia");
    assert!(verified.contains("sound") || verified.contains("ok"), "{verified}");
}

#[test]
fn built_at_once_or_from_a_table_for_any_threads() {
    let bench = with_table("1. e4 c5");
    bench.ok("compact games.table -o a.tabia --from-start");
    bench.ok("compact games.table -o b.tabia --from-start -j 1");
    bench.command("build --from-start -o c.tabia --line").arg("e2e4 c7c5").arg(sample()).assert().success();
    assert_eq!(bench.read("a.tabia"), bench.read("b.tabia"));
    assert_eq!(bench.read("a.tabia"), bench.read("c.tabia"));
    // What is made of it begins at the start position too.
    bench.ok("report a.tabia -o page.html");
    bench.ok("export polyglot a.tabia -o a.bin");
    assert_eq!(bench.ok("pick a.bin --policy polyglot --seed 1").trim(), "e4");
}

#[test]
fn a_book_for_one_side_keeps_that_side_of_the_line() {
    let bench = with_table(LINE);
    bench.ok("compact games.table -o black.tabia --from-start --color black");
    let start = bench.probe("black.tabia", "");
    assert_eq!(start["moves"].as_array().map(Vec::len), Some(0), "{start}");
    assert_eq!(only_move(&bench, "black.tabia", "e4").0, "c5");
}

#[test]
fn games_that_come_back_to_the_end_of_the_line_count_once() {
    let bench = Workbench::new();
    let there_and_back = "2. Nf3 Nf6 3. Ng1 Ng8 4. Nf3";
    let game = |moves: &str, result: &str| format!("[Result \"{result}\"]\n\n1. e4 e5 {moves} {result}\n\n");
    bench.write("games.pgn", [game(there_and_back, "1-0"), game("2. d4", "0-1")].concat());
    for repeats in ["each", "once"] {
        let mut build =
            bench.command(&format!("build games.pgn -o {repeats}.tabia --from-start --repeats {repeats}"));
        build.args(["--line", "e4 e5"]).assert().success();
        assert_eq!(
            only_move(&bench, &format!("{repeats}.tabia"), ""),
            ("e4".to_owned(), [1, 0, 1]),
            "{repeats}"
        );
    }
}

#[test]
fn without_it_the_summary_says_where_the_book_begins() {
    let bench = with_table(LINE);
    let plain = bench.run("compact games.table -o plain.tabia");
    let text = String::from_utf8_lossy(&plain.stderr).into_owned() + &String::from_utf8_lossy(&plain.stdout);
    assert!(text.contains("begins after 1. e4 c5") && text.contains("--from-start"), "{text}");
    let summary = bench.json("compact games.table -o again.tabia --from-start");
    assert!(summary["books"][0]["begins"].is_null(), "{summary}");
    bench.assert_prints("info games.table", ["counted from", "e2e4 c7c5"]);
}

#[test]
fn without_a_line_there_is_no_way_to_add() {
    let bench = Workbench::new();
    bench.command("count -o games.table").arg(sample()).assert().success();
    bench.assert_fails("compact games.table -o x.tabia --from-start", 2, ["whole games"]);
    let fen = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
    bench.command("count -o fen.table --fen").arg(fen).arg(sample()).assert().success();
    bench.assert_fails("compact fen.table -o x.tabia --from-start", 2, ["given without a line"]);
    let mut build = bench.command("build -o x.tabia --from-start --fen");
    assert_eq!(build.arg(fen).arg(sample()).output().unwrap().status.code(), Some(2));
    assert!(!bench.path("x.tabia").exists());
}
