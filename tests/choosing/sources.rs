//! The examples of the source texts (`docs/sources.md`) from end to end: games into a book, with experience,
//! and a policy that chooses from it.

use std::fs;

use testing::corpus;

use super::{assert_near, chance, game, of};
use crate::workbench::Workbench;

const LINE: &str = "e4 e5 Nf3 Nc6 Bb5 a6";

/// Section 5.1: 4.Nc3 is played until three games have taught that it is bad, then 4.Ba4. Section 5.2:
/// 4.Ba4 after one.
#[test]
fn the_papers_section_5_is_played() {
    let Some(games) = corpus("../crafty/truth/paper_ruy.pgn") else { return };
    let Some(records) = corpus("../crafty/synthetic/paper_section5.lrn") else { return };
    let bench = Workbench::new();
    bench.ok(&format!("count {} -o ruy.table", games.display()));
    bench.ok("compact ruy.table -o ruy0.tabia");
    let records = fs::read_to_string(records).unwrap();
    for lessons in 1..=3 {
        let first: Vec<_> = records.lines().take(4 * lessons).collect();
        bench.write("first.lrn", first.join("\n") + "\n");
        bench.ok("learn crafty first.lrn --table ruy.table -o x.parquet --force");
        bench.ok(&format!("compact ruy.table --experience x.parquet -o ruy{lessons}.tabia"));
    }
    let played = |policy: &str| {
        [0, 1, 2, 3].map(|lessons| bench.ok_at(&format!("pick ruy{lessons}.tabia --policy {policy}"), LINE))
    };
    assert_eq!(played("crafty-5.1"), ["Nc3\n", "Nc3\n", "Nc3\n", "Ba4\n"]);
    assert_eq!(played("crafty-5.2"), ["Nc3\n", "Ba4\n", "Ba4\n", "Ba4\n"]);
    let choice = bench.choice("ruy3.tabia --policy crafty-5.1", LINE);
    assert_eq!((chance(&choice, "Ba4"), chance(&choice, "Nc3")), (1.0, 0.0));
    assert!(of(&choice, "Nc3")["excluded"]["source"].as_str().unwrap().contains("Crafty"), "{choice}");
}

/// Games after 1.e4 with a score for Black as near to `percent` as whole and half points allow.
fn answers(san: &str, count: u64, percent: u64) -> String {
    let half_points = (2 * count * percent + 50) / 100;
    let (wins, draws) = (half_points / 2, half_points % 2);
    let moves = format!("1. e4 {san}");
    let games = |result: &str, count: u64| game("a", "b", result, &moves).repeat(count as usize);
    games("0-1", wins) + &games("1/2-1/2", draws) + &games("1-0", count - wins - draws)
}

/// Terra's table of answers to 1.e4 as a book: counts from games, Terra's own values from own games,
/// the user's by hand.
#[test]
fn terras_table_is_chosen_from() {
    let bench = Workbench::new();
    let table = [
        ("e5", 5783, 43),
        ("c5", 5230, 48),
        ("e6", 1329, 36),
        ("c6", 748, 26),
        ("Nf6", 276, 27),
        ("d5", 43, 29),
        ("d6", 21, 34),
        ("Nc6", 6, 48),
        ("b6", 5, 27),
        ("g6", 2, 0),
        ("a6", 2, 100),
    ];
    bench.write("all.pgn", table.map(|(san, count, percent)| answers(san, count, percent)).concat());
    bench.ok("count all.pgn -o all.table");
    let own = [("e5", "0-1", 3), ("e5", "1-0", 2), ("e6", "1-0", 1)];
    let played = |(san, result, count)| {
        let opponents = (0..count).map(move |number| format!("{san}{result}{number}"));
        opponents.map(|name| game(&name, "Terra", result, &format!("1. e4 {san}"))).collect::<String>()
    };
    bench.write("own.pgn", own.map(played).concat());
    bench.ok("learn games own.pgn --player Terra --rule terra --table all.table -o x0.parquet");
    for (at, (san, value)) in [("c5", 75), ("Nf6", 0), ("d5", 15), ("Nc6", 0)].into_iter().enumerate() {
        let (old, new) = (format!("x{at}.parquet"), format!("x{}.parquet", at + 1));
        bench.ok_at(&format!("learn set --value {value} --continue {old} -o {new}"), &format!("e4 {san}"));
    }
    bench.ok("compact all.table --experience x4.parquet -o terra.tabia");

    let choice = bench.choice("terra.tabia --policy terra", "e4");
    assert_eq!(choice["figures"]["frequency-sum"], 2107.0);
    assert_near(choice["figures"]["user-group"].as_f64().unwrap(), 0.7875);
    assert_eq!(
        ["e5", "e6", "d6"].map(|san| of(&choice, san)["scores"]["value"].as_f64()),
        [Some(60.0), Some(63.0), Some(1.0)]
    );
    for (san, expected) in [
        ("c5", 0.7875 * 75.0 / 90.0),
        ("d5", 0.7875 * 15.0 / 90.0),
        ("e5", 0.2125 * 60.0 / 124.0),
        ("e6", 0.2125 * 63.0 / 124.0),
        ("d6", 0.2125 / 124.0),
    ] {
        assert_near(chance(&choice, san), expected);
    }
    for (san, rule) in [
        ("c6", "book Win % not above book-limit"),
        ("g6", "fewer book games than min-book-games"),
        ("Nf6", "set to 0: never played"),
    ] {
        assert_eq!(of(&choice, san)["excluded"]["rule"], rule, "{san}");
    }
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_snapshot_path("../snapshots");
    settings.bind(|| {
        insta::assert_snapshot!(
            "explained_terra",
            bench.ok_at("probe terra.tabia --policy terra --explain", "e4")
        );
    });
}
