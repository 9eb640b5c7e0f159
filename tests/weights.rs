//! Books and choices in which games count by their age and by their players' ratings.

use serde_json::Value;

use crate::workbench::{Workbench, tallies};

/// Games of one first move each: year and month, mean rating, move, result, how often.
const GAMES: [(&str, u32, &str, &str, usize); 6] = [
    ("2010.06", 2000, "e4", "1-0", 16),
    ("2013.06", 2000, "d4", "0-1", 8),
    ("2016.06", 2000, "c4", "1/2-1/2", 2),
    ("2016.06", 2600, "Nf3", "1-0", 1),
    ("????.??", 2600, "b3", "1-0", 8),
    ("2010.06", 2000, "g3", "1-0", 1),
];

fn with_table() -> Workbench {
    let bench = Workbench::new();
    let game = |&(month, elo, mv, result, games): &(&str, u32, &str, &str, usize)| {
        let tags = format!(
            "[Date \"{month}.01\"]\n[WhiteElo \"{elo}\"]\n[BlackElo \"{elo}\"]\n[Result \"{result}\"]\n"
        );
        format!("{tags}\n1. {mv} {result}\n\n").repeat(games)
    };
    bench.write("games.pgn", GAMES.iter().map(game).collect::<String>());
    bench.ok("count games.pgn -o games.table --by month,rating-band");
    bench
}

/// Games of the start position's moves, by result.
fn counts(bench: &Workbench, book: &str) -> Vec<(String, [u64; 3])> {
    let probe = bench.json(&format!("probe {book}"));
    let mut moves = tallies(&probe, "san");
    moves.sort();
    moves
}

fn named<const N: usize>(moves: [(&str, [u64; 3]); N]) -> Vec<(String, [u64; 3])> {
    moves.map(|(san, games)| (san.to_owned(), games)).to_vec()
}

#[test]
fn a_game_as_old_as_the_half_life_counts_half() {
    let bench = with_table();
    let summary = bench.json("compact games.table -o recent.tabia --half-life 3y");
    assert_eq!(summary["books"][0]["weights"], "half-life=3y as-of=2016-06");
    // 1.g3 weighs a quarter of a game: too little to be a move, and a game of no known month is as old as
    // those of the median month, which is the oldest here.
    let expected =
        [("Nf3", [1, 0, 0]), ("b3", [2, 0, 0]), ("c4", [0, 2, 0]), ("d4", [0, 0, 4]), ("e4", [4, 0, 0])];
    assert_eq!(counts(&bench, "recent.tabia"), named(expected));
    let info = bench.json("info recent.tabia");
    let provenance = &info["details"]["provenance"];
    assert_eq!(provenance["book"]["keeps"], "half-life=3y as-of=2016-06");
    assert_eq!(provenance["games"], 36, "facts stay facts");
}

#[test]
fn ages_are_counted_from_the_month_that_is_named() {
    let bench = with_table();
    bench.ok("compact games.table -o then.tabia --half-life 36m --as-of 2013-06 --min-games 4 --top 2");
    assert_eq!(counts(&bench, "then.tabia"), named([("d4", [0, 0, 8]), ("e4", [8, 0, 0])]));
}

/// Half of the games of a known month are from 2013 or earlier.
#[test]
fn a_game_without_a_month_weighs_as_those_of_the_median_month() {
    let bench = with_table();
    bench.write("more.pgn", "[Date \"2013.06.02\"]\n[Result \"1-0\"]\n\n1. d4 1-0\n\n".repeat(30));
    bench.ok("count games.pgn more.pgn -o games.table --force --by month,rating-band");
    bench.ok("compact games.table -o table.tabia --half-life 3y");
    bench.ok("build more.pgn games.pgn -o built.tabia --by month,rating-band --half-life 3y -j 1");
    assert_eq!(bench.read("table.tabia"), bench.read("built.tabia"));
    assert!(counts(&bench, "table.tabia").contains(&("b3".into(), [4, 0, 0])), "8 games count half each");
    // The same after 1.e4 alone, where no game begins at the start position.
    bench.write("e4.pgn", bench.text("games.pgn").replace("1. ", "1. e4 e5 2. ").replace("2. e4", "2. h4"));
    bench.ok("count e4.pgn -o e4.table --by month --line e4");
    bench.ok("compact e4.table -o e4.tabia --half-life 3y");
    bench.ok("build e4.pgn -o e4-built.tabia --by month --line e4 --half-life 3y");
    assert_eq!(bench.read("e4.tabia"), bench.read("e4-built.tabia"));
}

/// One game of a wrong date makes all others weigh nothing: that is said, and the book is what was asked for.
#[test]
fn a_newest_month_that_may_be_a_mistake_is_said() {
    let bench = with_table();
    let stray = |date: &str| format!("[Date \"{date}\"]\n[Result \"1-0\"]\n\n1. a3 1-0\n");
    bench.write("stray.pgn", stray("2999.12.31"));
    bench.ok("count games.pgn stray.pgn -o stray.table --by month");
    let later =
        "ages of games are counted from the newest month, 2999-12, which lies after today; choose another";
    for command in [
        "compact stray.table -o a.tabia --half-life 3y",
        "build games.pgn stray.pgn -o b.tabia --by month --half-life 3y",
        "export polyglot stray.table -o c.bin --half-life 3y",
        "pick stray.table --policy wilson --half-life 3y --seed 1",
        "probe stray.table --policy wilson --half-life 3y",
        "simulate stray.table --policy wilson --games 2 --half-life 3y",
    ] {
        bench.assert_says(command, [later]);
    }
    assert_eq!(bench.read("a.tabia"), bench.read("b.tabia"));
    let named = bench.said("compact stray.table -o a.tabia --force --half-life 3y --as-of 2016-06");
    assert!(!named.contains("ages of games"), "{named}");
    bench.write("few.pgn", stray("2020.01.01"));
    bench.write("many.pgn", bench.text("games.pgn").repeat(3));
    bench.ok("count many.pgn few.pgn -o few.table --by month");
    bench.assert_says(
        "compact few.table -o d.tabia --half-life 3y",
        ["2020-01, which has only 1 of 85 games; choose another"],
    );
    let usual = bench.said("compact games.table -o e.tabia --half-life 3y");
    assert!(!usual.contains("ages of games"), "{usual}");
}

#[test]
fn ratings_weigh_games_too() {
    let bench = with_table();
    bench.ok("compact games.table -o strong.tabia --rating-weight 0=0.25,2500=3");
    let expected =
        [("Nf3", [3, 0, 0]), ("b3", [24, 0, 0]), ("c4", [0, 1, 0]), ("d4", [0, 0, 2]), ("e4", [4, 0, 0])];
    assert_eq!(counts(&bench, "strong.tabia"), named(expected));
}

#[test]
fn one_weighted_book_by_every_way() {
    let bench = with_table();
    let weights = "--half-life 3y --rating-weight 2500=2";
    bench.ok(&format!("compact games.table -o a.tabia {weights}"));
    bench.ok(&format!("compact games.table -o b.tabia {weights} -j 1"));
    bench.ok(&format!("build games.pgn -o c.tabia --by month,rating-band {weights}"));
    assert_eq!(bench.read("a.tabia"), bench.read("b.tabia"));
    assert_eq!(bench.read("a.tabia"), bench.read("c.tabia"));
    bench.ok("export polyglot a.tabia -o a.bin");
    bench.ok(&format!("export polyglot games.table -o b.bin {weights}"));
    assert_eq!(bench.read("a.bin"), bench.read("b.bin"));
    assert!(!bench.names().iter().any(|name| name.starts_with('.')), "{:?}", bench.names());
}

#[test]
fn policies_choose_as_from_a_weighted_book() {
    let bench = with_table();
    let chances = |arguments: &str| {
        let probe = bench.json(&format!("probe {arguments}"));
        let chosen = probe["choice"]["moves"].as_array().unwrap().iter();
        let mut moves: Vec<_> =
            chosen.map(|mv| (mv["san"].to_string(), mv["probability"].as_f64().unwrap())).collect();
        moves.sort_by(|a, b| a.0.cmp(&b.0));
        moves.retain(|(_, chance)| *chance > 0.0);
        moves
    };
    bench.ok("compact games.table -o recent.tabia --half-life 3y");
    for policy in ["polyglot", "wilson", "crafty"] {
        let of_table = chances(&format!("games.table --policy {policy} --half-life 3y"));
        assert_eq!(of_table, chances(&format!("recent.tabia --policy {policy}")), "{policy}");
        assert_ne!(of_table, chances(&format!("games.table --policy {policy}")), "{policy}");
    }
    let explained = bench.ok("probe games.table --policy polyglot --half-life 3y --explain");
    assert!(explained.contains("games weigh by half-life=3y as-of=2016-06"), "{explained}");
    assert!(explained.contains("16  "), "the counts that are shown are facts: {explained}");
    let walk = |arguments: &str| {
        let mut walk: Value = bench.json(&format!("simulate {arguments} --policy polyglot"));
        walk["lines"].take()
    };
    assert_eq!(walk("games.table --half-life 3y"), walk("recent.tabia"));
}

#[test]
fn what_cannot_be_weighted_is_refused() {
    let bench = with_table();
    bench.ok("count games.pgn -o plain.table");
    bench.ok("compact games.table -o book.tabia");
    let refused = [
        (
            "compact plain.table -o x.tabia --half-life 3y",
            "grouped by month; count the games with --by month",
        ),
        ("compact plain.table -o x.tabia --rating-weight 2500=2", "grouped by rating band"),
        ("build games.pgn -o x.tabia --half-life 3y", "grouped by month"),
        ("pick plain.table --policy wilson --half-life 3y", "grouped by month"),
        ("pick book.tabia --policy wilson --half-life 3y", "name the table"),
        ("probe games.table --half-life 3y", "name one with --policy"),
        ("export polyglot book.tabia -o x.bin --half-life 3y", "name the table"),
        ("compact games.table -o x.tabia --as-of 2016-06", "--half-life"),
        ("compact games.table -o x.tabia --half-life 3", "expected years such as 3y"),
        ("compact games.table -o x.tabia --rating-weight 2400=2", "no band begins at `2400`"),
    ];
    for (arguments, expected) in refused {
        bench.assert_fails(arguments, 2, [expected]);
    }
    let error = bench.fails("compact games.table -o x.tabia --rating-weight 0=0", 1);
    assert!(error.contains("every move has a total weight of less than half a game"), "{error}");
    assert!(!bench.path("x.tabia").exists() && !bench.path("x.bin").exists());
}
