//! Learned values in Crafty's own layout (Crafty: shared files), and back again.

use std::collections::BTreeMap;

use serde_json::Value;
use testing::corpus;

use super::{CRAFTY, RUY, lesson, number, record, ruy};
use crate::workbench::{Workbench, assert_has};

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
        bench.text("out.lrn"),
        format!(
            "{head} e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 {{30 0 0}}\n\
             {head} e4 e5 Nf3 Nc6 Bb5 a6 Nc3 axb5 Nxb5 Nf6 O-O {{-135 0 0}}\n"
        )
    );
    bench.ok("learn export crafty a.parquet --as 16.19 -o other.lrn");
    assert!(bench.text("other.lrn").starts_with("[White \"Crafty 16.19\"]\n"));
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
    let text = bench.text("out.lrn");
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
    bench.teach("a", text);
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
    bench.teach("one", lesson("a", "O-O", -35));
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
    assert!(
        warning.starts_with("1 of 2 learned moves cannot be restored from the records: no line"),
        "{warning}"
    );
    assert!(bench.text("out.lrn").ends_with(" e4 {5 0 0}\n"));
}

/// Over the book that it was learned in, every value comes back, and every verdict: averaged ones, values of
/// moves before others, and moves that a lost game bans.
#[test]
fn values_survive_a_round_trip_over_their_book() {
    let bench = ruy();
    let text = lesson("a", "O-O", -135)
        + &lesson("b", "d3", -139)
        + &lesson("c", "Nc3 Bb4", -11)
        + &lesson("d", "O-O", 210)
        + &record(CRAFTY, "e", "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6", "30 9 100")
        + &lesson("f", "d3", -99_900)
        + &lesson("g", "d3", 390);
    bench.write("a.lrn", text);
    for version in ["15.17", "17.14"] {
        bench.learn("crafty a.lrn", "a.parquet");
        let exported = bench.run(&format!(
            "learn export crafty a.parquet --as {version} --table ruy.table -o out.lrn --force"
        ));
        let warned = String::from_utf8(exported.stderr).unwrap();
        assert!(exported.status.success() && !warned.contains("warning"), "{warned}");
        let learning = bench.learn("crafty out.lrn", "b.parquet");
        assert_eq!(learning["records"], learning["taught"], "{version}");
        let (before, after) = (bench.known("a.parquet"), bench.known("b.parquet"));
        assert!(before.keys().eq(after.keys()) && before.len() == 16, "{}", before.len());
        for (line, known) in before {
            let [one, other] = [&known, &after[&line]].map(|known| number(&known["learn"]));
            assert!((one - other).abs() <= 0.01, "{line} as {version}: {one} and {other}");
            assert_eq!(known["playable"], after[&line]["playable"], "{line} as {version}");
        }
    }
    // Another book: what it does not keep is counted.
    let warned = bench.said("learn export crafty a.parquet --table ruy.table --top 1 -o out.lrn --force");
    assert!(
        warned.contains(
            "learned moves cannot be restored from the records: the book does not keep these moves"
        ),
        "{warned}"
    );
}

#[test]
fn what_holds_no_learned_value_is_not_exported() {
    let bench = ruy();
    bench.ok("learn set --line e4 --value 75 -o x.parquet");
    bench.assert_fails(
        "learn export crafty x.parquet -o out.lrn",
        1,
        ["x.parquet contains no learned values"],
    );
    assert!(!bench.path("out.lrn").exists());
}

/// The file of 1998 over master games: 99 % of the values within a hundredth of a pawn, and every verdict.
#[test]
fn a_real_file_survives_a_round_trip() {
    let Some(records) = corpus("learn/crafty-learn-1998-a.lrn") else { return };
    let Some(games) = corpus("kingbase2015-recon-a.pgn.zst") else { return };
    let bench = Workbench::new();
    bench.ok(&format!("count {} --max-ply 60 -o ruy.table --quiet", games.display()));
    bench.learn(&format!("crafty {}", records.display()), "a.parquet");
    bench.ok("learn export crafty a.parquet --table ruy.table -o out.lrn");
    bench.learn("crafty out.lrn", "b.parquet");
    // By key and move: other rows may give another line to a position.
    let values = |file: &str| -> BTreeMap<String, (f64, Value)> {
        let rows = bench.ok(&format!("experience show {file} --json"));
        let row = |row: &str| {
            let row: Value = serde_json::from_str(row).unwrap();
            let learned = row["known"]["learn"].as_f64().unwrap_or(0.0);
            (format!("{} {}", row["key"], row["move"]), (learned, row["known"]["playable"].clone()))
        };
        rows.lines().map(row).collect()
    };
    let (before, after) = (values("a.parquet"), values("b.parquet"));
    let near = before
        .iter()
        .filter(|(edge, known)| after.get(*edge).is_some_and(|after| (after.0 - known.0).abs() <= 0.01));
    let (near, all) = (near.count(), before.len());
    assert!(near * 100 >= all * 99, "{near} of {all}");
    for (edge, known) in &before {
        assert!(after.get(edge).is_none_or(|after| after.1 == known.1), "{edge}");
    }
}

/// Positions come back as they were read, of an experience that holds nothing else and of one of own games.
#[test]
fn positions_are_exported_as_position_lrn() {
    let bench = ruy();
    let entry = |fen: &str, numbers: &str| {
        format!(
            "[White \"Crafty 16.19\"]\n[Black \"Tabia\"]\n[Date \"2026.11.20\"]\nsetboard {fen}\n{{{numbers}}}\n"
        )
    };
    let text = format!(
        "position\n{}{}",
        entry("r2q1rk/ppp1nppp/1b1p1n/1P2pb/P1P/2N1P/3PBPPP/R1BQK1NR/ b KQ", "102 6704 120"),
        entry("r1b1k1nr/ppp2ppp/2nb/1B1pp/3P/P3PN1P/1PP2PqR/RNBQK/ b Qkq", "-16 31630 480")
    );
    bench.write("position.lrn", text);
    bench.learn("crafty position.lrn", "a.parquet");
    let said = bench.said("learn export crafty a.parquet --as 16.19 -o out.lrn");
    assert!(!said.contains("left out"), "{said}");
    let text = bench.text("out.lrn");
    assert!(text.starts_with("position\n[White \"Crafty 16.19\"]\n"), "{text}");
    assert!(
        text.contains(
            "setboard r2q1rk1/ppp1nppp/1b1p1n2/1P2pb2/P1P5/2N1P3/3PBPPP/R1BQK1NR b KQ -\n{102 6704 120}\n"
        ),
        "{text}"
    );
    bench.learn("crafty out.lrn", "b.parquet");
    assert!(bench.agree("a.parquet", "b.parquet"));
    for file in ["a.parquet", "b.parquet"] {
        bench.ok(&format!("verify {file}"));
    }
    // Beside learned moves they are left out, unless they are asked for; files made of others keep them.
    bench.write("a.lrn", lesson("a", "O-O", -135));
    bench.learn("crafty a.lrn --continue a.parquet", "c.parquet");
    bench.ok("experience merge c.parquet b.parquet -o d.parquet");
    bench.assert_says("learn export crafty d.parquet -o book.lrn", ["2 learned positions are left out"]);
    bench.ok("learn export crafty d.parquet --positions --as 16.19 -o again.lrn");
    assert_eq!(bench.text("again.lrn"), text);
    // Of own games, too.
    let moves = "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O {+0.40/10} Be7 Re1 {-0.20/11} b5";
    bench.write("own.pgn", super::game("Eng", "Opp", "1-0", &[], moves));
    bench.learn("games own.pgn --player Eng --search", "own.parquet");
    bench.ok("learn export crafty own.parquet --positions -o own.lrn");
    let text = bench.text("own.lrn");
    assert_has(&text, ["setboard r1bqk2r/1pppbppp/p1n2n2/4p3/B3P3/5N2/PPPP1PPP/RNBQ1RK1 w kq -\n{-20 "]);
}
