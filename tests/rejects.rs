//! The list that `--rejects` writes: the same lines for every command and any number of threads.

use std::{fs, os::unix::fs::PermissionsExt as _};

use serde_json::{Value, json};

use crate::workbench::{Workbench, sample};

const WON: &str =
    "[Event \"a\"]\n[White \"Eng\"]\n[Black \"Opp\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 Nc6 1-0\n\n";
const SHORT: &str = "[Event \"b\"]\n[White \"Eng\"]\n[Black \"Opp\"]\n[Result \"0-1\"]\n\n1. e4 0-1\n\n";
const OTHERS: &str =
    "[Event \"c\"]\n[White \"Ann\"]\n[Black \"Bob\"]\n[Result \"1-0\"]\n\n1. d4 d5 2. c4 1-0\n\n";
const BROKEN: &str =
    "[Event \"d\"]\n[White \"Eng\"]\n[Black \"Opp\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Ke3 1-0\n\n";
const ATOMIC: &str = "[Event \"e\"]\n[Variant \"Atomic\"]\n[Result \"1-0\"]\n\n1. e4 e5 1-0\n\n";

/// Two files: of the first only the second game counts, of the second only the first.
fn with_games() -> Workbench {
    let bench = Workbench::with("a.pgn", [OTHERS, WON, ATOMIC, SHORT].concat());
    bench.write("b.pgn", [WON, BROKEN, OTHERS].concat());
    bench.ok("count a.pgn b.pgn -o games.table");
    bench
}

/// What `tabia arguments` lists of the games of Eng that are three plies long.
fn listed(bench: &Workbench, arguments: &str) -> String {
    bench.ok(&format!("{arguments} --player Eng --min-plies 3 --rejects r.jsonl --force --allow-empty"));
    bench.text("r.jsonl")
}

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// What the games of [`with_games`] are listed as by every command that counts them.
fn expected() -> Vec<Value> {
    let at = |games: &[&str]| games.concat().len();
    vec![
        json!({"input": "a.pgn", "offset": 0, "game": 1, "filter": "player"}),
        json!({"input": "a.pgn", "offset": at(&[OTHERS, WON]), "game": 3, "ply": null, "reason": "variant", "text": "Atomic"}),
        json!({"input": "a.pgn", "offset": at(&[OTHERS, WON, ATOMIC]), "game": 4, "filter": "min-plies"}),
        json!({"input": "b.pgn", "offset": at(&[WON]), "game": 2, "ply": 3, "reason": "illegal-move", "text": "Ke3"}),
        json!({"input": "b.pgn", "offset": at(&[WON, BROKEN]), "game": 3, "filter": "player"}),
    ]
}

const READERS: [&str; 3] = [
    "count a.pgn b.pgn -o new.table",
    "export games a.pgn b.pgn -o rows",
    "learn games a.pgn b.pgn --table games.table -o x.parquet",
];

#[test]
fn every_reader_lists_filtered_games() {
    let bench = with_games();
    let texts = READERS.map(|reader| listed(&bench, &format!("{reader} --rejects-filtered")));
    assert_eq!(lines(&texts[0]), expected());
    assert_eq!(texts[1], texts[0], "export games");
    assert_eq!(texts[2], texts[0], "learn games");
}

#[test]
fn filtered_games_are_listed_only_if_asked_for() {
    let bench = with_games();
    let rejected: Vec<_> = expected().into_iter().filter(|line| line["filter"].is_null()).collect();
    for reader in READERS {
        assert_eq!(lines(&listed(&bench, reader)), rejected, "{reader}");
    }
}

/// An annotated line counts as far as it can be played; otherwise its list is like the others.
#[test]
fn annotated_lines_are_listed_as_games_are() {
    let bench = with_games();
    let reader = "learn annotations a.pgn b.pgn -o x.parquet";
    let mut expected = expected();
    expected[3] =
        json!({"input": "b.pgn", "offset": WON.len(), "game": 2, "ply": 3, "reason": "cut", "text": ""});
    assert_eq!(lines(&listed(&bench, &format!("{reader} --rejects-filtered"))), expected);
    expected.retain(|line| line["filter"].is_null());
    assert_eq!(lines(&listed(&bench, reader)), expected);
}

/// Many chunks, most of their games filtered: the order and the numbers are those of the input.
#[test]
fn the_list_is_the_same_for_any_number_of_threads() {
    let bench = Workbench::with("games.pgn", fs::read(sample()).unwrap().repeat(3));
    bench.write("more.pgn", fs::read(sample()).unwrap());
    let list = |reader: &str, threads: u32| {
        let name = format!("r{threads}.jsonl");
        bench.ok(&format!(
            "{reader} --force --threads {threads} --min-elo 2300 --rejects {name} --rejects-filtered"
        ));
        bench.text(&name)
    };
    let count = "count games.pgn more.pgn -o games.table --max-ply 8 --chunk-kib 64";
    let first = list(count, 1);
    assert!(first.lines().count() > 2000, "{} lines", first.lines().count());
    let numbers: Vec<_> = lines(&first)
        .iter()
        .map(|line| (line["input"].to_string(), line["game"].as_u64(), line["offset"].as_u64()))
        .collect();
    assert!(numbers.is_sorted());
    assert_eq!(list(count, 3), first, "count");
    for threads in [1, 3] {
        assert_eq!(list("export games games.pgn more.pgn -o rows", threads), first, "{threads} threads");
    }
}

#[test]
fn a_list_has_the_permissions_of_any_file() {
    let bench = with_games();
    bench.write("plain", "");
    let mode = |name: &str| fs::metadata(bench.path(name)).unwrap().permissions().mode();
    for reader in READERS {
        listed(&bench, reader);
        assert_eq!(mode("r.jsonl"), mode("plain"), "{reader}");
    }
}

#[test]
fn a_list_that_exists_is_kept_unless_forced() {
    let bench = with_games();
    bench.write("r.jsonl", "precious");
    let names = bench.names();
    for reader in READERS {
        bench.assert_fails(
            &format!("{reader} --player Eng --rejects r.jsonl"),
            2,
            ["r.jsonl already exists"],
        );
        assert_eq!(bench.text("r.jsonl"), "precious");
        assert_eq!(bench.names(), names);
    }
}

#[test]
fn games_added_to_a_table_are_listed_as_any() {
    let bench = with_games();
    bench.write("more.pgn", [BROKEN, WON].concat());
    bench.write("r.jsonl", "precious");
    bench.assert_fails("add games.table more.pgn --rejects r.jsonl", 2, ["r.jsonl already exists"]);
    bench.ok("add games.table more.pgn --rejects r.jsonl --force");
    let listed = lines(&bench.text("r.jsonl"));
    let broken = json!({"input": "more.pgn", "offset": 0, "game": 1, "ply": 3, "reason": "illegal-move", "text": "Ke3"});
    assert_eq!(listed, [broken]);
}
