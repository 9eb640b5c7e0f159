//! `--repertoire` and `--unknown-result`: lines and games without a result, from the text to the book.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use testing::{corpus, skip};

use crate::workbench::{Workbench, tallies};

/// A repertoire as people write it: variations in variations, marks, results of any kind and none.
const REPERTOIRE: &str = "\
[Event \"Open games\"]

1. e4! e5 (1... c5 2. Nf3 (2. c3!? d5 $1) 2... d6) (1... e6) 2. Nf3 {main (not a line)} Nc6 *

[Event \"Closed games\"]
[Result \"1-0\"]

1. d4 d5 2. c4 1-0
1. Nf3 d5 2. d4 *

[Event \"Endgame\"]
[FEN \"8/8/8/4k3/8/8/4P3/4K3 w - - 0 40\"]

40. Kd2
";

/// Moves by name with their tallies.
fn moves(bench: &Workbench, arguments: &str, line: &str) -> BTreeMap<String, [u64; 3]> {
    tallies(&bench.probe(arguments, line), "san").into_iter().collect()
}

fn draws(found: &BTreeMap<String, [u64; 3]>) -> Vec<(&str, u64)> {
    assert!(found.values().all(|[white, _, black]| white + black == 0), "{found:?}");
    found.iter().map(|(san, [_, draws, _])| (san.as_str(), *draws)).collect()
}

#[test]
fn every_variation_is_a_line_and_counts_as_a_draw() {
    let bench = Workbench::with("r.pgn", REPERTOIRE);
    bench.ok("count r.pgn --repertoire -o r.table");
    let after = |line| moves(&bench, "r.table", line);
    assert_eq!(draws(&after("")), [("Nf3", 1), ("d4", 1), ("e4", 4)]);
    assert_eq!(draws(&after("e4")), [("c5", 2), ("e5", 1), ("e6", 1)]);
    assert_eq!(draws(&after("e4 c5")), [("Nf3", 1), ("c3", 1)]);
    assert_eq!(draws(&after("e4 e5 Nf3")), [("Nc6", 1)]);
    // 1.d4 d5 and 1.Nf3 d5 2.d4 join where they meet.
    assert_eq!(draws(&after("Nf3 d5")), [("d4", 1)]);
    let fen = "8/8/8/4k3/8/8/4P3/4K3 w - - 0 40";
    let start = bench.command("probe r.table --json --fen").arg(fen).output().unwrap();
    assert!(String::from_utf8_lossy(&start.stdout).contains("Kd2"));
    assert!(bench.ok("info r.table").contains("lines of a repertoire, each as a draw"));
    assert!(bench.ok("verify r.table").contains("sound"));
}

#[test]
fn the_marks_of_a_repertoire_are_in_its_book() {
    let bench = Workbench::with("r.pgn", REPERTOIRE);
    bench.ok("build r.pgn --repertoire -o r.tabia");
    let why = |moves: &str| bench.ok(&format!("why r.tabia {moves}"));
    assert!(why("e4").contains("set to 75 (!)"), "{}", why("e4"));
    assert!(why("e4 c5 c3").contains("set to 15 (!?)"), "a mark in a variation: {}", why("e4 c5 c3"));
    assert!(why("e4 c5 c3 d5").contains("set to 75 (!)"), "a mark as a number");
    assert!(why("e4 e5").contains("nothing was learned"));
    // The same marks by a command of their own.
    bench.ok("learn annotations r.pgn -o main.parquet");
    bench.ok("learn annotations r.pgn --repertoire -o all.parquet");
    let marks = |file: &str| bench.ok(&format!("experience show {file} --json")).lines().count();
    assert!(marks("main.parquet") < marks("all.parquet"));
}

#[test]
fn a_repertoire_without_marks_has_no_experience() {
    let bench = Workbench::with("r.pgn", "1. e4 e5 2. Nf3 *\n");
    bench.ok("build r.pgn --repertoire -o r.tabia");
    let info = bench.ok("info r.tabia");
    assert!(info.contains("moves              3") && !info.contains("experience"), "{info}");
}

/// Counts and marks end at the same record; a recorded count, whose marks take a second reading, gives the
/// same book.
#[test]
fn limits_and_resumed_counts_hold_for_marks_too() {
    let bench = Workbench::with("r.pgn", "[Event \"a\"]\n\n1. e4! e5 *\n\n[Event \"b\"]\n\n1. d4?? d5 *\n");
    bench.ok("build r.pgn --repertoire --limit 1 -o one.tabia");
    let (info, moves) = (bench.ok("info one.tabia"), bench.ok("probe one.tabia"));
    assert!(info.contains("experience         1 rows") && !moves.contains("d4"), "{info}{moves}");
    bench.ok("build r.pgn --repertoire -o whole.tabia");
    bench.ok("build r.pgn --repertoire --resume -o resumed.tabia");
    assert!(bench.ok("info whole.tabia").contains("experience         2 rows"));
    assert_eq!(bench.read("whole.tabia"), bench.read("resumed.tabia"));
}

/// Games are written from the position where their lines begin.
#[test]
fn lines_from_another_position_are_not_lost() {
    let bench = Workbench::with("r.pgn", REPERTOIRE);
    bench.ok("build r.pgn --repertoire -o r.tabia");
    let said = |arguments: &str| bench.said(arguments);
    let text = said("export pgn r.tabia -o r2.pgn");
    assert!(text.contains("exported") && !text.contains("left out: "), "{text}");
    assert!(bench.text("r2.pgn").contains("[FEN \""), "{text}");
    bench.ok("build r2.pgn --repertoire -o r2.tabia");
    said("export pgn r2.tabia -o r3.pgn");
    assert_eq!(bench.text("r2.pgn"), bench.text("r3.pgn"));
}

#[test]
fn movetext_alone_and_the_input_of_the_paper_are_read() {
    let bench = Workbench::with("lines.txt", "e4 e5 Nf3\n1. d4 d5\n1. d4 Nf6\n\nc4 *\nNf3 1/2-1/2 g3 *");
    bench.ok("count lines.txt --repertoire -o lines.table");
    // A line without a number or result before it goes on: `Nf6 c4` is one line.
    let found = moves(&bench, "lines.table", "");
    assert_eq!(draws(&found), [("Nf3", 1), ("d4", 2), ("e4", 1), ("g3", 1)]);
    assert_eq!(draws(&moves(&bench, "lines.table", "d4 Nf6")), [("c4", 1)]);

    let paper = "\
[this is a bad line]
e4 e5 Nf3 Nc6 Bb5 a6 Nc3 axb5 Nxb5 Nf6 Nc3 Bb4 d3 O-O O-O
[this is a bad line]
e4 e5 Nf3 Nc6 Bb5 a6 Nc3 axb5 Nxb5 Nf6 d3
[this is a bad line]
e4 e5 Nf3 Nc6 Bb5 a6 Nc3 axb5 Nxb5 Nf6 O-O
[this is the normal line]
e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6
";
    bench.write("paper.txt", paper);
    bench.ok("build paper.txt --repertoire -o paper.tabia");
    assert_eq!(draws(&moves(&bench, "paper.tabia", "e4 e5 Nf3 Nc6 Bb5 a6")), [("Ba4", 1), ("Nc3", 3)]);
    let sixth = moves(&bench, "paper.tabia", "e4 e5 Nf3 Nc6 Bb5 a6 Nc3 axb5 Nxb5 Nf6");
    assert_eq!(draws(&sixth), [("Nc3", 1), ("O-O", 1), ("d3", 1)]);
}

#[test]
fn what_is_wrong_with_a_line_is_listed_and_a_prefix_kept_if_asked_for() {
    let bench = Workbench::with(
        "r.pgn",
        "[Event \"a\"]\n\n1. e4 e5 (1... c5 2. Ke3) 2. Nf3 *\n\n[Event \"b\"]\n\n1. d4 {x *\n",
    );
    let error = bench.fails("build r.pgn --repertoire -o r.tabia --rejects r.jsonl", 1);
    assert!(error.contains("illegal-move 1") && error.contains("unclosed-comment 1"), "{error}");
    bench.ok("build r.pgn --repertoire -o r.tabia --illegal-move keep-prefix --rejects r.jsonl --force");
    assert_eq!(draws(&moves(&bench, "r.tabia", "e4")), [("c5", 1), ("e5", 1)]);
    let listed = bench.text("r.jsonl");
    assert!(listed.contains("\"unclosed-comment\"") && listed.contains("{x *"), "{listed}");
}

/// Lines are counted and their marks taken in one reading, so standard input will do.
#[test]
fn lines_that_can_be_read_only_once_are_counted_and_built_with_their_marks() {
    let bench = Workbench::new();
    let mut build = bench.command("build - --repertoire -o r.tabia --rejects r.jsonl --json");
    let illegal = "\n[Event \"x\"]\n\n1. e5 *\n";
    let output = build.write_stdin(format!("{REPERTOIRE}{illegal}")).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let said: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&said["games"], &said["book_experience"]), (&json!(4), &json!(3)));
    assert!(bench.ok("why r.tabia e4 c5 c3 d5").contains("set to 75 (!)"));
    let listed = bench.text("r.jsonl");
    assert_eq!(listed.lines().count(), 1, "listed once: {listed}");
    bench.assert_fails("build - --repertoire -o s.tabia --resume", 2, ["can be read only once"]);
    let mut count = bench.command("count - --repertoire -o r.table");
    assert!(count.write_stdin(REPERTOIRE).output().unwrap().status.success());
    assert_eq!(draws(&moves(&bench, "r.table", "")), [("Nf3", 1), ("d4", 1), ("e4", 4)]);
}

#[test]
fn lines_and_games_do_not_mix() {
    let bench = Workbench::with("r.pgn", REPERTOIRE);
    bench.ok("count r.pgn --repertoire -o r.table");
    bench.ok("count SAMPLE --from-position -o g.table");
    bench.assert_fails("merge r.table g.table -o both.table", 1, ["repertoire"]);
    bench.ok("add r.table r.pgn --force");
    assert_eq!(draws(&moves(&bench, "r.table", "")), [("Nf3", 2), ("d4", 2), ("e4", 8)]);
    for (flags, named) in [
        ("--dedup-games exact", "--dedup-games"),
        ("--repeats once", "--repeats"),
        ("--ratings", "--ratings"),
        ("--unknown-result draw", "--unknown-result"),
    ] {
        bench.assert_fails(&format!("count r.pgn --repertoire {flags} -o x.table"), 2, [named]);
    }
}

#[test]
fn filters_judge_records_and_lines() {
    let bench = Workbench::with("r.pgn", REPERTOIRE);
    bench.ok_at("count r.pgn --repertoire -o sicilian.table", "1. e4 c5");
    assert_eq!(draws(&moves(&bench, "sicilian.table", "e4 c5")), [("Nf3", 1), ("c3", 1)]);
    assert!(moves(&bench, "sicilian.table", "").is_empty(), "counted from the end of the line");
    bench.ok("count r.pgn --repertoire --min-plies 4 -o long.table");
    assert_eq!(draws(&moves(&bench, "long.table", "")), [("e4", 3)]);
}

#[test]
fn the_result_is_the_same_for_any_number_of_threads() {
    let bench = Workbench::with("r.pgn", REPERTOIRE.repeat(200));
    for (threads, chunk) in [(1, 4), (3, 1024)] {
        let limits = format!("-j {threads} --chunk-kib {chunk}");
        bench.ok(&format!("build r.pgn --repertoire -o {threads}.tabia {limits}"));
    }
    let book = |threads| bench.read(&format!("{threads}.tabia"));
    assert!(book(1) == book(3));
}

#[test]
fn games_without_a_result_count_as_draws_if_asked_for() {
    let bench =
        Workbench::with("g.pgn", "[Event \"a\"]\n\n1. e4 *\n\n[Event \"b\"]\n[Result \"*\"]\n\n1. e4 1-0\n");
    bench.assert_fails("count g.pgn -o g.table", 1, ["result-unknown 1", "result-mismatch 1"]);
    bench.ok("count g.pgn --unknown-result draw -o g.table");
    assert_eq!(moves(&bench, "g.table", "")["e4"], [0, 1, 0], "a contradiction is still rejected");
    assert!(bench.ok("info g.table").contains("those without a result as draws"));
    let Some(suites) = corpus("opening-suites-a.pgn.zst") else {
        return skip("no corpus");
    };
    let suites = suites.display();
    assert!(
        bench
            .fails(&format!("build {suites} -o s.tabia --polyglot s.bin"), 1)
            .contains("nothing was written")
    );
    bench.ok(&format!("build {suites} -o s.tabia --polyglot s.bin --unknown-result draw"));
    assert!(bench.ok("probe s.bin").contains("e4"));
}

#[test]
fn an_input_that_is_named_twice_is_said_once() {
    let bench =
        Workbench::with("r.pgn", "[Event \"r\"]\n[Result \"*\"]\n\n1. e4 e5 (1... c5 2. Nf3 $1) 2. Nc3 *\n");
    let said: Value = bench.json("build r.pgn r.pgn --repertoire -o r.tabia");
    assert_eq!(said["warnings"], json!(["r.pgn was given more than once, but is read only once"]));
    assert_eq!(said["games"], 1);
    assert_eq!(said["book_edges"], 5);
    assert_eq!(said["book_experience"], 1);
}
