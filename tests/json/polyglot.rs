//! Polyglot books as JSON lines and back.

use std::fs;

use serde_json::{Value, json};
use testing::corpus;

use super::lines;
use crate::workbench::{Workbench, assert_has};

/// A key that no walk from the start position reaches.
const UNREACHED: u64 = 5;
const START: u64 = 0x463b_9618_1691_fc9c;
/// 1.e4, 1.d4, and 1.e5, which is illegal.
const MOVES: [u16; 3] = [0x031c, 0x02db, 0x0324];

fn entry(key: u64, mv: u16, weight: u16, learn: u32) -> [u8; 16] {
    let bits = u128::from(key) << 64 | u128::from(mv) << 48 | u128::from(weight) << 32 | u128::from(learn);
    bits.to_be_bytes()
}

/// A book with all that a record may hold and no program would write.
fn odd() -> Vec<u8> {
    let [e4, d4, e5] = MOVES;
    [
        entry(UNREACHED, e4, 1, 0),
        entry(UNREACHED, 0, 7, 0),
        entry(UNREACHED, 0xffff, 0, u32::MAX),
        entry(START, e4, 65_535, 9),
        entry(START, e5, 3, 0),
        entry(START, e4, 3, 1),
        entry(START, d4, 0, 0),
    ]
    .concat()
}

/// Exports a book, imports the text, and compares; the text.
fn round_trip(bench: &Workbench, book: &str) -> Vec<Value> {
    let text = bench.ok(&format!("export json {book}"));
    bench.ok(&format!("export json {book} -o text.jsonl -j 1 --force"));
    assert_eq!(bench.text("text.jsonl"), text, "{book}");
    bench.ok("import json text.jsonl -o again.bin --force");
    assert!(bench.read(book) == bench.read("again.bin"), "{book}");
    lines(&text)
}

/// What becomes of these lines on standard input.
fn import(bench: &Workbench, lines: &[Value]) -> (Option<i32>, String) {
    let text = lines.iter().map(Value::to_string).collect::<Vec<_>>().join("\n");
    let output = bench.command("import json - -o out.bin --force").write_stdin(text).output().unwrap();
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

#[test]
fn every_polyglot_book_of_the_corpus_comes_back_byte_by_byte() {
    let Some(folder) = corpus("books") else { return };
    let (bench, mut compared) = (Workbench::new(), 0);
    for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if path.extension().is_none_or(|extension| extension != "bin") {
            continue;
        }
        let book = path.to_string_lossy().into_owned();
        if bench.run(&format!("verify {book}")).status.success() {
            let lines = round_trip(&bench, &book);
            let moves: usize = lines[1..].iter().map(|line| line["moves"].as_array().unwrap().len()).sum();
            assert_eq!(16 * moves as u64, path.metadata().unwrap().len(), "{book}");
            assert!(lines[1..].iter().any(|line| !line["fen"].is_null()), "{book}");
            compared += 1;
        } else {
            // A binary book of Crafty has the same extension.
            let said = bench.fails(&format!("export json {book} -o text.jsonl --force"), 1);
            assert!(said.contains("a binary book of Crafty"), "{said}");
        }
    }
    assert!(compared >= 4, "{compared} books");
}

#[test]
fn books_of_ours_come_back_with_header_and_learn_fields() {
    let bench = Workbench::after(["build SAMPLE -o book.tabia --min-games 3"]);
    bench.ok("export polyglot book.tabia -o plain.bin");
    bench.ok("export polyglot book.tabia -o full.bin --header --learn-field games");
    assert_eq!(round_trip(&bench, "plain.bin")[0]["header"], Value::Null);
    let full = round_trip(&bench, "full.bin");
    assert_eq!(full[0]["header"]["variants"], json!(["normal"]));
    assert!(full[0]["header"]["comment"].as_str().unwrap().contains("tabia"));
    assert!(full[1]["moves"][0]["learn"].as_u64().is_some_and(|learn| learn > 1 << 16));
    let start = full.iter().find(|line| line["key"] == "463b96181691fc9c").unwrap();
    assert_eq!(start["fen"], "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    // The lines of a book of one side lead through positions that it has no moves of.
    bench.ok("build SAMPLE -o black.tabia --color black --min-games 3");
    bench.ok("export polyglot black.tabia -o black.bin");
    let black = round_trip(&bench, "black.bin");
    let reached = black[1..].iter().filter(|line| line["turn"] == "black").count();
    assert!(reached > 10 && reached > black.len() * 9 / 10, "{reached} of {}", black.len());
}

#[test]
fn all_that_a_record_holds_comes_back() {
    let bench = Workbench::with("odd.bin", odd());
    let odd_lines = round_trip(&bench, "odd.bin");
    assert_eq!(odd_lines[0]["counts"], json!({ "positions": 2, "moves": 7 }));
    let moves = json!([
        { "move": "e2e4", "weight": 1 },
        { "move": "--", "weight": 7 },
        { "move": "0xffff", "weight": 0, "learn": u32::MAX },
    ]);
    assert_eq!(odd_lines[1], json!({ "key": "0000000000000005", "sorted": false, "moves": moves }));
    let moves = json!([
        { "move": "e2e4", "san": "e4", "weight": 65_535, "learn": 9 },
        { "move": "e2e5", "weight": 3, "legal": false },
        { "move": "e2e4", "san": "e4", "weight": 3, "learn": 1, "repeated": true },
        { "move": "d2d4", "san": "d4", "weight": 0 },
    ]);
    assert_eq!(odd_lines[2]["moves"], moves);
    // Headers that are not as their format says.
    for text in ["@PG@\n1.0\n2\n1\nnormal\nab\0r", "@PG@\nabc", "@PG@\n1.0\n9\n8\nnormal\n"] {
        let mut text = text.as_bytes().to_vec();
        text.resize(text.len().next_multiple_of(8), 0);
        let header: Vec<u8> = text.chunks(8).flat_map(|text| [&[0; 8], text].concat()).collect();
        bench.write("header.bin", [header, odd()].concat());
        assert!(round_trip(&bench, "header.bin")[0]["header"]["bytes"].is_string(), "{text:?}");
    }
    bench.write("empty.bin", "");
    bench.ok("export json empty.bin -o empty.jsonl");
    assert!(bench.fails("import json empty.jsonl -o x.bin", 1).contains("no line with moves"));
    bench.ok("import json empty.jsonl -o x.bin --allow-empty");
    assert_eq!(bench.read("x.bin"), b"");
}

/// Weights changed, moves added and taken away; a FEN alone names a position.
#[test]
fn changed_text_is_another_book() {
    let bench = Workbench::with("odd.bin", odd());
    let mut changed = round_trip(&bench, "odd.bin");
    let start = changed[2].as_object_mut().unwrap();
    start.remove("key");
    start["moves"] = json!([{ "move": "d2d4", "weight": 2 }, { "move": "g1f3", "san": "Nf3", "weight": 9 }]);
    changed[1]["moves"] = json!([]);
    changed[0]["header"] = json!({ "variants": ["normal"], "comment": "Edited by hand" });
    let (code, said) = import(&bench, &changed);
    assert_eq!(code, Some(0), "{said}");
    assert!(
        said.contains("positions without moves were left out, because a Polyglot book cannot hold them: 1"),
        "{said}"
    );
    assert_has(&said, ["warning: the text was changed or its end is missing: it has 1 position"]);
    let written = bench.read("out.bin");
    assert!(written.ends_with(&[entry(START, 0x0195, 9, 0), entry(START, 0x02db, 2, 0)].concat()));
    assert!(bench.ok("info out.bin").contains("Edited by hand"));
}

#[test]
fn lines_that_make_no_sense_are_named() {
    let bench = Workbench::with("odd.bin", odd());
    let good = round_trip(&bench, "odd.bin");
    let changed = |line: usize, at: &str, value: Value| {
        let mut lines = good.clone();
        match lines[line].pointer_mut(at) {
            Some(place) => *place = value,
            None => drop(lines[line].as_object_mut().unwrap().insert(at.into(), value)),
        }
        lines
    };
    let weighs = |weight: Value| changed(2, "/moves/0/weight", weight);
    let moves = |mv: &str| changed(2, "/moves/3/move", json!(mv));
    let header = |header: Value| changed(0, "/header", header);
    let e4 = json!({ "move": "e2e4", "weight": 1 });
    let wrong = [
        (
            weighs(json!(65_536)),
            "line 3: the weight of e2e4 must be a whole number from 0 to 65535, not 65536",
        ),
        (weighs(json!(-1)), "line 3: the weight of e2e4 must be a whole number from 0 to 65535, not -1"),
        (weighs(json!(1.5)), "line 3: the weight of e2e4 must be a whole number from 0 to 65535, not 1.5"),
        (weighs(json!("5")), "line 3: invalid type: string"),
        (changed(2, "/moves/0/learn", json!(1_u64 << 32)), "line 3: the learn field of e2e4"),
        (moves("e1g1"), "line 3: e1g1 is not a legal move there (castling is written like e1h1"),
        (moves("e2e9"), "line 3: \"e2e9\" is not a move"),
        (moves("0x12"), "line 3: \"0x12\" is not a move"),
        (changed(2, "/moves/3/san", json!("Nf3")), "line 3: `san` is Nf3, but d2d4 is d4"),
        (changed(2, "/moves/3", e4.clone()), "line 3: e2e4 occurs twice"),
        (changed(1, "/moves/1", e4), "line 2: e2e4 occurs twice"),
        (
            changed(2, "/key", json!("463b96181691fc9d")),
            "line 3: the position in `fen` has the key 463b96181691fc9c",
        ),
        (changed(2, "/turn", json!("black")), "line 3: `turn` is not that of `fen`"),
        (changed(2, "/fen", json!("8/8/8/8")), "line 3: `fen`: "),
        (changed(1, "/key", json!("5")), "line 2: `key`: a key must have sixteen hexadecimal digits"),
        (changed(1, "/key", json!("f000000000000000")), "line 3: the key 463b96181691fc9c comes after f0"),
        (changed(1, "tally", json!([1, 0, 0])), "line 2: unknown field `tally`"),
        (header(json!({ "variants": ["a\nb"], "comment": "" })), "line 1: no file can have this header"),
        (header(json!({ "variants": [], "comment": "", "bytes": "4" })), "line 1: `bytes` of the header"),
        (changed(0, "/version", json!(2)), "line 1: the text has version 2"),
        (changed(0, "/format", json!("polyglot")), "line 1: the first line is not the header line of a book"),
        (good[1..].to_vec(), "line 1: the first line is not the header line of a book"),
        (good[..1].to_vec(), "the text has no line with moves"),
    ];
    for (lines, why) in wrong {
        let (code, said) = import(&bench, &lines);
        assert!(code == Some(1) && said.contains(why), "{why}: {said}");
        assert!(!bench.path("out.bin").exists(), "{why}");
    }
    assert_eq!(import(&bench, &good).0, Some(0));
}

#[test]
fn other_outputs_and_unsorted_books_are_refused() {
    let bench = Workbench::with("odd.bin", odd());
    bench.ok("export json odd.bin -o odd.jsonl");
    let said = bench.fails("import json odd.jsonl -o out.tabia", 2);
    assert!(said.contains("odd.jsonl describes a Polyglot book: name it NAME.bin"), "{said}");
    bench.write("unsorted.bin", [entry(START, 1, 1, 0), entry(UNREACHED, 1, 1, 0)].concat());
    bench.assert_fails("export json unsorted.bin -o x.jsonl", 1, ["unsorted.bin"]);
    assert_eq!(bench.names(), ["odd.bin", "odd.jsonl", "unsorted.bin"]);
}
