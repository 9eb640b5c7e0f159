//! Games as examples: which are kept of each move, that neither order nor limits matter, and what joins make
//! of them.

use serde_json::Value;

use crate::workbench::Workbench;

/// Games of 1. e4 or 1. d4, each with its ratings and date.
fn game(number: usize, first: &str, elo: usize, date: &str) -> String {
    format!(
        "[Event \"E\"]\n[Site \"?\"]\n[Date \"{date}\"]\n[Round \"{number}\"]\n[White \"A{number}\"]\n[Black \"B\"]\n\
         [Result \"1-0\"]\n[WhiteElo \"{elo}\"]\n[BlackElo \"2000\"]\n\n1. {first} e6 2. Nc3 d5 1-0\n\n"
    )
}

/// Games `from` to `to` of a list in which ratings and dates go up and down.
fn games(from: usize, to: usize) -> String {
    let one =
        |n: usize| game(n, "e4", 2000 + n * 7 % 40, &format!("20{:02}.05.{:02}", n * 11 % 24, 1 + n % 28));
    (from..to).map(one).collect::<Vec<_>>().concat()
}

/// White's names of the best rated and of the newest games that a probe lists.
fn listed(bench: &Workbench, table: &str, line: &str, count: usize) -> [Vec<String>; 2] {
    let probe = format!("probe {table} --games {count}");
    let probe = if line.is_empty() { bench.json(&probe) } else { bench.json_at(&probe, line) };
    ["top", "recent"].map(|kind| {
        let name = |game: &Value| game["white"]["name"].as_str().unwrap().to_owned();
        probe["games"][kind].as_array().unwrap().iter().map(name).collect()
    })
}

/// The same, by the rule.
fn expected(from: usize, to: usize, count: usize) -> [Vec<String>; 2] {
    let rating = |n: usize| n * 7 % 40;
    let date = |n: usize| (n * 11 % 24, n % 28);
    let mut by_rating: Vec<_> = (from..to).collect();
    let mut by_date = by_rating.clone();
    by_rating.sort_by_key(|&n| std::cmp::Reverse((rating(n), date(n))));
    by_date.sort_by_key(|&n| std::cmp::Reverse((date(n), rating(n))));
    [by_rating, by_date].map(|list| list.into_iter().take(count).map(|n| format!("A{n}")).collect())
}

/// The bytes of a table's examples.
fn bytes(bench: &Workbench, table: &str) -> [Vec<u8>; 2] {
    ["moves", "games"].map(|name| bench.read(&format!("{table}/_examples/{name}")))
}

#[test]
fn the_best_rated_and_the_newest_games_of_a_move_are_kept() {
    let bench = Workbench::with("a.pgn", games(0, 40) + &game(90, "d4", 2800, "2024.01.01"));
    bench.ok("count a.pgn -o a.table --examples 3 --examples-min-games 2");
    assert_eq!(listed(&bench, "a.table", "", 3), expected(0, 40, 3));
    assert_eq!(listed(&bench, "a.table", "e4 e6", 2), expected(0, 40, 2));
    // A move of one game has no examples, so that the best rated game of the start position is not among
    // them.
    assert_eq!(listed(&bench, "a.table", "d4", 3), [Vec::<String>::new(), Vec::new()]);
    bench.assert_prints(
        "info a.table",
        ["games: the 3 best rated and 3 newest of each edge that has at least 2"],
    );
    bench.ok("verify a.table");
    let printed = bench.ok("probe a.table --games");
    assert!(printed.contains("best rated of the games that are kept:\n  e4"), "{printed}");
    bench.ok("count a.pgn -o plain.table");
    bench.assert_prints("probe plain.table --games", ["no games are kept"]);
}

#[test]
fn neither_order_nor_limits_matter() {
    let bench = Workbench::with("a.pgn", games(0, 300));
    bench.write("b.pgn", games(300, 700));
    let options = "--examples 4 --examples-min-games 1 --by month --repeats once";
    bench.ok(&format!("count a.pgn b.pgn -o 1.table {options} -j 1"));
    bench.ok(&format!("count b.pgn a.pgn -o 2.table {options} -j 3 --memory 40MiB --chunk-kib 1"));
    assert_eq!(bytes(&bench, "1.table"), bytes(&bench, "2.table"));
    let table = bench.path("1.table");
    let names: Vec<_> = table.read_dir().unwrap().map(|entry| entry.unwrap().file_name()).collect();
    let is_known = |name: &str| name.starts_with('_') || name.starts_with("part-");
    assert!(names.iter().all(|name| is_known(name.to_str().unwrap())), "{names:?}");
}

#[test]
fn tables_are_joined_as_if_all_games_had_been_counted_at_once() {
    let bench = Workbench::with("a.pgn", games(0, 300));
    bench.write("b.pgn", games(300, 700));
    bench.ok("count a.pgn b.pgn -o all.table --examples 4 --examples-min-games 5");
    for table in ["a", "b"] {
        bench.ok(&format!("count {table}.pgn -o {table}.table --examples 4 --examples-min-games 5"));
    }
    bench.ok("merge a.table b.table -o merged.table");
    assert_eq!(bytes(&bench, "merged.table"), bytes(&bench, "all.table"));
    let before = bytes(&bench, "a.table");
    bench.ok("add a.table b.pgn");
    assert_eq!(bytes(&bench, "a.table"), bytes(&bench, "all.table"));
    // Games that were examples are gone, and nothing says which follow them.
    let said = bench.said("subtract a.table b.pgn");
    assert!(said.contains("may lack better games"), "{said}");
    bench.ok("verify a.table");
    assert_ne!(bytes(&bench, "a.table"), before);
    bench.ok("count a.pgn -o plain.table");
    let said = bench.said("merge plain.table b.table -o none.table");
    assert!(said.contains("has no games as examples"), "{said}");
}

#[test]
fn a_join_says_where_games_may_be_missing() {
    let bench = Workbench::with("a.pgn", games(0, 4));
    bench.write("b.pgn", games(4, 12));
    for table in ["a", "b"] {
        bench.ok(&format!("count {table}.pgn -o {table}.table --examples 4 --examples-min-games 5"));
    }
    let said = bench.said("merge a.table b.table -o m.table");
    assert!(said.contains("the examples of 4 edges may lack better games"), "{said}");
    // What is added is known whole, so only the table's own games can be missing.
    let said = bench.said("add b.table a.pgn");
    assert!(!said.contains("may lack"), "{said}");
    assert_eq!(listed(&bench, "b.table", "e4", 4), expected(0, 12, 4));
}

#[test]
fn examples_that_make_no_sense_are_refused() {
    let bench = Workbench::with("a.pgn", games(0, 9));
    for (arguments, code, what) in [
        ("count a.pgn -o a.table --examples 0", 2, "1 to 64"),
        ("count a.pgn -o a.table --examples 65", 2, "1 to 64"),
        ("count a.pgn -o a.table --examples 4 --examples-min-games 0", 2, "at least 1"),
        ("count a.pgn -o a.table --examples 4 --resume", 2, "do not outlive a run"),
        ("build a.pgn -o a.tabia --examples 4", 2, "needs a table"),
        ("count a.pgn -o a.table --examples 4 --repertoire", 2, "the lines of a repertoire are none"),
    ] {
        bench.assert_fails(arguments, code, [what]);
    }
    bench.ok("build a.pgn -o a.tabia --table a.table --examples 4 --examples-min-games 3");
    bench.ok("verify a.table");
}

#[test]
fn damage_of_examples_is_found() {
    let bench = Workbench::with("a.pgn", games(0, 60));
    bench.ok("count a.pgn -o a.table --examples 3 --examples-min-games 2");
    for name in ["moves", "games"] {
        let path = format!("a.table/_examples/{name}");
        let sound = bench.read(&path);
        for at in (0..sound.len()).step_by(7) {
            let mut bytes = sound.clone();
            bytes[at] ^= 4;
            std::fs::write(bench.path(&path), bytes).unwrap();
            bench.fails("verify a.table", 1);
        }
        std::fs::write(bench.path(&path), &sound[1..]).unwrap();
        bench.fails("verify a.table", 1);
        std::fs::write(bench.path(&path), &sound).unwrap();
    }
    bench.ok("verify a.table");
}

#[test]
fn examples_are_exported() {
    let bench = Workbench::with("a.pgn", games(0, 60));
    bench.ok("count a.pgn -o a.table --examples 3 --examples-min-games 2");
    for key_type in ["u64", "i64"] {
        bench.ok(&format!("export parquet a.table -o {key_type} --key-type {key_type}"));
        let export: Value = serde_json::from_str(&bench.text(&format!("{key_type}/export.json"))).unwrap();
        let files = export["files"].as_array().unwrap();
        let rows = files.iter().find(|file| file["path"] == "examples/part-00000.parquet").unwrap();
        // Four moves, each with three best rated games and three newest ones, none of which is both.
        let both = listed(&bench, "a.table", "", 3);
        let is_both = both[0].iter().filter(|name| both[1].contains(name)).count();
        assert_eq!(rows["rows"], 4 * (6 - is_both));
    }
    bench.assert_prints("sql u64", ["CREATE OR REPLACE VIEW examples AS SELECT"]);
    bench.ok("count a.pgn -o plain.table");
    bench.ok("export parquet plain.table -o plain");
    assert!(!bench.path("plain/examples").exists());
    bench.assert_fails("export parquet plain.table -o x --only examples", 2, ["count --examples"]);
}

#[test]
fn games_that_stay_in_a_book_are_kept() {
    let line = |moves: &str| format!("[Result \"1-0\"]\n\n{moves} 1-0\n\n");
    let book = Workbench::with("book.pgn", line("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6"));
    let others = ["1. e4 e5 2. Nf3 Nc6 3. Bb5 Nf6", "1. e4 e5 2. Nf3 d6", "1. e4 c5", "1. e4 e5"];
    book.write("games.pgn", others.map(line).concat());
    book.ok("build book.pgn -o both.tabia --polyglot both.bin --min-games 1");
    book.ok("count book.pgn -o both.table");
    book.ok("build book.pgn -o white.tabia --min-games 1 --color white");
    for (book_name, plies, kept) in [
        ("both.tabia", 5, 2),
        ("both.table", 6, 1),
        ("both.bin", 3, 3),
        // Of the other side any move will do that leads back into the book.
        ("white.tabia", 5, 2),
        ("white.tabia", 1, 4),
    ] {
        let printed = book.ok(&format!("filter games.pgn --in {book_name} --in-plies {plies} -o -"));
        assert_eq!(printed.matches("[Result").count(), kept, "{book_name}, {plies}: {printed}");
    }
    let summary = book.json("filter games.pgn --in both.tabia --in-plies 5 -o kept.pgn --rest rest.pgn");
    assert_eq!(summary["filtered"]["in"], 2, "{summary}");
    assert_eq!(book.text("rest.pgn").matches("[Result").count(), 2);
    book.assert_fails("filter games.pgn --in nothing.tabia -o x.pgn", 1, ["nothing.tabia"]);
    book.assert_fails("filter games.pgn --in both.tabia --in-plies 0 -o x.pgn", 2, ["at least 1"]);
}
