//! Books as JSON lines and back.

mod polyglot;

use std::fs;

use serde_json::Value;

use crate::workbench::{Workbench, sample};

/// `a.tabia` with experience of a kept move, and of one that no entry has.
fn taught() -> Workbench {
    let bench = Workbench::after(["count SAMPLE -o a.table"]);
    for (name, line, value) in [("kept", "e4 c5", "??"), ("other", "a4 h5 a5 Rh6", "!")] {
        bench.ok_at(&format!("learn set --value {value} -o {name}.parquet"), line);
    }
    bench.ok("compact a.table --min-games 3 --experience kept.parquet other.parquet -o a.tabia");
    bench
}

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// What becomes of a text on standard input.
fn import(bench: &Workbench, text: &str) -> (Option<i32>, String) {
    let mut import = bench.command("import json - -o out.tabia --force");
    let output = import.write_stdin(text).output().unwrap();
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

#[test]
fn a_book_comes_back_byte_by_byte() {
    let bench = taught();
    let whole = format!("build {} -o whole.tabia", sample().display());
    bench.ok(&whole);
    for book in ["a", "whole"] {
        let text = bench.ok(&format!("export json {book}.tabia"));
        bench.ok(&format!("export json {book}.tabia -o {book}.jsonl -j 1"));
        assert_eq!(bench.text(&format!("{book}.jsonl")), text);
        bench.ok(&format!("import json {book}.jsonl -o again.tabia --force"));
        let [first, again] = [format!("{book}.tabia"), "again.tabia".into()].map(|book| bench.path(&book));
        assert_eq!(fs::read(first).unwrap(), fs::read(again).unwrap(), "{book}");
    }
}

/// Settings in a provenance may be fractions with all digits that a double has.
#[test]
fn long_fractions_keep_their_last_digit() {
    let bench = Workbench::new();
    let head = "{\"format\":\"tabia-book\",\"version\":1,\"counts\":{\"positions\":1,\"moves\":1},\
        \"provenance\":{\"shares\":[0.00023308445025757262,9.221885624698875e-6,0.12345678901234568]},\"sources\":null}";
    let text = format!(
        "{head}\n{{\"key\":\"0000000000000005\",\"turn\":\"white\",\"tally\":[1,0,0],\
         \"moves\":[{{\"move\":\"e2e4\",\"tally\":[1,0,0]}}]}}\n"
    );
    assert_eq!(import(&bench, &text).0, Some(0));
    let exported = bench.ok("export json out.tabia");
    assert_eq!(exported.lines().next(), Some(head));
    let first = fs::read(bench.path("out.tabia")).unwrap();
    assert_eq!(import(&bench, &exported).0, Some(0));
    assert_eq!(fs::read(bench.path("out.tabia")).unwrap(), first);
}

#[test]
fn lines_hold_all_that_the_book_does() {
    let bench = taught();
    let info = bench.json("info a.tabia");
    let lines = lines(&bench.ok("export json a.tabia"));
    let (head, positions) = lines.split_first().unwrap();
    assert_eq!(head["provenance"], info["details"]["provenance"]);
    let with_entries: Vec<_> = positions.iter().filter(|line| !line["tally"].is_null()).collect();
    assert_eq!(info["details"]["positions"], with_entries.len());
    let moves: usize = with_entries.iter().filter_map(|line| Some(line["moves"].as_array()?.len())).sum();
    assert_eq!(info["details"]["edges"], moves);
    let start = positions.iter().find(|line| line["key"] == "463b96181691fc9c").unwrap();
    assert_eq!(start["fen"], "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    assert!(start["moves"].as_array().unwrap().iter().any(|mv| mv["move"] == "g1f3" && mv["san"] == "Nf3"));
    let known = |line: &&Value| !line["experience"].is_null();
    let (inside, outside): (Vec<_>, Vec<_>) =
        positions.iter().filter(known).partition(|line| !line["tally"].is_null());
    assert_eq!((inside.len(), outside.len()), (1, 1));
    assert_eq!(inside[0]["experience"][0]["move"], "c7c5");
    assert_eq!(outside[0]["experience"][0]["move"], "h8h6");
}

/// A FEN alone names a position, and moves may be added and taken away.
#[test]
fn changed_text_is_another_book() {
    let bench = taught();
    let mut lines = lines(&bench.ok("export json a.tabia"));
    let start = lines.iter_mut().find(|line| line["key"] == "463b96181691fc9c").unwrap();
    start.as_object_mut().unwrap().remove("key");
    let moves = start["moves"].as_array_mut().unwrap();
    moves.retain(|mv| mv["move"] == "e2e4");
    let text = lines.iter().map(Value::to_string).collect::<Vec<_>>().join("\n");
    let (code, said) = import(&bench, &text);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("warning: the text was changed or its end is missing"), "{said}");
    bench.ok("verify out.tabia");
    let found = bench.json("probe out.tabia");
    let moves = found["moves"].as_array().unwrap();
    assert_eq!((moves.len(), &moves[0]["uci"]), (1, &Value::from("e2e4")));
}

#[test]
fn lines_that_make_no_sense_are_named() {
    let bench = Workbench::new();
    let head = |sources: &str| {
        format!(
            "{{\"format\":\"tabia-book\",\"version\":1,\"counts\":{{\"positions\":1,\"moves\":1}},\"provenance\":{{}},\"sources\":{sources}}}\n"
        )
    };
    let (plain, known) = (head("null"), head("[{}]"));
    let position = |key: &str, moves: &str| {
        format!("{{\"key\":\"{key}\",\"turn\":\"white\",\"tally\":[1,0,0],\"moves\":[{moves}]}}\n")
    };
    let good = position("0000000000000005", "{\"move\":\"e2e4\",\"tally\":[1,0,0]}");
    let rows = |row: &str| format!("{known}{{\"key\":\"0000000000000005\",\"experience\":[{row}]}}\n");
    let wrong = [
        (String::new(), "standard input, line 1: the text is empty"),
        (good.clone(), "line 1: the first line is not the header line"),
        (plain.replace(":1,\"counts", ":2,\"counts"), "line 1: the text has version 2"),
        (format!("{plain}{good}{{\"key\":"), "line 3: EOF while parsing a value (column 7)"),
        (format!("{plain}{good}{good}"), "line 3: the key 0000000000000005 comes after 0000000000000005"),
        (format!("{plain}{}", good.replace("e2e4", "e2e9")), "line 2: \"e2e9\" is not a move"),
        (format!("{plain}{}", good.replace("e2e4", "é2e4")), "is not a move"),
        (format!("{plain}{}", good.replace("[1,0,0],", "[0,0,0],")), "line 2: position 0000000000000005"),
        (format!("{plain}{}", good.replace("\"turn\":\"white\",", "")), "line 2: a tally without `turn`"),
        (format!("{plain}{}", good.replace("turn", "trun")), "unknown field `trun`"),
        (
            format!("{plain}{{\"key\":\"5\",\"tally\":[1,0,0]}}"),
            "`key`: a key must have sixteen hexadecimal digits",
        ),
        (format!("{plain}{{\"tally\":[1,0,0]}}"), "neither a `key` nor a `fen`"),
        (format!("{plain}{{\"key\":\"0000000000000005\"}}"), "neither a `tally` nor `experience`"),
        (rows("{\"move\":\"e2e4\",\"kind\":\"seen\"}"), "is not a `kind`"),
        (rows("{\"move\":\"e2e4\",\"kind\":\"book\",\"priority\":6}"), "a `priority` above 5"),
        (
            rows(
                "{\"move\":\"e2e4\",\"kind\":\"book\",\"taught\":[{\"source\":1,\"lesson\":\"set\",\"count\":1}]}",
            ),
            "a source that is not in the header line",
        ),
        (
            rows("{\"move\":\"e2e4\",\"kind\":\"book\"}").replace("[{}]", "null"),
            "`sources` in the header line is null",
        ),
        (plain.clone(), "the text has no line with moves"),
    ];
    for (text, why) in wrong {
        let (code, said) = import(&bench, &text);
        assert!(code == Some(1) && said.contains(why), "{why}: {said}");
        assert!(!bench.path("out.tabia").exists(), "{why}");
    }
    let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let text = format!("{plain}{}", good.replace("{\"key\"", &format!("{{\"fen\":\"{fen}\",\"key\"")));
    assert!(
        import(&bench, &text).1.contains("the position in `fen` has the key 463b96181691fc9c"),
        "another key"
    );
    assert_eq!(import(&bench, &format!("{plain}{good}")).0, Some(0));
}

#[test]
fn other_files_are_refused() {
    let bench = taught();
    assert!(bench.fails("export json a.table -o x.jsonl", 2).contains("is a table, not a tabia book"));
    assert!(bench.fails("export json a.tabia --json", 2).contains("--json prints on standard output"));
    assert!(bench.fails("import json a.tabia -o x.tabia", 1).contains("a.tabia, line 1: "));
    bench.fails("import json nothing.jsonl -o x.tabia", 1);
    bench.fails("import json a.tabia -o -", 2);
    bench.ok("export json a.tabia -o a.jsonl");
    let named_bin = bench.fails("import json a.jsonl -o x.bin", 2);
    assert!(named_bin.contains("a.jsonl describes a tabia book: name it NAME.tabia"), "{named_bin}");
    bench.fails("export json a.tabia -o a.jsonl", 2);
    bench.fails("import json a.jsonl -o a.tabia", 2);
    assert!(!["x.jsonl", "x.tabia", "x.bin"].iter().any(|name| bench.path(name).exists()));
}
