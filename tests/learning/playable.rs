//! Moves that may not be played: what `probe` says of them, and that a Polyglot book leaves them out.

use serde_json::{Value, json};

use super::{RUY, lesson, ruy};
use crate::workbench::Workbench;

/// The entries of a Polyglot book that a line of the book leads to: move and weight, by `tabia probe`.
fn entries(bench: &Workbench, book: &str, line: &str) -> Vec<(String, u64)> {
    let found = bench.json_at(&format!("probe {book}"), line);
    let entry = |mv: &Value| (mv["san"].as_str().unwrap().to_owned(), mv["weight"].as_u64().unwrap());
    found["moves"].as_array().unwrap().iter().map(entry).collect()
}

/// What `probe` prints under `play`, by move.
fn play(bench: &Workbench, line: &str) -> Vec<(String, String)> {
    let output = bench.command("probe ruy.tabia --line").arg(line).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let rows = text
        .lines()
        .skip_while(|row| !row.starts_with("move"))
        .skip(1)
        .take_while(|row| !row.is_empty() && !row.starts_with("set:"));
    let ends = |row: &str| {
        let words: Vec<_> = row.split_whitespace().collect();
        (words[0].to_owned(), (*words.last().unwrap()).to_owned())
    };
    rows.map(ends).collect()
}

fn set(bench: &Workbench, line: &str, value: &str, output: &str) {
    bench.ok_at(&format!("learn set {value} -o {output}"), line);
}

/// `ruy.tabia`: O-O learned bad, d3 set to `??`, both at move 6; Nc6, the only reply to Nf3, of priority 0.
fn taught() -> Workbench {
    let bench = ruy();
    bench.write("a.lrn", lesson("a", "O-O", -135));
    bench.learn("crafty a.lrn", "learned.parquet");
    set(&bench, &format!("{RUY} d3"), "--value ??", "value.parquet");
    set(&bench, "e4 e5 Nf3 Nc6", "--priority 0", "priority.parquet");
    bench.ok("compact ruy.table --experience learned.parquet value.parquet priority.parquet -o ruy.tabia");
    bench
}

#[test]
fn moves_set_to_0_are_not_to_be_played() {
    let bench = taught();
    let said = |rows: &[(&str, &str)]| {
        rows.iter().map(|&(mv, play)| (mv.to_owned(), play.to_owned())).collect::<Vec<_>>()
    };
    assert_eq!(play(&bench, RUY), said(&[("Nc3", "yes"), ("d3", "no"), ("O-O", "no")]));
    assert_eq!(play(&bench, "e4 e5 Nf3"), said(&[("Nc6", "no")]));
    let why = bench.command("why ruy.tabia d3 --line").arg(RUY).output().unwrap().stdout;
    let why = String::from_utf8(why).unwrap();
    assert!(why.contains("set to 0 (??), priority 0, not to be played"), "{why}");
    bench.ok("experience merge learned.parquet value.parquet priority.parquet -o all.parquet");
    let shown = bench.ok("experience show all.parquet --unplayable --json");
    assert_eq!(shown.lines().count(), 3, "{shown}");
    bench.assert_prints("experience show all.parquet", [" learned, 3 not to be played\n"]);
}

#[test]
fn a_polyglot_book_leaves_out_what_may_not_be_played() {
    let bench = taught();
    let summary = bench.json("export polyglot ruy.tabia -o ruy.bin");
    assert_eq!(summary["exported"], json!({ "moves left out": 3, "positions left out": 1 }));
    assert_eq!(entries(&bench, "ruy.bin", RUY), [("Nc3".to_owned(), 2)]);
    assert_eq!(entries(&bench, "ruy.bin", "e4 e5 Nf3"), []);
    let error = bench.said("export polyglot ruy.tabia -o ruy.bin --force");
    let said = "left out of the Polyglot book: 3 moves not to be played, and 1 position that has no other move (--counts-only keeps them)";
    assert!(error.lines().any(|line| line == said), "{error}");
    bench.ok("verify ruy.bin");
}

#[test]
fn a_polyglot_book_without_a_move_is_not_written_unless_asked_for() {
    let bench = Workbench::with("one.pgn", "[Event \"a\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n");
    set(&bench, "e4", "--value 0", "never.parquet");
    bench.ok("count one.pgn -o one.table");
    bench.ok("compact one.table --experience never.parquet -o one.tabia");
    bench.write("one.bin", "precious");
    let before = bench.names();
    let error = bench.fails("export polyglot one.tabia -o one.bin --force", 1);
    let said = "tabia: no move is kept: one.tabia has no playable moves (moves left out: 1); nothing was written; --allow-empty writes it anyway\n";
    assert_eq!(error, said);
    assert_eq!(bench.read("one.bin"), b"precious");
    assert_eq!(bench.names(), before);
    bench.ok("export polyglot one.tabia -o one.bin --force --allow-empty");
    assert_eq!(bench.read("one.bin"), b"");
    bench.ok("export polyglot one.tabia -o one.bin --force --counts-only");
    assert_eq!(bench.read("one.bin").len(), 16);
}

#[test]
fn by_counts_alone_the_file_is_that_of_a_book_without_experience() {
    let bench = taught();
    bench.ok("compact ruy.table -o plain.tabia");
    bench.ok("export polyglot plain.tabia -o plain.bin");
    let summary = bench.ok("export polyglot ruy.tabia -o ruy.bin --counts-only --json");
    assert!(!summary.contains("left out"), "{summary}");
    let plain = bench.read("plain.bin");
    assert!(bench.read("ruy.bin") == plain);
    let drawn = bench.ok("export polyglot ruy.tabia -o ruy.bin --counts-only --dry-run");
    assert!(drawn.contains("ruy.bin, weight wins-draws, counts only"), "{drawn}");
    // A build that learns does as an export does.
    for (options, moves) in [("", 2), ("--counts-only", 3)] {
        bench.ok(&format!(
            "build ruy.pgn --learn a.lrn -o built.tabia --polyglot built.bin --force {options}"
        ));
        assert_eq!(entries(&bench, "built.bin", RUY).len(), moves);
        assert_eq!(bench.read("built.bin") == plain, moves == 3);
    }
}
