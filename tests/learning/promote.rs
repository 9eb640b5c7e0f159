//! Moves that the engine played after the book, and that become moves of it (Crafty: future efforts).

use serde_json::{Value, json};

use super::{game, ruy};
use crate::workbench::Workbench;

const BOOK: &str = "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6";

/// Three games of Eng's of the same moves, with these results.
fn own_games(bench: &Workbench, moves: &str, results: [&str; 3]) {
    let games = results.into_iter().zip(["2020.01.01", "2020.01.02", "2020.01.03"]);
    let games = games.map(|(result, date)| game("Eng", "Opp", result, &[("Date", date)], moves));
    bench.write("own.pgn", games.collect::<String>());
}

/// Compacts with what Eng's games taught; the summary.
fn compact(bench: &Workbench, options: &str) -> Value {
    let text =
        bench.ok(&format!("compact ruy.table --experience x.parquet -o own.tabia --force --json {options}"));
    serde_json::from_str(&text).unwrap()
}

fn probe(bench: &Workbench, options: &str, line: &str) -> Value {
    bench.json_at(&format!("probe own.tabia {options}"), line)
}

#[test]
fn a_proven_move_counts_by_its_own_games() {
    let bench = ruy();
    own_games(&bench, &format!("{BOOK} O-O Be7 Re1 b5"), ["1-0", "1/2-1/2", "0-1"]);
    bench.learn("games own.pgn --player Eng --rule terra", "x.parquet");
    let summary = compact(&bench, "--promote 3");
    assert_eq!(summary["books"][0]["promoted"], 1);
    let warning = summary["warnings"][0].as_str().unwrap();
    assert!(warning.starts_with("1 of 2 proven PostBook moves were not added to the book"), "{warning}");
    let found = probe(&bench, "--policy terra --set min-terra-games=3", BOOK);
    // One game of the table ended here.
    assert_eq!(found["tally"], json!({"games": 4, "white": 2, "draws": 1, "black": 1}));
    let castled = &found["moves"][0];
    assert_eq!(castled["san"], "O-O");
    assert_eq!(castled["games"], 3);
    assert_eq!(castled["score"], 0.5);
    bench.assert_prints("info own.tabia", ["promote=3 promote-score=0.5"]);
    bench.ok("verify own.tabia");
    // Too few games, too bad results, another colour, no wish: the book of the counts.
    bench.ok("compact ruy.table --experience x.parquet -o plain.tabia");
    for options in ["--promote 4", "--promote 3 --promote-score 0.51", "--promote 3 --color black", ""] {
        let summary = compact(&bench, options);
        assert_eq!(summary["books"][0]["promoted"], Value::Null, "{options}");
    }
    assert_eq!(bench.read("own.tabia"), bench.read("plain.tabia"));
}

/// A move that the counts have, but the filter leaves out, is kept with its counts, and
/// so is what it leads to.
#[test]
fn a_proven_move_of_the_counts_keeps_its_counts() {
    let bench = ruy();
    own_games(&bench, BOOK, ["1-0", "1-0", "1-0"]);
    bench.learn("games own.pgn --player Eng --rule terra --min-games 3", "x.parquet");
    let line = "e4 e5 Nf3 Nc6 Bb5 a6";
    compact(&bench, "--min-games 3");
    assert_eq!(probe(&bench, "", line)["moves"][0]["san"], "Nc3");
    let summary = compact(&bench, "--min-games 3 --promote 2");
    assert_eq!(summary["books"][0]["promoted"], 1);
    let found = probe(&bench, "", line);
    let moves: Vec<_> =
        found["moves"].as_array().unwrap().iter().map(|found| (&found["san"], &found["games"])).collect();
    assert_eq!(moves, [(&json!("Nc3"), &json!(3)), (&json!("Ba4"), &json!(1))]);
    assert_eq!(found["tally"]["games"], 4);
    assert_eq!(probe(&bench, "", &format!("{line} Ba4"))["found"], true);
}

/// A move that was seen to be bad is not promoted, whatever it scored.
#[test]
fn a_move_below_the_bound_is_not_promoted() {
    let bench = ruy();
    own_games(&bench, &format!("{BOOK} O-O {{-1.20/12}} Be7"), ["1-0", "1-0", "1-0"]);
    bench.learn("games own.pgn --player Eng --rule terra", "x.parquet");
    assert_eq!(compact(&bench, "--promote 1")["books"][0]["promoted"], Value::Null);
}
