//! Books edited: `.tabia` and Polyglot books, by commands, by a script, and by JSON.

mod lines;

use serde_json::Value;

use crate::workbench::Workbench;

/// `book.tabia` and `book.bin`.
fn bench() -> Workbench {
    Workbench::after(["build SAMPLE -o book.tabia --min-games 3 --polyglot book.bin"])
}

/// `tabia edit` with edits that have blanks; exit code and what it says.
fn edit(bench: &Workbench, arguments: &str, edits: &[&str]) -> (Option<i32>, String) {
    let output = bench.command(&format!("edit {arguments}")).args(edits).output().unwrap();
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

fn edited(bench: &Workbench, arguments: &str, edits: &[&str]) -> String {
    let (code, said) = edit(bench, arguments, edits);
    assert_eq!(code, Some(0), "{said}");
    said
}

/// The moves of a position, by SAN.
fn moves(bench: &Workbench, book: &str, line: &str) -> Vec<Value> {
    bench.probe(book, line)["moves"].as_array().cloned().unwrap_or_default()
}

fn has(bench: &Workbench, book: &str, line: &str, san: &str) -> Option<Value> {
    moves(bench, book, line).into_iter().find(|mv| mv["san"] == san)
}

#[test]
fn a_book_takes_every_edit_and_names_it() {
    let bench = bench();
    let edits = ["add e4 c5 Nf3 d6 h4: !", "drop d4", "forbid c4", "weigh e4: 80", "rename Spring: 2nd"];
    let said = edited(&bench, "book.tabia -o new.tabia", &edits);
    assert!(said.contains("edited: 1 move added, "), "{said}");
    bench.ok("verify new.tabia");
    let added = has(&bench, "new.tabia", "e4 c5 Nf3 d6", "h4").unwrap();
    assert_eq!((&added["games"], &added["known"]["user_value"]), (&0.into(), &75.into()));
    assert!(has(&bench, "new.tabia", "", "d4").is_none());
    assert_eq!(has(&bench, "new.tabia", "", "c4").unwrap()["known"]["user_value"], 0);
    assert_eq!(has(&bench, "new.tabia", "", "e4").unwrap()["known"]["user_value"], 80);
    // Games that were counted stay so.
    let games = |book: &str| has(&bench, book, "", "c4").unwrap()["games"].as_u64();
    assert_eq!(games("new.tabia"), games("book.tabia"));
    assert!(games("book.tabia") > Some(0));
    let info = bench.json("info new.tabia");
    let provenance = &info["details"]["provenance"];
    assert_eq!(provenance["edits"], serde_json::json!(edits));
    assert_eq!(provenance["name"], "Spring: 2nd");
    assert!(bench.ok("info new.tabia").contains("edited             drop d4\n"));
}

#[test]
fn edits_travel_through_json_merges_and_exports() {
    let bench = bench();
    edited(&bench, "book.tabia -o new.tabia", &["forbid c4", "rename Spring"]);
    bench.ok("export json new.tabia -o new.jsonl");
    bench.ok("import json new.jsonl -o again.tabia");
    assert_eq!(bench.read("new.tabia"), bench.read("again.tabia"));
    edited(&bench, "new.tabia -o other.tabia", &["drop f4"]);
    bench.ok("merge new.tabia other.tabia -o both.tabia --force");
    bench.ok("merge other.tabia new.tabia -o reverse.tabia --force");
    let info = bench.json("info both.tabia");
    let edits = &info["details"]["provenance"]["edits"];
    assert_eq!(
        edits,
        &serde_json::json!(["forbid c4", "rename Spring", "forbid c4", "rename Spring", "drop f4"])
    );
    assert_eq!(info["details"]["provenance"]["name"], "Spring");
    let provenance = |book| bench.ok(&format!("export json {book}")).lines().next().unwrap().to_owned();
    assert_eq!(provenance("both.tabia"), provenance("reverse.tabia"));
    bench.ok("export polyglot new.tabia -o new.bin --header");
    assert!(bench.ok("info new.bin").contains("edited: forbid c4"));
    assert!(has(&bench, "new.bin", "", "c4").is_none(), "a forbidden move is not exported");
}

#[test]
fn a_polyglot_book_takes_what_its_format_has() {
    let bench = bench();
    let edits = ["add e4 c5 Nf3 d6 h4: 7", "drop d4", "forbid c4", "weigh e4: 80", "rename Spring"];
    edited(&bench, "book.bin -o new.bin", &edits);
    bench.ok("verify new.bin");
    assert_eq!(has(&bench, "new.bin", "e4 c5 Nf3 d6", "h4").unwrap()["weight"], 7);
    assert_eq!(has(&bench, "new.bin", "", "e4").unwrap()["weight"], 80);
    assert_eq!(has(&bench, "new.bin", "", "c4").unwrap()["weight"], 0);
    assert!(has(&bench, "new.bin", "", "d4").is_none());
    bench.assert_prints("info new.bin", ["name: Spring", "edited: drop d4"]);
    // A new name takes the place of the old one; edits come after those before.
    edited(&bench, "new.bin -o newer.bin", &["rename Summer"]);
    let info = bench.ok("info newer.bin");
    assert!(info.contains("name: Summer") && !info.contains("name: Spring"), "{info}");
    assert!(info.contains("edited: rename Spring") && info.contains("edited: rename Summer"), "{info}");
    let (code, said) = edit(&bench, "book.bin -o x.bin", &["mark e4: !"]);
    assert!(code == Some(1) && said.contains("a Polyglot book has no marks"), "{said}");
}

#[test]
fn a_script_is_read_by_the_same_grammar() {
    let bench = bench();
    bench.write("a.edits", "# spring\n\ndrop d4 f5   # Dutch\nforbid c4\n");
    edited(&bench, "book.tabia --script a.edits -o a.tabia", &["rename S"]);
    edited(&bench, "book.tabia -o b.tabia", &["drop d4 f5", "forbid c4", "rename S"]);
    assert_eq!(bench.read("a.tabia"), bench.read("b.tabia"));
    bench.write("b.edits", "forbid c4\n\nforbd e4\n");
    let (code, said) = edit(&bench, "book.tabia --script b.edits -o x.tabia", &[]);
    assert!(
        code == Some(2) && said.contains("b.edits, line 3 (`forbd e4`): `forbd` is not an edit"),
        "{said}"
    );
    bench.write("c.edits", "\n# nothing\n");
    let (code, said) = edit(&bench, "book.tabia --script c.edits -o x.tabia", &[]);
    assert!(code == Some(2) && said.contains("no edit was given"), "{said}");
    assert!(!bench.path("x.tabia").exists());
}

/// A number that no book can hold is wrong usage, whatever the format of the book.
#[test]
fn a_weight_out_of_range_is_wrong_usage() {
    let bench = bench();
    for (book, weight, why) in [
        ("book.tabia", "101", "101 is above 100"),
        ("book.tabia", "-1", "`-1` is not a weight"),
        ("book.bin", "65536", "`65536` is not a weight"),
    ] {
        let (code, said) = edit(&bench, &format!("{book} -o x"), &[&format!("weigh e4: {weight}")]);
        assert!(code == Some(2) && said.contains(why), "{said}");
    }
    assert!(!bench.path("x").exists());
}

/// A script that was done in part goes on: what is done is passed over, counted, and not named by the book.
#[test]
fn what_is_done_already_is_skipped_on_request() {
    let bench = bench();
    bench.write("a.edits", "forbid c4\nadd a4 h5\n");
    edited(&bench, "book.tabia --script a.edits -o once.tabia", &[]);
    bench.write("b.edits", "forbid c4\nadd a4 h5: !\ndrop f4 a6 a3\nrename S\n");
    let (code, said) = edit(&bench, "once.tabia --script b.edits -o x.tabia", &[]);
    assert!(code == Some(1) && said.contains("b.edits, line 1 (`forbid c4`): nothing to change"), "{said}");
    let done = bench.json("edit once.tabia --script b.edits --skip-done -o twice.tabia");
    let expected = serde_json::json!({
        "edits skipped, done before": 2, "moves added": 0, "moves dropped": 0, "moves weighed or marked": 1,
        "positions dropped": 0,
    });
    assert_eq!(done["edited"], expected, "a line that is there still gets its mark");
    let info = bench.json("info twice.tabia");
    let edits = &info["details"]["provenance"]["edits"];
    assert_eq!(*edits, serde_json::json!(["forbid c4", "add a4 h5", "add a4 h5: !", "rename S"]));
    bench.write("c.edits", "mark h4 a5: !\n");
    bench.assert_fails(
        "edit once.tabia --script c.edits --skip-done -o x.tabia",
        1,
        ["`add` the line first"],
    );
}

#[test]
fn edits_that_change_nothing_or_make_no_sense_write_nothing() {
    let bench = bench();
    edited(&bench, "book.tabia -o pruned.tabia", &["prune unreachable", "rename P", "forbid c4"]);
    let wrong = [
        ("drop a4 a5", "edit 2 (`drop a4 a5`): nothing to drop: the book does not have a5 there"),
        ("drop e4 Ke2", "`Ke2` is not a legal move after e4"),
        ("add e4", "nothing to add: the book already has every move in the line"),
        ("weigh a4 a5: 10", "the book does not have a5 there: `add` the line first"),
        ("forbid c4", "nothing to change: c4 already has this value"),
        ("mark e4: clear", "nothing to change"),
        ("prune unreachable", "nothing to prune"),
        ("rename P", "already has that name"),
        ("drop [8/8/8/8/8/8/8/8 w - - 0 1] e4", "FEN"),
        ("drop [x e4", "without a `]`"),
        ("drop 1.", "no move"),
        ("drop c4", "is a move by White, but --color is Black"),
    ];
    for (text, why) in wrong {
        let color = if why.contains("--color") { "--color black" } else { "" };
        let first = if color.is_empty() { "weigh e4: 7" } else { "forbid e4 e5" };
        let mut edits = vec![first, text];
        edits.truncate(2);
        if text.contains("clear") {
            edits.swap_remove(0);
        }
        let (code, said) = edit(&bench, &format!("pruned.tabia -o x.tabia {color}"), &edits);
        assert!(
            code == Some(1) && said.contains(why) && said.contains("nothing was written"),
            "{text}: {said}"
        );
        assert!(!bench.path("x.tabia").exists(), "{text}");
    }
}

#[test]
fn outputs_and_inputs_are_guarded() {
    let bench = bench();
    let before = bench.read("book.tabia");
    let (code, said) = edit(&bench, "book.tabia -o book.tabia", &["drop d4"]);
    assert!(code == Some(2) && said.contains("--force"), "{said}");
    let said = edited(&bench, "book.tabia --dry-run", &["drop d4"]);
    assert!(said.contains("edited: ") && !said.contains("wrote"), "{said}");
    assert_eq!(bench.read("book.tabia"), before);
    edited(&bench, "book.tabia -o book.tabia --force", &["drop d4"]);
    assert!(has(&bench, "book.tabia", "", "d4").is_none());
    bench.ok("count SAMPLE -o games.table");
    let (code, said) = edit(&bench, "games.table -o x.tabia", &["drop d4"]);
    assert!(code == Some(2) && said.contains("`tabia compact` makes a book from a table"), "{said}");
    bench.write("broken.bin", b"123");
    assert_eq!(edit(&bench, "broken.bin -o x.bin", &["drop d4"]).0, Some(1));
    assert_eq!(edit(&bench, "book.bin", &["drop d4"]).0, Some(2), "no output");
}
