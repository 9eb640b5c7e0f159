//! `probe --policy`, `pick` and `policies`.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{chance, game, of};
use crate::workbench::{Workbench, assert_has};

fn with_sample() -> Workbench {
    Workbench::after(["build SAMPLE -o s.tabia --table s.table --polyglot s.bin"])
}

fn names() -> Vec<String> {
    let bench = Workbench::new();
    let policies = bench.json("policies");
    policies.as_array().unwrap().iter().map(|policy| policy["name"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn every_policy_chooses_from_books_tables_and_polyglot_books() {
    let bench = with_sample();
    for file in ["s.tabia", "s.table", "s.bin"] {
        for policy in names() {
            let choice = bench.choice(&format!("{file} --policy {policy}"), "e4 e5");
            let moves = choice["moves"].as_array().unwrap();
            let chances = moves.iter().map(|mv| mv["probability"].as_f64().unwrap());
            let sum: f64 = chances.sum();
            let none =
                choice["notes"].as_array().unwrap().iter().any(|note| note == "every move is excluded");
            assert!((sum - if none { 0.0 } else { 1.0 }).abs() < 1e-9, "{file} {policy}: {choice}");
        }
    }
}

#[test]
fn a_book_and_its_table_choose_alike() {
    let bench = with_sample();
    for policy in names() {
        let [book, table] =
            ["s.tabia", "s.table"].map(|file| bench.choice(&format!("{file} --policy {policy}"), "d4"));
        assert_eq!(book["moves"], table["moves"], "{policy}");
    }
}

/// 1.g3 e5 2.Nf3 was played, and 1.Nf3 e5: so after 1.Nf3 e5 the move 2.g3, which was never played, leads
/// into the book.
#[test]
fn postmodernist_finds_moves_that_lead_into_the_book() {
    let bench = Workbench::with(
        "t.pgn",
        game("a", "b", "1/2-1/2", "1. g3 e5 2. Nf3 Nf6") + &game("a", "b", "1/2-1/2", "1. Nf3 e5 2. e4 Nf6"),
    );
    bench.ok("build t.pgn -o t.tabia --table t.table --polyglot t.bin");
    for file in ["t.tabia", "t.table", "t.bin"] {
        let choice = bench.choice(&format!("{file} --policy postmodernist"), "Nf3 e5");
        assert_eq!((chance(&choice, "g3"), chance(&choice, "e4")), (0.5, 0.5), "{file}");
        assert_eq!(of(&choice, "g3")["in_book"], false);
        assert_eq!(of(&choice, "e4")["in_book"], true);
        let choice = bench.choice(&format!("{file} --policy polyglot"), "Nf3 e5");
        assert_eq!(choice["moves"].as_array().unwrap().len(), 1, "other moves are not looked up");
    }
    let text = bench.ok_at("probe t.tabia --policy postmodernist", "Nf3 e5");
    assert!(text.contains("chosen from outside the book's moves:\n  g3  50.0 %\n"), "{text}");
}

#[test]
fn chances_are_printed_with_the_counts() {
    let bench = Workbench::with(
        "t.pgn",
        game("a", "b", "1-0", "1. e4").repeat(3)
            + &game("a", "b", "0-1", "1. d4")
            + &game("a", "b", "0-1", "1. a4"),
    );
    bench.ok("build t.pgn -o t.tabia");
    let text = bench.ok("probe t.tabia --policy polyglot");
    assert!(
        text.ends_with(
            "move  games   share    White  drawn    Black    score   chance\n\
             e4        3  60.0 %  100.0 %  0.0 %    0.0 %  100.0 %  100.0 %\n\
             a4        1  20.0 %    0.0 %  0.0 %  100.0 %    0.0 %      out\n\
             d4        1  20.0 %    0.0 %  0.0 %  100.0 %    0.0 %      out\n"
        ),
        "{text}"
    );
}

#[test]
fn the_same_seed_draws_the_same_move_and_seeds_draw_by_chance() {
    let bench = with_sample();
    let choice = bench.choice("s.tabia --policy lokasoft --set move-distribution=times-played", "");
    let mut drawn: BTreeMap<String, u32> = BTreeMap::new();
    for seed in 0..60 {
        let pick =
            format!("pick s.tabia --policy lokasoft --set move-distribution=times-played --seed {seed}");
        let san = bench.ok(&pick);
        if seed < 5 {
            assert_eq!(san, bench.ok(&pick));
            let json = bench.json(&pick);
            assert_eq!(json["san"], san.trim());
            assert_eq!(json["probability"].as_f64(), Some(chance(&choice, san.trim())));
        }
        *drawn.entry(san.trim().to_owned()).or_default() += 1;
    }
    // 1.e4 has 66 %: 40 of 60, give or take four standard deviations.
    assert!((25..=54).contains(&drawn["e4"]), "{drawn:?}");
}

#[test]
fn nothing_in_the_book_is_no_failure() {
    let bench = with_sample();
    let pick = bench.ok_at("pick s.tabia --policy terra", "a4 a5 h4 h5");
    assert_eq!(pick, "no move: there is no candidate; the position is not in the book\n");
    let json: Value =
        serde_json::from_str(&bench.ok_at("pick s.tabia --policy terra --json", "a4 a5 h4 h5")).unwrap();
    assert_eq!(json["san"], Value::Null);
    let probe = bench.ok_at("probe s.tabia --policy terra --explain", "a4 a5 h4 h5");
    assert_has(&probe, ["not in the book\n", "note: there is no candidate\n"]);
}

#[test]
fn what_is_not_allowed_is_refused_with_what_is() {
    let bench = with_sample();
    let refused = |arguments: &str, text: &str| {
        let error = bench.fails(arguments, 2);
        assert!(error.contains(text), "tabia {arguments}: {error}");
    };
    refused("pick s.tabia --policy tera", "did you mean `terra`?");
    refused("policies tera", "did you mean `terra`?");
    refused("probe s.tabia --policy terra --set book-limt=3", "did you mean `book-limit`?");
    refused("probe s.tabia --policy terra --set book-limit=101", "must be a whole number from 0 to 100");
    refused("probe s.tabia --policy terra --set book-limit", "name=value");
    refused("probe s.tabia --policy terra --set book-limit=1 --set book-limit=2", "given twice");
    refused("probe s.tabia --explain", "--policy");
    refused("probe s.tabia --set book-limit=3", "--policy");
    bench.ok_at("learn set --value 3 -o x.parquet", "e4");
    refused("pick x.parquet --policy terra", "has no moves to choose from");
}

#[test]
fn policies_list_their_settings_ranges_and_sources() {
    let bench = Workbench::new();
    let list = bench.ok("policies");
    for policy in names() {
        assert!(list.contains(&format!("{policy} ")), "{policy} in {list}");
        let json = bench.json(&format!("policies {policy}"));
        assert!(!json["source"].as_str().unwrap().is_empty());
        let text = bench.ok(&format!("policies {policy}"));
        for parameter in json["parameters"].as_array().unwrap() {
            let part = |name: &str| parameter[name].as_str().unwrap();
            for column in [part("name"), part("range"), part("meaning"), part("source")] {
                assert!(!column.is_empty() && text.contains(column), "{column} in {text}");
            }
        }
    }
    let terra = bench.json("policies terra");
    let limit = &terra["parameters"].as_array().unwrap()[1];
    assert_eq!(limit["name"], "book-limit");
    assert_eq!(
        (&limit["default"], &limit["least"], &limit["most"], &limit["unit"]),
        (&"33".into(), &0.0.into(), &100.0.into(), &"percent".into())
    );
}
