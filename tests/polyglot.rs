//! Polyglot books by policy, learn fields and unscored moves, as `export polyglot` writes them.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::workbench::{Workbench, assert_has, game};

/// One entry: move, weight, learn field.
type Entry = (u16, u16, u32);

/// The entries of a Polyglot book by key.
fn entries(bench: &Workbench, book: &str) -> BTreeMap<u64, Vec<Entry>> {
    let mut entries: BTreeMap<u64, Vec<Entry>> = BTreeMap::new();
    for entry in bench.read(book).chunks(16) {
        let bits = u128::from_be_bytes(entry.try_into().unwrap());
        let read = ((bits >> 48) as u16, (bits >> 32) as u16, bits as u32);
        entries.entry((bits >> 64) as u64).or_default().push(read);
    }
    entries
}

/// A position's moves by name with their weights in a Polyglot book.
fn weights(bench: &Workbench, book: &str, line: &str) -> BTreeMap<String, f64> {
    let found = bench.probe(book, line);
    let weight = |mv: &Value| (mv["uci"].as_str().unwrap().to_owned(), mv["weight"].as_f64().unwrap());
    found["moves"].as_array().unwrap().iter().map(weight).collect()
}

/// The moves that a policy can play, with their chances.
fn chances(bench: &Workbench, policy: &str, line: &str) -> BTreeMap<String, f64> {
    let found = bench.probe(&format!("s.tabia --policy {policy}"), line);
    let chance = |mv: &Value| (mv["uci"].as_str().unwrap().to_owned(), mv["probability"].as_f64().unwrap());
    let moves = found["choice"]["moves"].as_array().unwrap().iter().map(chance);
    moves.filter(|(_, chance)| *chance > 0.0).collect()
}

/// `s.tabia`, with 1.e4 c5 ruled out and 1.e4 e6 learned good.
fn taught() -> Workbench {
    let bench = Workbench::after(["count SAMPLE -o s.table"]);
    bench.ok_at("learn set --value ?? -o bad.parquet", "e4 c5");
    bench.write(
        "good.lrn",
        "[White \"a\"]\n[Black \"Crafty 15.17\"]\n[Date \"1998.09.01\"]\n e4 e6 {-125 5 0}\n",
    );
    bench.ok("learn crafty good.lrn --table s.table -o good.parquet");
    bench.ok("compact s.table --min-games 3 --experience bad.parquet good.parquet -o s.tabia");
    bench
}

const LINES: [&str; 6] = ["", "e4", "e4 e5", "d4 d5", "e4 c5 Nf3", "c4"];
const POLICIES: [&str; 12] = [
    "crafty",
    "crafty --set version=15.17",
    "crafty --set book-random=false",
    "crafty-5.1",
    "crafty-5.2",
    "lokasoft",
    "terra",
    "postmodernist",
    "postmodernist --set random=uniform",
    "polyglot",
    "wilson --set choice=best",
    "bayes",
];

#[test]
fn weights_are_in_proportion_to_the_chances_of_every_policy() {
    let bench = taught();
    for policy in POLICIES {
        bench.ok(&format!("export polyglot s.tabia -o s.bin --force --policy {policy}"));
        for line in LINES {
            let (expected, found) = (chances(&bench, policy, line), weights(&bench, "s.bin", line));
            let largest = expected.values().copied().fold(0.0, f64::max);
            let scaled = |chance: &f64| (chance / largest * 65_535.0).round().max(1.0);
            let expected: BTreeMap<_, _> = expected.iter().map(|(mv, it)| (mv.clone(), scaled(it))).collect();
            assert!(expected.keys().eq(found.keys()), "{policy} after '{line}': {found:?} for {expected:?}");
            for (mv, weight) in &expected {
                assert!((weight - found[mv]).abs() <= 1.0, "{policy} after '{line}': {mv} {found:?}");
            }
        }
    }
}

#[test]
fn a_book_by_policy_is_the_same_for_any_number_of_threads() {
    let bench = taught();
    for policy in ["terra", "postmodernist"] {
        for (threads, memory) in [(1, 64), (3, 256)] {
            bench.ok(&format!(
                "export polyglot s.tabia -o {threads}.bin --force --policy {policy} -j {threads} --memory {memory}MiB"
            ));
        }
        assert!(bench.read("1.bin") == bench.read("3.bin"), "{policy}");
        assert!(bench.ok("verify 1.bin").contains("sound"));
    }
}

#[test]
fn what_the_policy_never_plays_is_left_out_and_counted() {
    let bench = taught();
    let summary = bench.json("export polyglot s.tabia -o s.bin --policy crafty-5.1");
    let never_played = summary["exported"]["moves never played"].as_u64().unwrap();
    let written = entries(&bench, "s.bin").values().map(Vec::len).sum::<usize>() as u64;
    let info = bench.json("info s.tabia");
    assert_eq!(written + never_played, info["details"]["edges"].as_u64().unwrap(), "{summary}");
    assert!(!weights(&bench, "s.bin", "e4").contains_key("c7c5"));
    let said = bench.said("export polyglot s.tabia -o s.bin --force --policy crafty-5.1");
    assert!(said.contains("moves that the policy never plays"), "{said}");
}

/// 1.Nf3 e5 2.g3 was never played; it leads to a position of the book.
#[test]
fn moves_that_only_lead_into_the_book_are_written_for_policies_that_play_them() {
    let bench = Workbench::new();
    bench.write("t.pgn", game("1. g3 e5 2. Nf3 Nf6", "1/2-1/2") + &game("1. Nf3 e5 2. e4 Nf6", "1/2-1/2"));
    bench.ok("build t.pgn -o s.tabia");
    bench.ok("export polyglot s.tabia -o t.bin --policy postmodernist");
    let found = weights(&bench, "t.bin", "Nf3 e5");
    assert_eq!(found, BTreeMap::from([("e2e4".into(), 65_535.0), ("g2g3".into(), 65_535.0)]));
}

/// 1.e4 d6 was played once, so the book has 1.e4 and from a later position on the rest, with a gap between.
#[test]
fn positions_that_no_line_leads_to_are_said() {
    let bench = Workbench::new();
    let games = ["1. e4 d6 2. d4 Nf6 3. Nc3", "1. d4 d6 2. e4 Nf6 3. Nc3", "1. e4", "1. e4"];
    bench.write("t.pgn", games.map(|moves| game(moves, "1-0")).concat());
    bench.ok("build t.pgn -o s.tabia --min-games 2");
    let said = bench.said("export polyglot s.tabia -o t.bin --policy postmodernist");
    assert_has(&said, ["left out of the Polyglot book: 3 positions with 2 moves: the policy needs"]);
    bench.ok("export polyglot s.tabia -o t.bin --force --policy crafty-5.1");
    assert_eq!(entries(&bench, "t.bin").len(), 3, "a policy that needs no board weighs them all");
}

#[test]
fn unscored_moves_are_dropped_where_asked_and_weigh_1_otherwise() {
    let bench = Workbench::new();
    bench.write("t.pgn", game("1. e4 e5", "1-0") + &game("1. f3 e5", "0-1") + &game("1. d4", "1/2-1/2"));
    let drop = "build t.pgn -o s.tabia --force --polyglot t.bin";
    bench.ok(drop);
    let all = [("d2d4", 1.0), ("e2e4", 2.0), ("f2f3", 1.0)].map(|(mv, weight)| (mv.to_owned(), weight));
    assert_eq!(weights(&bench, "t.bin", ""), BTreeMap::from(all.clone()));
    let said = bench.said(&format!("{drop} --drop-unscored"));
    assert!(said.contains("left out of the Polyglot book: 2 moves that never scored"), "{said}");
    assert_eq!(weights(&bench, "t.bin", ""), BTreeMap::from(all).into_iter().take(2).collect());
    assert!(weights(&bench, "t.bin", "e4").is_empty() && !weights(&bench, "t.bin", "f3").is_empty());
}

#[test]
fn the_learn_field_holds_what_was_asked_for() {
    let bench = taught();
    let learn = |field: &str, policy: &str| {
        bench.ok(&format!("export polyglot s.tabia -o s.bin --force --learn-field {field} {policy}"));
        entries(&bench, "s.bin")
    };
    // After 1.e4, and the reply e6.
    let (e4, e6) = (0x823c_9b50_fd11_4196, 0x0d2c);
    for policy in ["", "--policy lokasoft"] {
        assert!(learn("none", policy).values().flatten().all(|entry| entry.2 == 0));
        let learned = learn("learned", policy);
        let learned = learned[&e4].iter().find(|entry| entry.0 == e6).unwrap().2.cast_signed();
        let games = learn("games", policy)[&e4].iter().find(|entry| entry.0 == e6).unwrap().2;
        let found = bench.probe("s.tabia", "e4");
        let e6 = found["moves"].as_array().unwrap().iter().find(|mv| mv["san"] == "e6").unwrap();
        let pawns = e6["known"]["learn"].as_f64().unwrap();
        assert!(learned != 0 && (f64::from(learned) - 100.0 * pawns).abs() <= 0.5, "{policy}: {learned}");
        let count = |name: &str| e6[name].as_u64().unwrap();
        let (white, draws, black) = (count("white"), count("draws"), count("black"));
        assert_eq!(u64::from(games), (white + draws + black) << 16 | (2 * black + draws), "{policy}");
    }
}

#[test]
fn flags_that_exclude_each_other_are_refused() {
    let bench = taught();
    for other in ["--weight games", "--counts-only", "--drop-unscored"] {
        bench.fails(&format!("export polyglot s.tabia -o t.bin --policy terra {other}"), 2);
    }
    bench.fails("export polyglot s.tabia -o t.bin --set book-limit=1", 2);
    bench.assert_fails("export polyglot s.tabia -o t.bin --policy tera", 2, ["did you mean `terra`?"]);
    let error = bench.fails("export polyglot s.tabia -o t.bin --policy terra --set book-limit=101", 2);
    assert!(error.contains("book-limit"), "{error}");
    assert!(!bench.path("t.bin").exists());
}

#[test]
fn recipes_weigh_by_policy_too() {
    let bench = taught();
    let recipe = |keys: &str| {
        format!(
            "[pipeline]\nformat = 1\nsummary = \"x\"\n[stage.book]\nkind = \"open-book\"\npath = \"s.tabia\"\n\
             [stage.polyglot]\nkind = \"export-polyglot\"\ninputs = [\"book\"]\noutput = \"r.bin\"\n{keys}\n"
        )
    };
    bench.write(
        "p.toml",
        recipe("policy = \"terra\"\nsettings = { book-limit = 20 }\nlearn_field = \"games\""),
    );
    bench.ok("run p.toml");
    bench.ok("export polyglot s.tabia -o c.bin --policy terra --set book-limit=20 --learn-field games");
    assert!(bench.read("r.bin") == bench.read("c.bin"));
    for (keys, said) in [
        ("policy = \"terra\"\ncounts_only = true", "counts_only"),
        ("policy = \"terra\"\nweight = \"games\"", "weight"),
        ("settings = { book-limit = 20 }", "needs `policy`"),
    ] {
        bench.write("bad.toml", recipe(keys));
        bench.assert_fails("run bad.toml", 2, [said]);
    }
}

#[test]
fn picks_without_a_seed_differ_and_name_their_seed() {
    let bench = taught();
    let pick = |arguments: &str| -> Value {
        let picked =
            format!("pick s.tabia --policy lokasoft --set move-distribution=random {arguments} --json");
        serde_json::from_str(&bench.ok(&picked)).unwrap()
    };
    let picks: Vec<_> = (0..5).map(|_| pick("")).collect();
    let seed = |pick: &Value| pick["seed"].as_u64().unwrap();
    assert!(picks.iter().skip(1).all(|pick| seed(pick) != seed(&picks[0])), "{picks:?}");
    for picked in picks {
        assert_eq!(pick(&format!("--seed {}", seed(&picked))), picked);
    }
}

#[test]
fn weights_that_the_version_decides_are_explained_by_number() {
    let bench = taught();
    for (settings, expected) in [
        ("", ["freq-weight = 1 ", "learn-weight = 1 ", "eval-weight = 0.1 "]),
        ("--set version=16", ["freq-weight = 1 ", "learn-weight = 0.3 ", "eval-weight = 0.1 "]),
    ] {
        let shown = bench.ok(&format!("probe s.tabia --policy crafty {settings} --explain"));
        let said = |line: &str| shown.contains(&format!("  {line}(default)\n"));
        assert!(expected.into_iter().all(said), "{shown}");
    }
}

/// E has gone on alone after 1.e4 e5, to positions that the book does not have.
#[test]
fn postbook_moves_beyond_the_book_are_written() {
    let bench = Workbench::new();
    let game = |white: &str, moves: &str| {
        format!("[White \"{white}\"]\n[Black \"b\"]\n[Result \"1-0\"]\n\n{moves} 1-0\n\n")
    };
    bench.write("t.pgn", game("a", "1. e4 e5").repeat(2));
    bench.write("own.pgn", game("E", "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6"));
    bench.ok("count t.pgn -o s.table");
    bench.ok("learn games own.pgn --player E --rule terra --table s.table -o own.parquet");
    bench.ok("compact s.table --experience own.parquet -o s.tabia");
    for settings in ["", "--set min-terra-games=1"] {
        let policy = format!("terra {settings}");
        let said = bench.said(&format!("export polyglot s.tabia -o t.bin --force --policy {policy}"));
        for line in ["e4 e5", "e4 e5 Nf3 Nc6"] {
            let (expected, found) = (chances(&bench, &policy, line), weights(&bench, "t.bin", line));
            assert!(
                expected.len() == 1 && expected.keys().eq(found.keys()),
                "{line}: {found:?} for {expected:?}"
            );
        }
        assert!(said.contains("1 position beyond the book, with PostBook moves"), "{said}");
        assert!(bench.ok("verify t.bin").contains("sound"));
    }
}

/// A header of ours has count and checksum of the entries; `verify` says what it could check.
#[test]
fn count_and_checksum_are_in_a_header() {
    let bench = Workbench::after(["build SAMPLE -o s.tabia --polyglot s.bin --header --min-games 3"]);
    bench.ok("export polyglot s.tabia -o same.bin --header");
    bench.ok("export polyglot s.tabia -o plain.bin");
    let (sealed, plain) = (bench.read("s.bin"), bench.read("plain.bin"));
    assert!(sealed == bench.read("same.bin") && sealed.ends_with(&plain));
    bench.assert_prints("verify s.bin", ["; order, count and checksum checked)"]);
    bench.assert_prints("verify plain.bin", ["; order checked, it has no checksum)"]);
    assert_eq!(bench.json("verify s.bin")["checked"]["checksum"], true);
    assert_eq!(bench.json("verify plain.bin")["checked"]["checksum"], false);
    bench.assert_prints("info s.bin", [format!("entries: {}, xxh3: ", plain.len() / 16)]);
    // What is damaged below the header is found, also where keys still ascend.
    let mut flipped = sealed.clone();
    let weight = sealed.len() - 5;
    flipped[weight] ^= 1;
    bench.write("flipped.bin", flipped);
    bench.assert_fails("verify flipped.bin", 1, ["the header has another checksum of the entries"]);
    bench.write("cut.bin", &sealed[..sealed.len() - 16]);
    bench.assert_fails("verify cut.bin", 1, ["the header has another number of entries"]);
    // Text gives the bytes again, and one that a script changed has a checksum of its own.
    let text = bench.ok("export json s.bin");
    bench.write("s.jsonl", &text);
    bench.ok("import json s.jsonl -o again.bin");
    assert!(bench.read("again.bin") == sealed);
    let fewer: Vec<&str> = text.lines().take(text.lines().count() - 1).collect();
    bench.write("fewer.jsonl", fewer.join("\n"));
    bench.ok("import json fewer.jsonl -o fewer.bin");
    bench.assert_prints("verify fewer.bin", ["order, count and checksum checked"]);
    bench.write("edits.txt", "add h4\nrename mine\n");
    bench.ok("edit s.bin --script edits.txt -o edited.bin");
    bench.assert_prints("verify edited.bin", ["order, count and checksum checked"]);
    assert_eq!(bench.ok("info edited.bin").matches("xxh3: ").count(), 1);
    // A header of a version before has none.
    let older = text.replacen(", xxh3: ", ", other: ", 1);
    bench.write("older.jsonl", older);
    bench.ok("import json older.jsonl -o older.bin");
    bench.assert_prints("verify older.bin", ["order checked, it has no checksum"]);
}
