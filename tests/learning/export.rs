//! Learned values in Crafty's own layout (Crafty: shared files), and back again.

use std::fs;

use super::{CRAFTY, RUY, lesson, record, ruy};

/// The layout byte for byte: three tags, a blank before each move, a line broken once it is longer than sixty
/// characters, value, depth and rating difference. Castling has no check mark.
#[test]
fn records_are_written_as_crafty_writes_them() {
    let bench = ruy();
    bench.write(
        "a.lrn",
        lesson("a", "O-O", -135) + &record(CRAFTY, "b", "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6", "30 9 100"),
    );
    bench.learn("crafty a.lrn", "a.parquet");
    bench.ok("learn export crafty a.parquet -o out.lrn");
    let head = "[White \"Crafty 15.17\"]\n[Black \"Tabia\"]\n[Date \"1998.09.01\"]\n";
    assert_eq!(
        fs::read_to_string(bench.path("out.lrn")).unwrap(),
        format!(
            "{head} e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 {{30 0 0}}\n\
             {head} e4 e5 Nf3 Nc6 Bb5 a6 Nc3 axb5 Nxb5 Nf6 O-O {{-135 0 0}}\n"
        )
    );
    bench.ok("learn export crafty a.parquet --as 16.19 -o other.lrn");
    assert!(fs::read_to_string(bench.path("other.lrn")).unwrap().starts_with("[White \"Crafty 16.19\"]\n"));
    for version in ["13.1", "20.17", "18", "x"] {
        let error = bench.fails(&format!("learn export crafty a.parquet --as {version} -o x.lrn"), 2);
        assert!(error.contains("14.4 to 20.16"), "{error}");
    }
    assert!(!bench.path("x.lrn").exists());
}

#[test]
fn a_long_line_is_broken_as_crafty_breaks_it() {
    let bench = ruy();
    let moves = "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 d6 c3 O-O h3 Nb8 d4 Nbd7 Nbd2 Bb7";
    bench.write(
        "long.pgn",
        super::game("a", "b", "1-0", &[], moves).repeat(2) + &super::game("a", "b", "1-0", &[], "e4 c5"),
    );
    bench.ok("count long.pgn -o long.table");
    bench.write("a.lrn", record(CRAFTY, "opp", moves, "-25 5 0"));
    bench.ok("learn crafty a.lrn --table long.table -o a.parquet");
    bench.ok("learn export crafty a.parquet -o out.lrn");
    let text = fs::read_to_string(bench.path("out.lrn")).unwrap();
    let lines: Vec<_> = text.lines().skip(3).collect();
    // The last move is Black's: his −(−0.25) is −25 from White's view.
    let expected =
        [" e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 d6 c3 O-O h3", " Nb8 d4 Nbd7 Nbd2 Bb7 {-25 0 0}"];
    assert_eq!(lines, expected);
    assert!((61..=68).contains(&lines[0].len()));
}

/// One record a line: learned again, the values are the same.
#[test]
fn what_is_exported_is_learned_again() {
    let bench = ruy();
    let text = lesson("a", "O-O", -35)
        + &lesson("b", "d3", 62)
        + &lesson("c", "Nc3 Bb4", -11)
        + &record(CRAFTY, "d", "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6", "30 9 100");
    bench.write("a.lrn", text);
    bench.learn("crafty a.lrn", "a.parquet");
    for version in ["15.17", "17.14", "18.15", "20.16"] {
        bench.ok(&format!("learn export crafty a.parquet --as {version} -o out.lrn --force"));
        let learning = bench.learn("crafty out.lrn", "b.parquet");
        assert_eq!(learning["taught"], 4, "{version}");
        let (before, after) = (bench.known("a.parquet"), bench.known("b.parquet"));
        for last in ["O-O", "d3", "Nc3 Bb4"] {
            let line = format!("{RUY} {last}");
            assert_eq!(before[&line]["learn"], after[&line]["learn"], "{line} as {version}");
        }
        let lines = |known: &std::collections::BTreeMap<String, serde_json::Value>| {
            known.keys().cloned().collect::<Vec<_>>()
        };
        assert_eq!(lines(&before), lines(&after), "{version}");
    }
    // A line alone: every value is the same, by the rules that made it.
    bench.write("one.lrn", lesson("a", "O-O", -35));
    bench.learn("crafty one.lrn", "one.parquet");
    bench.ok("learn export crafty one.parquet -o out.lrn --force");
    bench.learn("crafty out.lrn", "again.parquet");
    assert!(bench.agree("one.parquet", "again.parquet"));
}

/// A move that is on no learned line is in no record.
#[test]
fn what_has_no_line_is_left_out_with_a_warning() {
    let bench = ruy();
    let moves = format!("{RUY} O-O");
    // Only the last choice of a lost game learns.
    bench.write(
        "lost.lrn",
        record(CRAFTY, "a", "e4", "5 5 0") + &record(CRAFTY, "opp", &moves, "-99900 10 0"),
    );
    bench.learn("crafty lost.lrn", "a.parquet");
    let summary = bench.ok("learn export crafty a.parquet -o out.lrn --json");
    let summary: serde_json::Value = serde_json::from_str(&summary).unwrap();
    let warning = summary["warnings"][0].as_str().unwrap();
    assert!(warning.starts_with("1 learned move"), "{warning}");
    assert!(fs::read_to_string(bench.path("out.lrn")).unwrap().ends_with(" e4 {5 0 0}\n"));
}
