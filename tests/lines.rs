//! `tabia export pgn`, `epd` and `csv`: every move of a book once, in each format, and back again.

use std::collections::{BTreeMap, BTreeSet};

use crate::workbench::Workbench;

fn with_book() -> Workbench {
    Workbench::after([
        "count SAMPLE -o games.table --max-ply 24",
        "compact games.table -o book.tabia --min-games 3",
    ])
}

/// What was exported, by what it is.
fn exported(bench: &Workbench, arguments: &str) -> BTreeMap<String, u64> {
    let summary = bench.json(&format!("export {arguments}"));
    serde_json::from_value(summary["exported"].clone()).unwrap()
}

/// The moves of a book.
fn moves_of(bench: &Workbench, book: &str) -> u64 {
    let info = bench.json(&format!("info {book}"));
    info["details"]["edges"].as_u64().unwrap()
}

#[test]
fn a_repertoire_of_many_pages_goes_out_and_comes_back_whole() {
    let bench = with_book();
    bench.ok("compact games.table -o whole.tabia --min-games 1");
    let all = exported(&bench, "pgn whole.tabia -o one.pgn");
    assert_eq!(all["moves"], moves_of(&bench, "whole.tabia"));
    assert_eq!(all.get("moves of these positions left out"), None);
    // More than two hundred pages of fifty lines, as a game a line.
    let lines = exported(&bench, "pgn whole.tabia -o lines.pgn --games lines");
    let text = bench.text("lines.pgn");
    assert_eq!(text.matches("[Result \"*\"]").count() as u64, lines["lines"]);
    assert!(text.lines().all(|line| line.starts_with('[') || line.len() < 80));
    // Read back as games with results, each move of the book is there, and no other.
    let won = text
        .replace("[Result \"*\"]", "[Result \"1-0\"]")
        .replace(" *\n", " 1-0\n")
        .replace("\n*\n", "\n1-0\n");
    bench.write("won.pgn", won);
    bench.ok("build won.pgn -o again.tabia --max-ply 0 --min-games 1");
    let diff = bench.json("diff whole.tabia again.tabia");
    assert_eq!(diff["moves"]["both"].as_u64(), Some(all["moves"]), "{}", diff["moves"]);
    assert_eq!((&diff["moves"]["only_first"], &diff["moves"]["only_second"]), (&0.into(), &0.into()));
}

#[test]
fn a_table_has_the_lines_of_its_book_and_a_polyglot_book_too() {
    let bench = with_book();
    bench.ok("export polyglot book.tabia -o book.bin");
    let book = exported(&bench, "pgn book.tabia -o a.pgn");
    let table = exported(&bench, "pgn games.table -o b.pgn --min-games 3");
    assert_eq!((book["moves"], book["lines"]), (table["moves"], table["lines"]));
    assert!(table["moves of these positions left out"] > 1000, "{table:?}");
    assert_eq!(exported(&bench, "csv book.bin -o c.csv")["moves"], book["moves"]);
    let csv = bench.text("c.csv");
    assert!(csv.lines().nth(1).unwrap().starts_with("1,1. "), "{csv}");
}

#[test]
fn the_lines_asked_for_are_the_ones_that_come_up_most_often() {
    let bench = with_book();
    let some = exported(&bench, "pgn book.tabia -o some.pgn --games lines --lines 40 --max-ply 12");
    assert_eq!(some["lines"], 40);
    let text = bench.text("some.pgn");
    assert_eq!(text.matches("[Event ").count(), 40);
    assert!(some["moves of these positions left out"] > 100 && !text.contains(" 7. "), "{some:?}");
    let sicilian = exported(&bench, "csv book.tabia -o s.csv --line e4");
    let csv = bench.text("s.csv");
    assert_eq!(csv.lines().count() as u64, sicilian["moves"] + 1);
    assert!(csv.lines().skip(1).all(|row| row.split(',').nth(1).unwrap().starts_with("1. e4 ")), "{csv}");
}

#[test]
fn a_book_of_one_side_goes_on_by_the_replies_that_lead_back_into_it() {
    let bench = with_book();
    bench.ok("compact games.table -o white.tabia --min-games 3 --color white");
    let white = exported(&bench, "csv white.tabia -o w.csv");
    assert!(white["moves"] > moves_of(&bench, "white.tabia") / 2, "{white:?}");
    let csv = bench.text("w.csv");
    let plies: BTreeSet<_> = csv.lines().skip(1).map(|row| row.split(',').next().unwrap()).collect();
    assert!(plies.contains("2") && plies.contains("5"), "{plies:?}");
}

#[test]
fn marks_and_learned_values_come_with_the_moves() {
    let bench = with_book();
    bench.write("values.txt", "e4: !\nd4: ?!\n");
    bench.ok("learn set --from values.txt -o x.experience.parquet");
    bench.ok("compact games.table --experience x.experience.parquet -o marked.tabia --min-games 3");
    bench.ok("export pgn marked.tabia -o m.pgn --max-ply 2");
    let text = bench.text("m.pgn").replace('\n', " ");
    assert!(text.contains("1. e4 $1 {") && text.contains("(1. d4 $6 {"), "{text}");
    bench.ok("export csv marked.tabia -o m.csv --max-ply 1");
    let csv = bench.text("m.csv");
    let nag = |san: &str| {
        let row = csv.lines().find(|row| row.starts_with(&format!("1,1. {san},"))).unwrap();
        row.split(',').nth(12).unwrap().to_owned()
    };
    assert_eq!((nag("e4"), nag("d4")), ("1".into(), "6".into()), "{csv}");
}

#[test]
fn positions_are_written_once_each() {
    let bench = with_book();
    let all = exported(&bench, "epd book.tabia -o p.epd");
    let text = bench.text("p.epd");
    let positions: BTreeSet<_> =
        text.lines().map(|line| line.split(' ').take(4).collect::<Vec<_>>().join(" ")).collect();
    assert_eq!((positions.len() as u64, text.lines().count() as u64), (all["positions"], all["positions"]));
    assert!(
        text.starts_with("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - hmvc 0; fmvn 1; c0 \"games ")
    );
}

/// Some programs write castling as the king's move, which is no move of a Polyglot book.
#[test]
fn moves_that_are_not_legal_are_counted() {
    let bench = Workbench::new();
    let entry = |mv: u16| {
        [&0x463b_9618_1691_fc9c_u64.to_be_bytes()[..], &mv.to_be_bytes(), &[0, 1, 0, 0, 0, 0]].concat()
    };
    bench.write("odd.bin", [entry(0o1434), entry(0o0406)].concat());
    let odd = exported(&bench, "pgn odd.bin -o odd.pgn");
    assert_eq!((odd["moves"], odd["moves that are not legal"]), (1, 1), "{odd:?}");
}

#[test]
fn wrong_arguments_are_named() {
    let bench = with_book();
    for (arguments, code, expected) in [
        ("pgn book.tabia -o x.pgn --games one", 2, "expected variations or lines"),
        ("csv book.tabia -o x.csv --min-share 3", 2, "--min-share: must be from 0 to 1"),
        ("epd book.tabia -o x.epd --lines 0", 2, "--lines: must be at least 1"),
        ("pgn book.tabia -o x.pgn --line e5", 2, "--line: `e5` is not a legal move in rnbq"),
        ("pgn book.tabia -o book.tabia", 2, "book.tabia"),
        ("pgn nothing.tabia -o x.pgn", 1, "no such file"),
        ("pgn book.tabia -o x.pgn --line h4", 1, "no move is kept: no line begins"),
    ] {
        bench.assert_fails(&format!("export {arguments}"), code, [expected]);
    }
    assert_eq!(bench.names(), ["book.tabia", "games.table"]);
    assert!(bench.ok("export pgn book.tabia -o - --max-ply 1 -q").contains("1. "));
}
