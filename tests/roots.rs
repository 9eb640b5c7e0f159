//! Games that start from a FEN: what a table keeps of where they start, and what is found from there.

use std::{fs, path::Path};

use serde_json::Value;

use crate::workbench::{Workbench, assert_has};

/// Roots of either side, and the moves and results of games from each. The first is the start position, the
/// second is reached from it, the third from the second.
const GAMES: [(&str, &[(&str, &str)]); 5] = [
    ("", &[("1. e4 e5 2. Nf3 Nc6", "1-0"), ("1. d4 d5", "1/2-1/2")]),
    (
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
        &[("1... e5 2. Nf3 d6", "0-1"), ("1... e5 2. Nf3 Nf6 3. Nxe5", "1-0"), ("1... c5 2. Nf3", "1-0")],
    ),
    ("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2", &[("2. Bc4 Nc6 3. Qh5", "1-0")]),
    (
        "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
        &[("3. exf6 Nxf6", "0-1"), ("3. d4 e6", "1/2-1/2")],
    ),
    ("r3k2r/8/8/8/8/8/8/R3K2R w Kq - 0 1", &[("1. O-O O-O-O", "1/2-1/2")]),
];

/// The games of [`GAMES`], each that many times.
pub(crate) fn rooted_games(times: usize) -> String {
    let game = |fen: &str, (moves, result): &(&str, &str)| {
        let setup = if fen.is_empty() { String::new() } else { format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n") };
        format!("[Event \"?\"]\n[Result \"{result}\"]\n{setup}\n{moves} {result}\n\n")
    };
    let games = GAMES.iter().flat_map(|(fen, games)| games.iter().map(move |of| game(fen, of)));
    games.collect::<String>().repeat(times)
}

fn with_table() -> Workbench {
    let bench = Workbench::with("a.pgn", rooted_games(3));
    bench.ok("count a.pgn --from-position -o games.table -q");
    bench
}

/// The roots of a table, shard by shard: the bytes of its files.
fn roots_of(table: &Path) -> Vec<(String, Vec<u8>)> {
    let entries = fs::read_dir(table.join("_roots")).into_iter().flatten();
    let files = entries.map(|entry| entry.unwrap().path());
    let mut files: Vec<_> =
        files.map(|path| (path.display().to_string().split_off(table.as_os_str().len()), path)).collect();
    files.sort();
    files.into_iter().map(|(name, path)| (name, fs::read(path).unwrap())).collect()
}

#[test]
fn a_table_keeps_where_its_games_started() {
    let bench = with_table();
    let found = roots_of(&bench.path("games.table"));
    let bytes: usize = found.iter().map(|(_, bytes)| bytes.len()).sum();
    assert_eq!(bytes, 65 * 4, "the start position is none of them");
    bench.assert_prints("info games.table", ["started from a FEN 4 positions, 21 games"]);
    bench.ok("verify games.table");
    bench.write("plain.pgn", fs::read(crate::workbench::sample()).unwrap());
    bench.ok("count plain.pgn -o plain.table --from-position -q");
    assert!(!bench.path("plain.table").join("_roots").exists());
}

#[test]
fn joins_and_groups_and_shards_keep_them_exact() {
    let bench = with_table();
    bench.write("b.pgn", format!("{}\n", rooted_games(2)));
    for (name, flags) in [
        ("one", "a.pgn b.pgn"),
        ("two", "b.pgn a.pgn -j 2 --memory 64MiB --shards 4"),
        ("by", "a.pgn b.pgn --by speed --ratings"),
    ] {
        bench.ok(&format!("count {flags} --from-position -o {name}.table -q"));
        bench.ok(&format!("verify {name}.table"));
    }
    let all = |name: &str| -> Vec<u8> {
        roots_of(&bench.path(name)).into_iter().flat_map(|(_, bytes)| bytes).collect()
    };
    assert_eq!(all("one.table"), all("two.table"));
    assert_eq!(all("one.table"), all("by.table"));
    bench.ok("count b.pgn --from-position --shards 2 -o b.table -q");
    bench.ok("merge games.table b.table -o sum.table -q");
    assert_eq!(bench.text("sum.table/_manifest.json"), bench.text("one.table/_manifest.json"));
    assert_eq!(roots_of(&bench.path("sum.table")), roots_of(&bench.path("one.table")));
    bench.ok("verify sum.table");
    bench.ok("subtract sum.table b.pgn -q");
    bench.ok("verify sum.table");
    assert_eq!(roots_of(&bench.path("sum.table")), roots_of(&bench.path("games.table")));
    bench.ok("add sum.table b.pgn -q");
    assert_eq!(roots_of(&bench.path("sum.table")), roots_of(&bench.path("one.table")));
    bench.ok("subtract sum.table one.table -q --allow-empty");
    assert!(roots_of(&bench.path("sum.table")).is_empty());
}

#[test]
fn a_damaged_root_is_found() {
    let bench = with_table();
    let table = bench.path("games.table");
    for (name, sound) in roots_of(&table) {
        let path = table.join(name.trim_start_matches('/'));
        for at in 0..sound.len() {
            let mut bytes = sound.clone();
            bytes[at] ^= 4;
            fs::write(&path, bytes).unwrap();
            bench.fails("verify games.table", 1);
        }
        fs::write(&path, &sound[1..]).unwrap();
        bench.fails("verify games.table", 1);
        fs::write(&path, &sound).unwrap();
    }
    bench.ok("verify games.table");
}

#[test]
fn a_suite_begins_at_roots_too() {
    let bench = with_table();
    bench.ok("suite games.table -o s.epd --plies 1..3 --min-games 1 --apart 0 -q");
    bench.ok("suite games.table -o s.pgn --plies 2 --min-games 1 --apart 0 -q");
    let epd = bench.text("s.epd");
    assert_has(
        &epd,
        [
            "r3k2r/8/8/8/8/8/8/R4RK1 b q - hmvc 1; fmvn 1;",
            "c1 \"exf6\"; c2 \"rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 1\";",
            "c1 \"c5\"; c2 \"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\";",
        ],
    );
    assert_eq!(epd.lines().filter(|line| !line.contains(" c2 ")).count(), 2, "d4, d4 d5: {epd}");
    let pgn = bench.text("s.pgn");
    let black = "[FEN \"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\"]\n";
    assert_has(&pgn, [black, "\n\n1... c5 2. Nf3 {"]);
    assert_has(&pgn, ["[SetUp \"1\"]\n[FEN \"r3k2r/8/8/8/8/8/8/R3K2R w Kq - 0 1\"]\n\n1. O-O O-O-O {"]);
    // A line begins at the start position.
    let from_e4 = "suite games.table -o e4.epd --line e4 --plies 2 --min-games 1 -q";
    bench.ok(from_e4);
    assert!(!bench.text("e4.epd").contains("c2"));
}

#[test]
fn positions_have_the_plies_of_the_nearest_root() {
    let bench = with_table();
    let report: Value = bench.json("export parquet games.table -o out");
    let export: Value = serde_json::from_str(&bench.text("out/export.json")).unwrap();
    assert_eq!(export["unreached_positions"], 0, "{report}");
    bench.ok("export parquet games.table -o lines --lines");
}

/// How many positions of a book no line reaches.
fn unreachable(bench: &Workbench, book: &str) -> u64 {
    let found = bench.json(&format!("check {book}"));
    let kinds = found["kinds"].as_array().unwrap();
    kinds.iter().find(|report| report["kind"] == "unreachable").unwrap()["found"].as_u64().unwrap()
}

fn with_book() -> Workbench {
    let bench = with_table();
    bench.ok("compact games.table -o book.tabia --min-games 2 -q");
    bench
}

#[test]
fn lines_of_a_book_begin_at_roots() {
    let bench = with_book();
    bench.ok("export epd book.tabia -o b.epd -q");
    bench.ok("export epd games.table -o all.epd -q");
    assert_eq!(bench.text("all.epd").lines().filter(|line| line.contains(" q - hmvc 1; fmvn 1;")).count(), 1);
    let epd = bench.text("b.epd");
    let book = book::Book::open(&bench.path("book.tabia")).unwrap();
    assert_eq!(epd.lines().count() as u64, book.stats().positions, "each position once: {epd}");
    assert_has(
        &epd,
        ["c1 \"exf6 Nxf6\"; c2 \"rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 1\";"],
    );
    bench.ok("export pgn book.tabia -o b.pgn --games lines -q");
    bench.ok("export pgn book.tabia -o v.pgn -q");
    for pgn in [bench.text("b.pgn"), bench.text("v.pgn")] {
        assert_has(&pgn, ["[SetUp \"1\"]\n[FEN \"r3k2r/8/8/8/8/8/8/R3K2R w Kq - 0 1\"]\n", "1... c5"]);
    }
    bench.ok("export csv book.tabia -o b.csv -q");
    let csv = bench.text("b.csv");
    assert!(csv.lines().next().is_some_and(|names| names.ends_with(",fen,root")), "{csv}");
    assert_has(&csv, ["2,1... c5,c5,c7c5,"]);
    bench.write("again.pgn", bench.text("b.pgn"));
    let read = bench.json("count again.pgn --from-position --repertoire -o again.table");
    assert_eq!(read["rejected"], serde_json::json!({}), "{read}");
}

#[test]
fn what_walks_a_book_begins_at_roots() {
    let bench = with_book();
    bench.ok("verify book.tabia");
    assert_eq!(unreachable(&bench, "book.tabia"), 0);
    bench.ok("export json book.tabia -o b.jsonl");
    assert!(!bench.text("b.jsonl").lines().skip(1).any(|line| !line.contains("\"fen\"")));
    bench.ok("import json b.jsonl -o again.tabia");
    assert_eq!(bench.read("book.tabia"), bench.read("again.tabia"));
    bench.write("prune.txt", "prune unreachable\n");
    bench.assert_fails("edit book.tabia --script prune.txt -o pruned.tabia", 1, ["nothing to prune"]);
    bench.ok("suite book.tabia -o s.epd --plies 1..3 --min-games 1 -q");
    bench.write("plain.pgn", fs::read(crate::workbench::sample()).unwrap());
    bench.ok("build plain.pgn --from-position -o plain.tabia --min-games 3 -q");
    bench.ok("merge plain.tabia book.tabia -o sum.tabia -q");
    assert_eq!(unreachable(&bench, "sum.tabia"), unreachable(&bench, "plain.tabia"));
    bench.ok("build a.pgn --from-position -o built.tabia --min-games 2 -q");
    assert_eq!(bench.read("built.tabia"), bench.read("book.tabia"));
}
