//! Experience files as wholes: merged, compared, aged, cleared, described, checked.

use serde_json::{Value, json};

use super::{CRAFTY, RUY, game, lesson, number, record, ruy};
use crate::workbench::{Workbench, assert_has};

fn kinds(bench: &Workbench, file: &str) -> Value {
    let info = bench.json(&format!("info {file}"));
    info["details"]["summary"]["rows"].clone()
}

/// Learned values average by lessons, own games add up, the later setting replaces the earlier one, sources
/// stay separate.
#[test]
fn merged_files_know_what_both_know() {
    let bench = ruy();
    let line = format!("{RUY} O-O");
    bench.write("a.lrn", lesson("a", "O-O", -30) + &lesson("b", "O-O", -30) + &lesson("c", "O-O", -30));
    bench.write("b.lrn", lesson("d", "O-O", 50));
    bench.write("own1.pgn", game("Eng", "Opp", "0-1", &[], "e4 e5 Nf3 Nc6"));
    bench.write("own2.pgn", game("Eng", "Opp", "1-0", &[], "e4 e5 Nf3 Nc6"));
    bench.learn("crafty a.lrn", "a.parquet");
    bench.learn("crafty b.lrn", "b.parquet");
    bench.learn("games own1.pgn --player Eng --rule terra --continue a.parquet", "one.parquet");
    bench.learn("games own2.pgn --player Eng --rule terra --continue b.parquet", "two.parquet");
    bench.ok("learn set --line d4 --value 75 --priority 1 --continue one.parquet -o first.parquet");
    bench.ok("learn set --line d4 --value 15 --continue two.parquet -o second.parquet");
    bench.ok("experience merge first.parquet second.parquet -o m.parquet");
    let known = bench.known("m.parquet");
    // (−0.30 · 3 + 0.50 · 1) / 4.
    let (learn, count) = (number(&known[&line]["learn"]), &known[&line]["learn_count"]);
    assert!((learn + 0.1).abs() < 1e-7 && count == 4, "{learn} {count}");
    assert_eq!(known["e4"]["own"], json!({"wins": 1, "draws": 0, "losses": 1}));
    assert_eq!((&known["d4"]["user_value"], &known["d4"]["priority"]), (&json!(15), &json!(1)));
    let found: Vec<_> = known["e4"]["sources"]
        .as_array()
        .unwrap()
        .iter()
        .map(|source| [&source["source"], &source["value"], &source["count"]].map(Value::to_string).join(" "))
        .collect();
    let expected = [
        "\"a.lrn\" \"learn\" 3",
        "\"b.lrn\" \"learn\" 1",
        "\"own1.pgn\" \"own\" 1",
        "\"own2.pgn\" \"own\" 1",
    ];
    assert_eq!(found, expected);
    // In the other order only the value set by hand differs.
    bench.ok("experience merge second.parquet first.parquet -o n.parquet");
    let differences = bench.ok("experience diff m.parquet n.parquet");
    assert!(differences.ends_with("\n1 difference, 11 equal\n"), "{differences}");
    assert_has(&differences, ["- set to 15, priority 1", "+ set to 75, priority 1"]);
    bench.ok("verify m.parquet");
}

#[test]
fn the_same_lesson_in_both_files_is_warned_of() {
    let bench = ruy();
    bench.write("a.lrn", lesson("a", "O-O", -30) + &lesson("b", "O-O", -40));
    bench.write("b.lrn", lesson("b", "O-O", -40) + &lesson("c", "O-O", -50));
    bench.learn("crafty a.lrn", "a.parquet");
    bench.learn("crafty b.lrn", "b.parquet");
    let merged: Value = bench.json("experience merge a.parquet b.parquet -o m.parquet");
    let warning = merged["warnings"][0].as_str().unwrap();
    assert!(warning.starts_with("1 game") && warning.contains("more than once"), "{warning}");
    assert_eq!(kinds(&bench, "m.parquet"), json!({"book": 11, "seen": 3}));
}

#[test]
fn differences_are_listed_by_edge() {
    let bench = ruy();
    bench.teach("a", lesson("a", "O-O", -30));
    bench.ok("learn set --line e4 --value ! --continue a.parquet -o b.parquet");
    assert_eq!(bench.ok("experience diff a.parquet a.parquet"), "0 differences, 11 equal\n");
    assert_eq!(
        bench.ok("experience diff a.parquet b.parquet"),
        "463b96181691fc9c e2e4 [book]\n  - learned -0.05\n  + learned -0.05\n  + set to 75 (!), priority 4\n\
         1 difference, 10 equal\n"
    );
}

/// Values above −0.80 are moved towards zero, really bad ones stay (Crafty: ageing).
#[test]
fn ageing_leaves_really_bad_moves() {
    let bench = ruy();
    let text = lesson("a", "O-O", -80) + &lesson("b", "d3", -79) + &lesson("c", "Nc3", -200);
    bench.teach("a", text);
    bench.ok("learn set --line d4 --value 75 --continue a.parquet -o b.parquet");
    bench.ok("experience age b.parquet --factor 0.5 -o aged.parquet");
    let (before, after) = (bench.known("b.parquet"), bench.known("aged.parquet"));
    assert_eq!(before.len(), after.len());
    let ends = |last: &str| number(&after[&format!("{RUY} {last}")]["learn"]);
    assert_eq!([ends("O-O"), ends("d3"), ends("Nc3")], [-0.8, -0.395, -2.0]);
    for (line, known) in before.iter().filter(|(_, known)| known["learn"].is_number()) {
        let (old, new) = (number(&known["learn"]), number(&after[line]["learn"]));
        assert_eq!(new, if f64::from(old) > -0.8 { old * 0.5 } else { old }, "{line}");
    }
    assert_eq!(before["d4"], after["d4"]);
    for factor in ["1.5", "-1", "NaN"] {
        let error = bench.fails(&format!("experience age b.parquet -o x.parquet --factor={factor}"), 2);
        assert!(error.contains("from 0 to 1"), "{error}");
    }
}

/// By kind, by value, by source, by date, and all.
#[test]
fn values_are_taken_out_again() {
    let bench = ruy();
    bench.write("old.lrn", lesson("a", "O-O", -30));
    bench.write("new.lrn", lesson("b", "d3", -30).replace("1998.09.01", "2003.05.01"));
    bench
        .write("own.pgn", game("Eng", "Opp", "0-1", &[("Date", "2020.01.01")], &format!("{RUY} O-O b6 Re1")));
    bench.learn("crafty old.lrn", "1.parquet");
    bench.learn("crafty new.lrn --continue 1.parquet", "2.parquet");
    bench.learn("games own.pgn --player Eng --continue 2.parquet", "3.parquet");
    bench.ok("learn set --line e4 --value 75 --continue 3.parquet -o all.parquet");
    let cleared = |arguments: &str| {
        bench.ok(&format!("experience clear all.parquet {arguments} -o c.parquet --force"));
        bench.known("c.parquet")
    };
    let all = bench.known("all.parquet");
    assert_eq!(kinds(&bench, "all.parquet"), json!({"book": 12, "postbook": 1, "seen": 3}));

    let left = cleared("--kind postbook");
    assert_eq!(left.len(), all.len() - 1);
    let left = cleared("--value own");
    assert!(left.values().all(|known| known["own"].is_null()) && left["e4"]["learn"].is_number());
    let left = cleared("--value set");
    assert_eq!((&left["e4"]["user_value"], left.len()), (&Value::Null, all.len()));
    // Both lessons made e4's value: it goes with either; 6.O-O's is the old file's alone, 6.d3's the new
    // one's.
    let (old, new) = (format!("{RUY} O-O"), format!("{RUY} d3"));
    let left = cleared("--source old.lrn");
    assert!(
        left["e4"]["learn"].is_null() && left[&old]["learn"].is_null() && left[&new]["learn"].is_number()
    );
    let left = cleared("--before 2000-01-01");
    assert!(
        left[&old]["learn"].is_null() && left["e4"]["learn"].is_number() && left[&new]["learn"].is_number()
    );
    assert_eq!(left["e4"]["user_value"], 75, "its day is not known");
    let left = cleared("--source old.lrn --value own");
    assert_eq!(left, all);
    assert!(cleared("--all").is_empty());
    assert_eq!(kinds(&bench, "c.parquet"), json!({}));

    for (arguments, mentions) in [
        ("", "--all"),
        ("--source no.lrn", "old.lrn"),
        ("--before 1998-13-01", "1998-13-01"),
        ("--kind games", "postbook"),
        ("--all --kind book", "--all"),
    ] {
        bench.assert_fails(&format!("experience clear all.parquet {arguments} -o x.parquet"), 2, [mentions]);
    }
}

/// A source whose lessons are all gone may teach again.
#[test]
fn what_is_cleared_may_be_learned_again() {
    let bench = ruy();
    bench.teach("a", lesson("a", "O-O", -30));
    bench.ok("experience clear a.parquet --source a.lrn -o c.parquet");
    let again = bench.learn("crafty a.lrn --continue c.parquet", "b.parquet");
    assert_eq!(again["taught"], 1);
    assert!(bench.agree("a.parquet", "b.parquet"));
}

#[test]
fn rows_are_shown_as_asked() {
    let bench = ruy();
    bench.teach("a", lesson("a", "O-O", -135) + &record(CRAFTY, "b", "e4 e5 Nf3", "20 5 0"));
    bench.ok("learn set --line d4 --value 75 --continue a.parquet -o x.parquet");
    let shown = |arguments: &str| bench.ok(&format!("experience show x.parquet {arguments}"));
    assert_eq!(
        shown("--unplayable"),
        format!(
            "12 book, 2 seen\n11 learned, 1 not to be played\n  a.lrn: 2 of 2 records used (crafty)\n  \
             by hand: 1 of 1 record used (set)\n\n{RUY} O-O\n    learned -1.35, not to be played; from 1 of a.lrn (last 1998-09-01)\n"
        )
    );
    let rows = |arguments: &str| shown(&format!("{arguments} --json")).lines().count();
    assert_eq!(
        [rows(""), rows("--limit 3"), rows("--value set"), rows("--source a.lrn"), rows("--kind position")],
        [12, 3, 1, 11, 0]
    );
    assert!(shown("--limit 3").ends_with("… and 9 rows; --limit shows more\n"));
    let mut command = bench.command("experience show x.parquet --json --fen");
    let start = command.arg("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1").output().unwrap();
    assert_eq!(start.stdout.split(|&byte| byte == b'\n').count(), 3);
    let mut command = bench.command("experience show x.parquet --json --line");
    let one = String::from_utf8(command.arg("e4 e5").output().unwrap().stdout).unwrap();
    assert!(one.lines().count() == 1 && one.contains("\"san\":\"Nf3\""), "{one}");
}

#[test]
fn files_are_described_and_checked() {
    let bench = ruy();
    bench.write("a.lrn", lesson("a", "O-O", -135));
    bench.learn("crafty a.lrn --min-games 1", "a.parquet");
    let facts = bench.ok("info a.parquet");
    for fact in ["experience", "every move", "a.lrn: 1 of 1 records used (crafty)"] {
        assert!(facts.contains(fact), "{fact} in {facts}");
    }
    assert_eq!(bench.ok("verify a.parquet"), "a.parquet: sound (12 rows)\n");
    bench.assert_prints("probe a.parquet", ["e4 [book] learned -0.23"]);
}

/// A flipped byte is found wherever it changes what is known.
#[test]
fn damage_is_found() {
    let bench = ruy();
    bench.teach("a", lesson("a", "O-O", -135) + &lesson("b", "d3", -50));
    let whole = bench.read("a.parquet");
    let (known, mut found) = (bench.known("a.parquet"), 0);
    let facts = |file: &str| bench.ok(&format!("info {file} --json"));
    for at in (0..whole.len()).step_by(whole.len() / 60) {
        let mut damaged = whole.clone();
        damaged[at] ^= 1 << (at % 8);
        bench.write("bad.parquet", damaged);
        let output = bench.run("verify bad.parquet");
        if output.status.success() {
            // A byte without meaning, such as a statistic that no reader needs: what is known is the same.
            assert!(
                bench.known("bad.parquet") == known && facts("bad.parquet") == facts("a.parquet"),
                "byte {at}"
            );
            continue;
        }
        found += 1;
        assert_eq!(output.status.code(), Some(1), "byte {at} of {}", whole.len());
        assert_eq!(String::from_utf8(output.stderr).unwrap().lines().count(), 1, "byte {at}");
    }
    assert!(found > 20, "only {found} of 60 are found");
    for end in [4, whole.len() / 2, whole.len() - 1] {
        bench.write("bad.parquet", &whole[..end]);
        bench.fails("verify bad.parquet", 1);
        bench.fails("experience show bad.parquet", 1);
        bench.fails("compact ruy.table --experience bad.parquet -o x.tabia", 1);
    }
    assert!(!bench.path("x.tabia").exists());
}

/// Where no rows lead to a move, a table does.
#[test]
fn a_table_names_lines() {
    let bench = ruy();
    bench.teach("a", lesson("a", "O-O", -99_900));
    bench.assert_prints("experience show a.parquet", ["\nkey "]);
    let shown = bench.ok("experience show a.parquet --table ruy.table");
    assert!(shown.contains(&format!("\n{RUY} O-O\n    learned -999.00")), "{shown}");
}

/// What two files went on from counts once.
#[test]
fn a_shared_ancestor_counts_once() {
    let bench = ruy();
    bench.write("a.lrn", lesson("a", "O-O", -30) + &lesson("b", "d3", -40));
    bench.write("b.lrn", lesson("c", "d3", 20));
    bench.write("c.lrn", record(CRAFTY, "d", "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6", "30 9 100"));
    let own = |result, date| game("Eng", "Opp", result, &[("Date", date)], "e4 e5 Nf3 Nc6");
    bench.write("own.pgn", own("1-0", "2020.01.01") + &own("0-1", "2020.01.02"));
    bench.write("more.pgn", own("1-0", "2020.01.03"));
    bench.learn("games own.pgn --player Eng --rule terra", "own.parquet");
    bench.learn("crafty a.lrn --continue own.parquet", "a.parquet");
    bench.learn("crafty b.lrn --continue a.parquet", "b.parquet");
    bench.learn("games more.pgn --player Eng --rule terra --continue b.parquet", "bm.parquet");
    bench.learn("crafty c.lrn --continue a.parquet", "c.parquet");
    // With itself, and with one of which it has all lessons.
    for (files, whole) in [
        ("a.parquet a.parquet", "a.parquet"),
        ("a.parquet bm.parquet", "bm.parquet"),
        ("bm.parquet own.parquet a.parquet", "bm.parquet"),
    ] {
        bench.ok(&format!("experience merge {files} -o m.parquet --force"));
        assert!(bench.agree("m.parquet", whole), "{files}");
        let sources = |file: &str| bench.known(file)["e4"]["sources"].clone();
        assert_eq!(sources("m.parquet"), sources(whole), "{files}");
    }
    // Two that went on from it: what only one of them learned is exact, and own results are whole.
    let merged: Value = bench.json("experience merge bm.parquet c.parquet -o m.parquet --force");
    let warning = merged["warnings"][0].as_str().unwrap();
    assert!(warning.starts_with("6 values are estimates"), "{warning}");
    let [m, b, c] = ["m.parquet", "bm.parquet", "c.parquet"].map(|file| bench.known(file));
    assert_eq!(m["e4"]["own"], json!({"wins": 2, "draws": 0, "losses": 1}));
    let d3 = format!("{RUY} d3");
    assert_eq!(m[&d3]["learn"], b[&d3]["learn"]);
    assert_eq!(m["e4 e5 Nf3 Nc6 Bb5 a6 Ba4"]["learn"], c["e4 e5 Nf3 Nc6 Bb5 a6 Ba4"]["learn"]);
    assert_eq!(m["e4"]["learn_count"], 4, "two of a.lrn, one of each other");
}

/// Values that were learned over other counts had other alternatives.
#[test]
fn experience_of_another_table_is_warned_of() {
    let bench = ruy();
    bench.teach("a", super::lesson("a", "O-O", -135));
    bench.write("other.pgn", game("a", "b", "1-0", &[], "e4 e5 Nf3 Nc6 Bb5 a6"));
    bench.ok("count other.pgn -o other.table");
    bench.write("own.pgn", game("Eng", "Opp", "0-1", &[], "e4 e5 Nf3 Nc6"));
    bench.write("b.lrn", super::lesson("b", "d3", -135));
    for what in ["crafty b.lrn", "games own.pgn --player Eng"] {
        let learn = |table: &str| {
            bench.run(&format!("learn {what} --continue a.parquet --table {table} -o x.parquet --force"))
        };
        let warned = String::from_utf8(learn("other.table").stderr).unwrap();
        assert!(
            warned.contains("warning: the experience in a.parquet was learned with another table ("),
            "{warned}"
        );
        let warned = String::from_utf8(learn("ruy.table").stderr).unwrap();
        assert!(!warned.contains("warning"), "{warned}");
    }
    let warned =
        bench.said("learn crafty b.lrn --continue a.parquet --table ruy.table --min-games 2 -o y.parquet");
    assert!(warned.contains("a book that keeps every move, but this book keeps min-games=2"), "{warned}");
}
