//! Families of versions: each record by the rules of the Crafty that wrote it.

use super::{lesson, record, ruy};

/// The same numbers mean different things: +3.00 for a line with two playable moves at ply 7 and three at ply
/// 11.
#[test]
fn each_version_backs_up_in_its_own_way() {
    let bench = ruy();
    let line = format!("{} O-O", super::RUY);
    let at_4 = "e4 e5 Nf3 Nc6 Bb5 a6 Nc3";
    for (player, [first, branch, last]) in [
        // Divided by the alternatives: 3/3/2, 3/3, 3.
        ("Crafty 15.17", [0.5, 1.0, 3.0]),
        // Three quarters a branch: 3·9/16, 3·3/4, 3.
        ("Crafty 16.19", [1.6875, 2.25, 3.0]),
        ("Crafty 18.0", [1.6875, 2.25, 3.0]),
        // A ramp over two branches: 0/2, 1/2, 2/2.
        ("Crafty 18.3", [0.0, 1.5, 3.0]),
        ("Crafty 18.15", [0.0, 1.5, 3.0]),
        ("Crafty 20.14", [0.0, 1.5, 3.0]),
        // Linear by ply, in whole millipawns: 1/11, 7/11, 11/11. First a unit of millipawns, then of
        // centipawns.
        ("Crafty v11.13", [0.027, 0.19, 0.3]),
        ("Crafty v11.23", [0.027, 0.19, 0.3]),
        ("Crafty v12.6", [0.272, 1.909, 3.0]),
    ] {
        bench.write("one.lrn", record(player, "opp", &line, "300 5 0"));
        bench.learn("crafty one.lrn", "x.parquet");
        let known = bench.known("x.parquet");
        let learned = ["e4", at_4, &line].map(|line| super::number(&known[line]["learn"]));
        assert_eq!(learned, [first, branch, last], "{player}");
        let reply = super::number(&known["e4 e5"]["learn"]);
        assert!(
            if player.contains(" v") { reply < -first } else { reply == 0.0 - first },
            "{player}: Black's moves"
        );
    }
}

/// Until 12.5 a value is the writer's view.
#[test]
fn millipawns_are_seen_by_the_crafty_that_wrote_them() {
    let bench = ruy();
    let line = format!("{} O-O", super::RUY);
    for (white, black, expected) in
        [("Crafty v11.23", "opp", 0.3), ("opp", "Crafty v11.23", -0.3), ("opp", "Crafty v12.6", 3.0)]
    {
        bench.write("one.lrn", record(white, black, &line, "300 5 0"));
        bench.learn("crafty one.lrn", "x.parquet");
        assert_eq!(bench.learned("x.parquet", &line), expected, "{white} - {black}");
    }
}

#[test]
fn a_mixed_file_is_understood_record_by_record() {
    let bench = ruy();
    let line = format!("{} O-O", super::RUY);
    let one = |player: &str, value: &str| record(player, "opp", &line, &format!("{value} 5 0"));
    // 3; (3 + 1) / 2 = 2; 0 halves: 1; three lessons had: (1·3 + 5) / 4 = 2; (2 + 4) / 2 = 3.
    let text = one("Crafty 15.17", "300")
        + &one("Crafty 17.14", "100")
        + &one("Crafty 18.15", "0")
        + &one("Crafty v11.13", "5000")
        + &one("Crafty 20.14", "400");
    bench.write("mixed.lrn", text);
    let learning = bench.learn("crafty mixed.lrn", "x.parquet");
    assert_eq!(learning["taught"], 5);
    assert_eq!(bench.learned("x.parquet", &line), 3.0);
}

/// −99900 means that White lost: its last choice learns −999, averaged with what was there (15.17
/// `LearnResult`).
#[test]
fn a_lost_game_blames_its_last_choice() {
    let bench = ruy();
    let moves = format!("{} O-O", super::RUY);
    bench.write("lost.lrn", record("Crafty 15.17", "opp", &moves, "-99900 10 0"));
    bench.learn("crafty lost.lrn", "x.parquet");
    let known = bench.known("x.parquet");
    // No line leads there: nothing else learned.
    let (name, lost) = known.first_key_value().unwrap();
    assert!(known.len() == 1 && name.ends_with(" e1h1"), "{name}");
    assert_eq!(super::number(&lost["learn"]), -999.0);
    // Every one that is no copy counts, though the program's own importer takes only the first.
    let two = record("Crafty 15.17", "a", &moves, "-99900 10 0")
        + &record("Crafty 15.17", "b", &moves, "-99900 10 0");
    bench.write("lost.lrn", two);
    let learning = bench.learn("crafty lost.lrn", "x.parquet");
    // After the first, O-O is not playable: two are left, still a choice.
    assert_eq!(learning["taught"], 2);
    assert_eq!(super::number(&bench.known("x.parquet")[name]["learn"]), -999.0);
}

/// A ramp needs a branch; without one the program stored a NaN.
#[test]
fn a_ramp_without_a_branch_teaches_nothing_and_is_counted() {
    let bench = ruy();
    bench.write("flat.lrn", record("Crafty 18.15", "opp", "e4 e5 Nf3", "135 5 0"));
    let learning = bench.learn("crafty flat.lrn", "x.parquet");
    assert_eq!((&learning["taught"], &learning["idle"]["no-branch"]), (&0.into(), &1.into()));
    assert!(bench.known("x.parquet").is_empty());
}

#[test]
fn the_version_with_wrong_signs_is_warned_of() {
    let bench = ruy();
    bench.write("doubt.lrn", lesson("a", "O-O", -10) + &lesson("b", "O-O", -10).replace("15.17", "18.2"));
    let summary = bench.learn_with("crafty doubt.lrn", "x.parquet");
    assert_eq!(summary["learning"]["taught"], 2);
    let warning = summary["warnings"][0].as_str().unwrap();
    assert!(warning.contains("18.2") && warning.contains("wrong sign"), "{warning}");
}

#[test]
fn records_whose_writer_or_version_is_unknown() {
    let bench = ruy();
    let line = format!("{} O-O", super::RUY);
    let no_crafty = record("Ann", "Bob", &line, "300 5 0");
    let no_version = record("Crafty", "Bob", &line, "-200 5 0");
    bench.write("unnamed.lrn", no_crafty + &no_version);
    let learning = bench.learn("crafty unnamed.lrn --rejects r.jsonl", "x.parquet");
    assert_eq!(learning["rejected"], serde_json::json!({"unknown-own-side": 1, "unknown-family": 1}));
    let listed: Vec<_> = super::rejects(&bench, "r.jsonl");
    assert_eq!((&listed[0]["reason"], &listed[0]["text"]), (&"unknown-own-side".into(), &"Ann - Bob".into()));
    assert_eq!(listed[1]["reason"], "unknown-family");
    assert_eq!(listed[1]["text"], "Crafty - Bob");
    // A family whose values are its own view needs the own side as well.
    for (options, taught, learned) in [
        ("--family A", 2, Some("0.500")),
        ("--family M2", 1, Some("-0.200")),
        ("--family M2 --own-player ann", 2, Some("0.050")),
        ("--own-player Ann", 0, None),
    ] {
        let learning = bench.learn(&format!("crafty unnamed.lrn {options}"), "x.parquet");
        assert_eq!(learning["taught"], taught, "{options}");
        let known = bench.known("x.parquet");
        let found = known.get(&line).map(|known| format!("{:.3}", super::number(&known["learn"])));
        assert_eq!(found.as_deref(), learned, "{options}");
    }
    let error = bench.fails("learn crafty unnamed.lrn --family Z --table ruy.table -o y.parquet", 2);
    assert!(error.contains("`Z`") && error.contains("m2"), "{error}");
}
