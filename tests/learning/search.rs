//! Searches in comments teach as Crafty's own do: which of the first ten counts, `LearnFunction`,
//! back-up, update (Crafty: key search, learn function, back-up, average).

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::{game, number, ruy};
use crate::workbench::Workbench;

const BOOK: &str = "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6";

/// Ten moves of each side after the book.
const AFTER: [(&str, &str); 10] = [
    ("O-O", "Be7"),
    ("Re1", "b5"),
    ("Bb3", "d6"),
    ("c3", "O-O"),
    ("h3", "Nb8"),
    ("d4", "Nbd7"),
    ("c4", "c6"),
    ("cxb5", "axb5"),
    ("Nc3", "Bb7"),
    ("Bg5", "b4"),
];

/// The moves after the book, with a comment for each move of one side.
fn commented(white: bool, comments: &[&str]) -> String {
    let comment = |at: usize, own: bool| match comments.get(at) {
        Some(text) if own => format!(" {{{text}}}"),
        // Evaluations of the opponent's engine belong to the opponent.
        _ if !own => " {+9.99/30 1s}".to_owned(),
        _ => String::new(),
    };
    let moves = (0..).zip(AFTER).map(|(at, (first, second))| {
        format!("{first}{} {second}{}", comment(at, white), comment(at, !white))
    });
    format!("{BOOK} {}", moves.collect::<Vec<_>>().join(" "))
}

/// Learned values of 4.Ba4 (one of two playable moves) and of the moves before and after it.
fn values(bench: &Workbench, text: &str, options: &str) -> Option<[f32; 4]> {
    bench.write("own.pgn", text);
    let learning =
        bench.learn(&format!("games own.pgn --player Eng --rule terra --search {options}"), "x.parquet");
    assert_eq!(learning["taught"], 1);
    let known = bench.known("x.parquet");
    let learned = |line: &str| known[line]["learn"].as_f64().map(|_| number(&known[line]["learn"]));
    let before = "e4 e5 Nf3 Nc6 Bb5 a6";
    let known_of_black =
        |line: &str| known.get(line).and_then(|known| known["learn"].as_f64()).map(|value| value as f32);
    Some([
        learned("e4")?,
        known_of_black("e4 e5")?,
        learned(&format!("{before} Ba4"))?,
        known_of_black(&format!("{before} Ba4 Nf6"))?,
    ])
}

/// It falls to −1.00 at ten plies between equals: LearnFunction(−100, 10, 0, trusted) = −100 · (0.1 ·
/// 10) = −100. Then −1.00 for 4.Ba4 and +1.00 for the reply; −1.00 / 2 before the branch, the other
/// sign for Black.
#[test]
fn a_falling_curve_teaches_its_last_value() {
    let bench = ruy();
    let comments = [
        "+0.10/10 1s",
        "0.00/10 1s",
        "-0.20/10 1s",
        "-0.30/10 1s",
        "-0.40/10 1s",
        "-0.50/9 1s",
        "-0.60/10 1s",
        "-0.70/10 1s",
        "-0.80/10 1s",
        "-1.00/10 1s",
    ];
    let text = game("Eng", "Opp", "1/2-1/2", &[], &commented(true, &comments));
    assert_eq!(values(&bench, &text, ""), Some([-0.5, 0.5, -1.0, 1.0]));
    // By the rules of 16.7 to 17.14, three quarters a branch; of 18.4 to 19.19, a ramp over the one branch.
    assert_eq!(values(&bench, &text, "--family B"), Some([-0.75, 0.75, -1.0, 1.0]));
    assert_eq!(values(&bench, &text, "--family C"), Some([0.0, 0.0, -1.0, 1.0]));
    // Without --search only results count.
    bench.learn("games own.pgn --player Eng --rule terra", "x.parquet");
    assert!(bench.known("x.parquet").values().all(|known| known["learn"].is_null()));
}

/// A good value is less trusted: LearnFunction(+100, 10, 0, untrusted) = 100 · (0.025 · 10) = 25. Black's
/// good value is bad for White's moves.
#[test]
fn good_news_counts_a_quarter() {
    let bench = ruy();
    let comments = ["-0.20/8 1s", "0.00/9 1s", "+0.50/10 1s", "+1.00/10 1s"];
    let text = game("Eng", "Opp", "1-0", &[], &commented(true, &comments));
    assert_eq!(values(&bench, &text, ""), Some([0.125, -0.125, 0.25, -0.25]));
    let text = game("Opp", "Eng", "0-1", &[], &commented(false, &comments));
    assert_eq!(values(&bench, &text, ""), Some([-0.125, 0.125, -0.25, 0.25]));
}

/// Ratings: −450 is class −2, LearnFunction(+80, 10, −450, untrusted) = 80 · (0.1 · 10) = 80; +450 is
/// class +2, 80 · (0.006 · 10) = 4.
#[test]
fn ratings_weigh() {
    let bench = ruy();
    let comments = ["+0.10/10 1s", "+0.80/10 1s"];
    let text = |own, other| {
        game("Eng", "Opp", "1-0", &[("WhiteElo", own), ("BlackElo", other)], &commented(true, &comments))
    };
    assert_eq!(values(&bench, &text("2000", "2450"), ""), Some([0.4, -0.4, 0.8, -0.8]));
    assert_eq!(values(&bench, &text("2450", "2000"), ""), Some([0.02, -0.02, 0.04, -0.04]));
}

/// Of a dip that recovers only in part the worst value counts; the depth is that of the search with the
/// value.
#[test]
fn a_dip_and_its_depth() {
    let bench = ruy();
    let comments = ["+0.40/10 1s", "-0.60/5 1s", "+0.10/19 1s"];
    let text = game("Eng", "Opp", "1/2-1/2", &[], &commented(true, &comments));
    // −60 · (0.1 · 5) = −30.
    assert_eq!(values(&bench, &text, ""), Some([-0.15, 0.15, -0.3, 0.3]));
}

/// Fewer than two searches teach nothing; the result still teaches.
#[test]
fn one_search_is_too_few() {
    let bench = ruy();
    bench.write("own.pgn", game("Eng", "Opp", "1/2-1/2", &[], &commented(true, &["-3.00/12 1s"])));
    let learning = bench.learn("games own.pgn --player Eng --search --rule terra", "x.parquet");
    assert_eq!(learning["taught"], 1);
    let known = bench.known("x.parquet");
    assert!(known.values().all(|known| known["learn"].is_null()));
    assert_eq!(known["e4"]["own"], json!({"wins": 0, "draws": 1, "losses": 0}));
}

/// The same curve in the three styles: cutechess writes the mover's view, Lichess and TCEC White's.
#[test]
fn evaluations_of_every_style() {
    let bench = ruy();
    let fall = [("-0.20", 10), ("-0.60", 10), ("-1.00", 10)];
    let styles: [fn(&str, i32) -> String; 3] = [
        |value, depth| format!("{value}/{depth} 1.2s"),
        |value, depth| format!("[%eval {value},{depth}]"),
        |value, depth| format!("d={depth}, sd=30, mt=1000, tl=60000, wv={value}, pv=Nc3"),
    ];
    for style in styles {
        let comments: Vec<_> = fall.iter().map(|&(value, depth)| style(value, depth)).collect();
        let comments: Vec<_> = comments.iter().map(String::as_str).collect();
        let text = game("Eng", "Opp", "1/2-1/2", &[], &commented(true, &comments));
        assert_eq!(values(&bench, &text, ""), Some([-0.5, 0.5, -1.0, 1.0]), "{}", comments[0]);
    }
    // For Black the mover's view is the other one: +1.00 for White is −1.00 of Black's.
    let white_view = ["[%eval 0.20,10]", "[%eval 1.00,10]"];
    let own_view = ["-0.20/10 1s", "-1.00/10 1s"];
    for comments in [white_view, own_view] {
        let text = game("Opp", "Eng", "1/2-1/2", &[], &commented(false, &comments));
        assert_eq!(values(&bench, &text, ""), Some([0.5, -0.5, 1.0, -1.0]), "{comments:?}");
    }
}

/// What `learn games` learns of one game of Eng's, and what it says of learning.
fn learned_from(bench: &Workbench, text: &str, options: &str) -> (BTreeMap<String, Value>, Value) {
    bench.write("own.pgn", text);
    let learning = bench.learn(&format!("games own.pgn --player Eng {options}"), "x.parquet");
    (bench.known("x.parquet"), learning)
}

/// A short win is no game of Lokasoft's, and its searches teach all the same; it adds no own result.
#[test]
fn searches_teach_whatever_rule_results_follow() {
    let bench = ruy();
    let text = game("Eng", "Opp", "1-0", &[], &commented(true, &["-0.20/8 1s", "+1.00/10 1s"]));
    let (known, learning) = learned_from(&bench, &text, "--search");
    assert_eq!((&learning["taught"], &learning["idle"]), (&json!(1), &json!({})));
    let ba4 = &known["e4 e5 Nf3 Nc6 Bb5 a6 Ba4"];
    assert_eq!((number(&ba4["learn"]), &ba4["own"]), (0.25, &Value::Null));
    let castled = &known["e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O [postbook]"];
    assert_eq!((number(&castled["eval"]), &castled["own"]), (-0.2, &Value::Null));
    // Without an evaluation there is nothing to learn, and the rule says why.
    let text = game("Eng", "Opp", "1-0", &[("Date", "2020.01.02")], &commented(true, &[]));
    let (_, learning) = learned_from(&bench, &text, "--search");
    assert_eq!(learning["idle"], json!({"neither-lost-nor-long-nor-close": 1}));
}

/// The last choice of a lost game learns −999, whatever the evaluations said (Crafty:
/// result learning): (0.25 −
/// 999) / 2. From 18.2 on it is −3 at the last branch, and nothing before the first.
#[test]
fn a_lost_game_punishes_its_last_choice() {
    let bench = ruy();
    let comments = ["-0.20/8 1s", "+1.00/10 1s"];
    let text = game("Eng", "Opp", "0-1", &[], &commented(true, &comments));
    assert_eq!(values(&bench, &text, ""), Some([0.125, -0.125, -499.375, -0.25]));
    assert_eq!(values(&bench, &text, "--family C"), Some([0.0, 0.0, -1.375, 1.375]));
    // Before 14.12 results taught nothing: 25 of seven moves of 28, in thousandths.
    assert_eq!(values(&bench, &text, "--family M3"), Some([0.008, -0.017, 0.062, -0.071]));
    // By results alone, without evaluations: only the last choice, and no own results.
    let (known, _) = learned_from(&bench, &text, "--rule crafty");
    // No line of rows leads to it.
    let learned: Vec<_> = known.iter().collect();
    let [(row, ba4)] = learned[..] else { panic!("{learned:?}") };
    assert!(row.ends_with(" b5a4"), "{row}");
    assert_eq!((number(&ba4["learn"]), &ba4["own"]), (-999.0, &Value::Null));
    let (_, learning) = learned_from(&bench, &text.replace("0-1", "1-0"), "--rule crafty");
    assert_eq!(learning["idle"], json!({"not-lost": 1}));
    let (known, _) = learned_from(&bench, &text.replace("0-1", "1-0"), "--rule crafty --family C2");
    // A ramp over the one branch: the moves from 4.Ba4 on learn 3, those before 0.
    assert_eq!(number(&known["e4 e5 Nf3 Nc6 Bb5 a6 Ba4"]["learn"]), 3.0);
    // A game that was broken off says nothing of its moves.
    let broken_off = text.replace("[Result", "[Termination \"abandoned\"]\n[Result");
    let (_, learning) = learned_from(&bench, &broken_off, "--rule crafty");
    assert_eq!(learning["idle"], json!({"not-serious": 1}));
    let error = bench.fails(
        "learn games own.pgn --player Eng --rule crafty --family m3 --table ruy.table -o y.parquet",
        2,
    );
    assert!(error.contains("--family") && error.contains("learns from results"), "{error}");
}

/// An engine that plays itself learns from both sides, from each once.
#[test]
fn a_game_against_itself_teaches_both_sides() {
    let bench = ruy();
    let text = game("Eng", "eng", "1/2-1/2", &[], &commented(true, &["-0.20/10 1s", "-1.00/10 1s"]));
    let (known, learning) = learned_from(&bench, &text.repeat(2), "--search --rule terra");
    assert_eq!((&learning["taught"], &learning["idle"]), (&json!(1), &json!({"duplicate": 1})));
    let draw = json!({"wins": 0, "draws": 1, "losses": 0});
    assert_eq!((&known["e4"]["own"], &known["e4 e5"]["own"]), (&draw, &draw));
    // White's fall: −1.00 at 4.Ba4. Black's ten searches of −9.99 (9.99 for White's side in the comments is
    // Black's own view here): LearnFunction(600, 19, 0, untrusted) = 285.
    let line = "e4 e5 Nf3 Nc6 Bb5 a6 Ba4";
    assert_eq!(number(&known[line]["learn"]), f32::midpoint(-1.0, -2.85));
    bench.learn("games own.pgn --player Eng --search --rule terra --continue x.parquet", "y.parquet");
    assert!(bench.agree("x.parquet", "y.parquet"));
    // One colour after the other is the same.
    bench.learn("games own.pgn --player Eng --player-color white --search --rule terra", "w.parquet");
    let black = "games own.pgn --player Eng --player-color black --search --rule terra --continue w.parquet";
    bench.learn(black, "both.parquet");
    assert!(bench.agree("x.parquet", "both.parquet"));
}

/// Bad values are trusted, or all are, or none (Crafty: learn function).
#[test]
fn trust_is_a_setting() {
    let bench = ruy();
    for (last, options, expected) in [
        ("-1.00/10 1s", "", -1.0),
        ("-1.00/10 1s", "--trust always", -1.0),
        ("-1.00/10 1s", "--trust never", -0.25),
        ("+1.00/10 1s", "--trust auto", 0.25),
        ("+1.00/10 1s", "--trust always", 1.0),
    ] {
        let text = game("Eng", "Opp", "1/2-1/2", &[], &commented(true, &["0.00/10 1s", last]));
        assert_eq!(values(&bench, &text, options).unwrap()[2], expected, "{last} {options}");
    }
    let error = bench.fails("learn games own.pgn --player Eng --trust no --table ruy.table -o y.parquet", 2);
    assert!(error.contains("auto, always or never"), "{error}");
}

/// The positions in which the engine saw its evaluation fall by a third of a pawn or more, among its first
/// ten moves out of book, with what it played there (Crafty: position learning).
#[test]
fn positions_where_the_evaluation_fell_are_learned() {
    let bench = ruy();
    let comments = ["+0.40/10 1s", "+0.08/11 1s", "-0.25/12 1s", "-0.30/9 1s", "-2.10/9 1s", "-3.00/9 1s"];
    let text = game("Eng", "Opp", "1/2-1/2", &[], &commented(true, &comments));
    let (known, _) = learned_from(&bench, &text, "--search");
    let positions: BTreeMap<_, _> = known.iter().filter(|(_, known)| known["kind"] == "position").collect();
    let found: Vec<_> =
        positions.values().map(|known| (number(&known["eval"]), known["depth"].clone())).collect();
    assert_eq!(found.len(), 2, "{positions:?}");
    assert!(found.contains(&(-0.25, json!(12))) && found.contains(&(-2.1, json!(9))), "{found:?}");
    let (known, _) = learned_from(&bench, &text, "--rule terra");
    assert!(known.values().all(|known| known["kind"] != "position"));
}

/// Evaluations of book moves are kept with the moves.
#[test]
fn searches_of_book_moves_are_kept() {
    let bench = ruy();
    let line = "e4 {+0.31/15} e5 {-0.20/14} Nf3 {+0.25/16} Nc6 Bb5 {+0.22/18} a6 Ba4 {+0.19/17} Nf6 O-O {+0.10/9} Be7";
    for options in ["--rule terra", "--search"] {
        let (known, _) = learned_from(&bench, &game("Eng", "Opp", "1-0", &[], line), options);
        let of = |line: &str| (number(&known[line]["eval"]), known[line]["depth"].clone());
        assert_eq!(of("e4"), (0.31, json!(15)), "{options}");
        assert_eq!(of("e4 e5 Nf3 Nc6 Bb5 a6 Ba4"), (0.19, json!(17)), "{options}");
        assert!(!known.contains_key("e4 e5"), "the opponent's");
    }
    bench.ok("compact ruy.table --experience x.parquet -o eval.tabia");
    bench.assert_prints("probe eval.tabia --json", ["\"eval\": 0.31"]);
    // The mixture draws by evaluations too.
    let other = game("Eng", "Opp", "1-0", &[], "e4 e5 Nf3 Nc6 Bb5 a6 Nc3 {-0.75/15} axb5");
    bench.write("own.pgn", game("Eng", "Opp", "1-0", &[], line) + &other);
    bench.learn("games own.pgn --player Eng --search", "x.parquet");
    bench.ok("compact ruy.table --experience x.parquet -o eval.tabia --force");
    let shares = |weight: &str| {
        let mut probe =
            bench.command(&format!("probe eval.tabia --policy crafty --set eval-weight={weight} --line"));
        let output = probe.arg("e4 e5 Nf3 Nc6 Bb5 a6").output().unwrap();
        assert!(output.status.success());
        String::from_utf8(output.stdout).unwrap()
    };
    assert_ne!(shares("0"), shares("1"));
}

/// A move that leads to a position whose evaluation was learned has that evaluation, from its own side.
#[test]
fn crafty_policies_see_learned_positions() {
    let bench = ruy();
    // Black's searches after 4.Ba4 Nf6 5.O-O: what Black saw there is the other view of 5.O-O, which the
    // second book has.
    let line = "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 {+0.40/9} Re1 b5 {-0.20/11} Bb3";
    bench.write("own.pgn", game("Opp", "Eng", "1/2-1/2", &[], line));
    bench.learn("games own.pgn --player Eng --search", "x.parquet");
    let moves = "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7";
    bench.write(
        "more.pgn",
        [" Re1 b5", " d3 b5"].map(|end| game("a", "b", "1-0", &[], &format!("{moves}{end}"))).concat(),
    );
    bench.ok("count more.pgn -o more.table");
    bench.ok("compact more.table --experience x.parquet -o more.tabia");
    let explained = bench
        .command("probe more.tabia --policy crafty --set eval-weight=1 --explain --line")
        .arg(moves)
        .output();
    let explained = String::from_utf8(explained.unwrap().stdout).unwrap();
    let line = explained.lines().find(|line| line.starts_with("Re1 ") && line.contains("eval-part")).unwrap();
    assert!(line.ends_with(", eval 0.2"), "{explained}");
}
