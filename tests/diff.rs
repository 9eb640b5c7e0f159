//! `tabia diff`: what two artefacts have, against their exports and against each other.

use serde_json::Value;

use crate::workbench::Workbench;

fn with_tables() -> Workbench {
    Workbench::after([
        "count SAMPLE -o all.table --max-ply 12",
        "count SAMPLE -o part.table --max-ply 12 --limit 1500",
    ])
}

fn compared(bench: &Workbench, arguments: &str) -> Value {
    bench.json(&format!("diff {arguments}"))
}

fn ranking<'v>(diff: &'v Value, by: &str) -> &'v Vec<Value> {
    let found = diff["rankings"].as_array().unwrap().iter().find(|ranking| ranking["by"] == by);
    found.unwrap_or_else(|| panic!("no {by}: {diff}"))["moves"].as_array().unwrap()
}

#[test]
fn a_table_and_the_book_of_all_its_moves_are_alike() {
    let bench = with_tables();
    bench.ok("compact all.table -o all.tabia --min-games 1");
    for pair in ["all.table all.table", "all.table all.tabia", "all.tabia all.tabia"] {
        let diff = compared(&bench, pair);
        assert_eq!((&diff["changed"], &diff["rankings"]), (&0.into(), &Value::Array(Vec::new())), "{pair}");
        assert_eq!((&diff["moves"]["only_first"], &diff["moves"]["only_second"]), (&0.into(), &0.into()));
        assert!(diff["moves"]["both"].as_u64().unwrap() > 1000, "{pair}");
    }
}

#[test]
fn fewer_games_are_found_where_they_are_missing() {
    let bench = with_tables();
    let diff = compared(&bench, "part.table all.table");
    assert_eq!(diff["moves"]["only_first"], 0);
    assert!(diff["rankings"].as_array().unwrap().iter().all(|ranking| ranking["by"] != "only-first"));
    let count = |table: &str, name: &str| {
        let probe = bench.json(&format!("probe {table}"));
        let moves = probe["moves"].as_array().unwrap().clone();
        let found = moves.iter().find(|found| found["san"] == name).unwrap();
        ["white", "draws", "black"].map(|result| found[result].as_u64().unwrap()).iter().sum::<u64>()
    };
    let first = &ranking(&diff, "games")[0];
    let san = first["line"].as_str().unwrap().trim_start_matches("1. ");
    assert_eq!(first["first"]["games"], count("part.table", san), "{first}");
    assert_eq!(first["second"]["games"], count("all.table", san), "{first}");
    // The other way round, first and second change places.
    let back = compared(&bench, "all.table part.table");
    assert_eq!(ranking(&back, "only-first").len(), ranking(&diff, "only-second").len());
    assert_eq!(ranking(&back, "share")[0]["first"], ranking(&diff, "share")[0]["second"]);
    assert!(ranking(&diff, "only-second").iter().all(|changed| changed["line"].is_string()), "{diff}");
}

#[test]
fn changes_are_ranked_and_have_enough_games() {
    let bench = with_tables();
    let diff = compared(&bench, "part.table all.table --min-games 40 --top 5");
    let values = |by: &str, value: &str| -> Vec<(f64, u64)> {
        let change = |changed: &Value| {
            let of = |side: &str| changed[side][value].as_f64().unwrap();
            ((of("first") - of("second")).abs(), changed["first"]["games"].as_u64().unwrap())
        };
        ranking(&diff, by).iter().map(change).collect()
    };
    for (by, value) in [("share", "share"), ("score", "score"), ("games", "games")] {
        let found = values(by, value);
        assert!(found.len() == 5 && found.is_sorted_by(|a, b| a.0 >= b.0), "{by}: {found:?}");
        assert!(by != "score" || found.iter().all(|(_, games)| *games >= 40), "{by}: {found:?}");
    }
}

/// What was set of a move by hand is a difference, with what forbids it.
#[test]
fn moves_that_only_one_book_plays_differ() {
    let bench = Workbench::after(["build SAMPLE -o a.tabia --min-games 20 --max-ply 8"]);
    bench.write("b.edits", "forbid d4\nweigh e4 e5: 40\n");
    bench.ok("edit a.tabia --script b.edits -o b.tabia");
    let diff = compared(&bench, "a.tabia b.tabia");
    assert_eq!((&diff["changed"], diff["rankings"].as_array().unwrap().len()), (&2.into(), 1), "{diff}");
    let set = ranking(&diff, "set");
    let lines: Vec<_> = set.iter().map(|changed| changed["line"].as_str().unwrap()).collect();
    assert_eq!(lines, ["1. e4 e5", "1. d4"]);
    assert_eq!(
        (&set[0]["second_set"]["value"], &set[0]["second_set"]["playable"]),
        (&40.into(), &true.into())
    );
    assert_eq!(
        (&set[1]["first_set"]["playable"], &set[1]["second_set"]["playable"]),
        (&true.into(), &false.into())
    );
    bench.assert_prints(
        "diff a.tabia b.tabia",
        [
            "2 of the moves in both differ",
            "set by hand, or never played\n",
            "– → value 40  1. e4 e5\n",
            "never  1. d4\n",
        ],
    );
    let legend =
        "\nset: by hand, a value from 0 (never) to 100 and a priority from p0 (never) to p5 (best)\n";
    bench.assert_prints("probe b.tabia", [legend]);
    bench.ok("diff a.tabia b.tabia -o all.parquet -q");
    assert!(bench.read("all.parquet").starts_with(b"PAR1"));
}

#[test]
fn polyglot_books_are_compared_by_weight() {
    let bench = with_tables();
    for name in ["all", "part"] {
        bench.ok(&format!("compact {name}.table -o {name}.tabia --min-games 3"));
        bench.ok(&format!("export polyglot {name}.tabia -o {name}.bin"));
    }
    let diff = compared(&bench, "part.bin all.bin");
    let first = &ranking(&diff, "weight")[0];
    assert!(first["first"]["weight"].as_u64() < first["second"]["weight"].as_u64(), "{first}");
    assert_eq!(first["first"]["games"], Value::Null);
    let text = bench.ok("diff part.bin all.bin --top 2");
    assert!(text.contains("\nlargest changes of weight\n") && text.contains(" only in all.bin"), "{text}");
    assert!(!text.contains("changes of games") && !text.contains("mover's score"), "{text}");
}

#[test]
fn the_result_does_not_depend_on_threads_and_memory() {
    let bench = with_tables();
    let first = bench.ok("diff part.table all.table -o a.parquet -j 1");
    let second = bench.ok("diff part.table all.table -o b.parquet -j 2 --memory 32MiB");
    assert!(first.ends_with("\nevery move that differs is in a.parquet\n"), "{first}");
    assert_eq!(second, first.replace("a.parquet", "b.parquet"));
    assert!(
        bench.read("a.parquet") == bench.read("b.parquet") && bench.read("a.parquet").starts_with(b"PAR1")
    );
}

#[test]
fn wrong_arguments_are_named() {
    let bench = with_tables();
    bench.write("x.parquet", "here before");
    for (arguments, code, expected) in [
        ("part.table", 2, "<SECOND>"),
        ("part.table nothing.table", 1, "nothing.table"),
        ("part.table all.table -o x.parquet", 2, "--force"),
        ("part.table all.table -o all.table", 2, "all.table"),
        ("part.table all.table -o -", 2, "cannot be standard output"),
    ] {
        bench.assert_fails(&format!("diff {arguments}"), code, [expected]);
    }
    assert_eq!(bench.read("x.parquet"), b"here before");
}
