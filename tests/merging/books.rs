//! `merge` of `.tabia` books.

use std::fs;

use serde_json::Value;

use crate::workbench::{Workbench, sample};

/// The sample's games in two files, the first with `first` games.
fn halves(bench: &Workbench, first: usize) {
    let text = fs::read_to_string(sample()).unwrap();
    let cut = text.match_indices("[Event ").nth(first).unwrap().0;
    bench.write("a.pgn", &text[..cut]);
    bench.write("b.pgn", &text[cut..]);
}

/// A probe's position tally and moves, without names.
fn counts(found: &Value) -> Value {
    let counts = |of: &Value| [&of["white"], &of["draws"], &of["black"]].map(Value::clone);
    let moves = found["moves"].as_array().unwrap().iter().map(|mv| (mv["uci"].clone(), counts(mv)));
    serde_json::json!([found["tally"], moves.collect::<Vec<_>>()])
}

/// Books that keep every move lose nothing: their sum is the book of all games, entry by entry.
#[test]
fn complete_books_add_up_to_the_book_of_all_games() {
    let bench = Workbench::new();
    halves(&bench, 1000);
    for name in ["a", "b"] {
        bench.ok(&format!("build {name}.pgn -o {name}.tabia"));
    }
    bench.ok("build a.pgn b.pgn -o whole.tabia");
    let output = bench.run("merge a.tabia b.tabia -o sum.tabia");
    assert!(!String::from_utf8_lossy(&output.stderr).contains("warning"));
    bench.ok("merge b.tabia a.tabia -o other.tabia");
    bench.ok("verify sum.tabia");
    assert_eq!(bench.read("sum.tabia"), bench.read("other.tabia"));
    bench.ok("export polyglot whole.tabia -o whole.bin --learn-field games --weight games");
    bench.ok("export polyglot sum.tabia -o sum.bin --learn-field games --weight games");
    assert_eq!(bench.read("sum.bin"), bench.read("whole.bin"));
    for line in ["", "e4", "e4 c5 Nf3 d6", "d4 Nf6"] {
        let (sum, whole) = (bench.probe("sum.tabia", line), bench.probe("whole.tabia", line));
        assert_eq!(counts(&sum), counts(&whole), "{line}");
        assert!(!sum["moves"].as_array().unwrap().is_empty(), "{line}");
    }
}

/// What filters dropped is gone, and the summary says where that may show.
#[test]
fn what_a_filter_dropped_is_said() {
    let bench = Workbench::new();
    halves(&bench, 800);
    bench.ok("build a.pgn -o a.tabia --min-games 4");
    bench.ok("build b.pgn -o b.tabia");
    let said = bench.said("merge a.tabia b.tabia -o sum.tabia");
    assert!(
        said.contains("warning: a.tabia does not have every move (it keeps min-games=4), so the tallies of some moves may be too low: "),
        "{said}"
    );
    assert_eq!(said.matches("warning").count(), 1, "b.tabia lacks nothing: {said}");
    let info = bench.json("info sum.tabia");
    let provenance = &info["details"]["provenance"];
    assert_eq!(provenance["book"]["keeps"], "every move or min-games=4");
    assert_eq!(provenance["book"]["merged"].as_array().unwrap().len(), 2);
    assert_eq!(provenance["sources"].as_array().unwrap().len(), 2);
    bench.ok("build a.pgn b.pgn -o whole.tabia");
    let (sum, whole) = (bench.probe("sum.tabia", ""), bench.probe("whole.tabia", ""));
    assert!(sum["tally"]["games"].as_u64() > Some(2000));
    assert_eq!(sum["tally"], whole["tally"], "a position of both books has all of its games");
}

#[test]
fn experience_merges_as_its_files_do() {
    let bench = Workbench::new();
    halves(&bench, 1000);
    for (name, line, value) in [("a", "e4 c5", "??"), ("b", "d4 d5", "!")] {
        bench.ok(&format!("count {name}.pgn -o {name}.table"));
        bench.ok_at(&format!("learn set --value {value} -o {name}.parquet"), line);
        bench.ok(&format!("compact {name}.table --experience {name}.parquet -o {name}.tabia"));
    }
    bench.assert_says("merge a.tabia b.tabia -o sum.tabia", ["2 rows of experience"]);
    bench.ok("verify sum.tabia");
    bench.ok("merge a.table b.table -o sum.table");
    bench.ok("compact sum.table --experience a.parquet b.parquet -o both.tabia");
    for line in ["e4", "d4"] {
        let experience = |book| {
            let found = bench.probe(book, line);
            found["moves"].as_array().unwrap().iter().map(|mv| mv["known"].clone()).collect::<Vec<_>>()
        };
        let found = experience("sum.tabia");
        assert_eq!(found, experience("both.tabia"));
        assert!(found.iter().any(|known| !known.is_null()), "{line}");
    }
}

#[test]
fn books_that_do_not_fit_are_refused_by_name() {
    let bench = Workbench::new();
    halves(&bench, 1000);
    bench.ok("build a.pgn -o a.tabia --min-games 3 --table a.table --polyglot a.bin");
    bench.ok("build b.pgn -o short.tabia --max-ply 20");
    bench.ok("build a.pgn -o again.tabia --min-games 2");
    let refused = [
        ("a.tabia short.tabia", 1, "short.tabia: max-ply is 20, but in a.tabia it is 60, so their counts"),
        ("a.tabia again.tabia", 1, "again.tabia and another of the books both contain the games of a.pgn ("),
        ("a.tabia a.bin", 2, "a.bin is a Polyglot book, but a.tabia is a book"),
        ("a.table a.tabia", 2, "a.tabia is a book, but a.table is a table"),
        (
            "a.tabia short.tabia --weights 1,2",
            2,
            "--weights applies only to Polyglot books, but the inputs are books",
        ),
        (
            "a.table a.table --cut-off 0.1",
            2,
            "--cut-off applies only to Polyglot books, but the inputs are tables",
        ),
        (
            "a.bin a.bin --drop-groups",
            2,
            "--drop-groups applies only to tables, but the inputs are Polyglot books",
        ),
        ("a.tabia nothing.tabia", 1, "nothing.tabia: no such file or folder"),
    ];
    for (inputs, code, why) in refused {
        bench.assert_fails(&format!("merge {inputs} -o out.tabia"), code, [why]);
        assert!(!bench.path("out.tabia").exists(), "{inputs}");
    }
    let before = bench.read("a.tabia");
    bench.fails("merge a.tabia again.tabia -o a.tabia", 2);
    bench.fails("merge a.tabia again.tabia -o -", 2);
    assert_eq!(bench.read("a.tabia"), before);
    bench.ok("merge a.tabia again.tabia -o a.tabia --force");
    assert!(bench.read("a.tabia") != before);
}
