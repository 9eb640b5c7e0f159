//! Searches in comments teach as Crafty's own do: which of the first ten counts, `LearnFunction`,
//! back-up, update (Crafty: key search, learn function, back-up, average).

use serde_json::json;

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
    let text = game("Eng", "Opp", "0-1", &[], &commented(true, &comments));
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
    let text = game("Eng", "Opp", "0-1", &[], &commented(true, &comments));
    // −60 · (0.1 · 5) = −30.
    assert_eq!(values(&bench, &text, ""), Some([-0.15, 0.15, -0.3, 0.3]));
}

/// Fewer than two searches teach nothing; the result still teaches.
#[test]
fn one_search_is_too_few() {
    let bench = ruy();
    bench.write("own.pgn", game("Eng", "Opp", "0-1", &[], &commented(true, &["-3.00/12 1s"])));
    let learning = bench.learn("games own.pgn --player Eng --search", "x.parquet");
    assert_eq!(learning["taught"], 1);
    let known = bench.known("x.parquet");
    assert!(known.values().all(|known| known["learn"].is_null()));
    assert_eq!(known["e4"]["own"], json!({"wins": 0, "draws": 0, "losses": 1}));
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
        let text = game("Eng", "Opp", "0-1", &[], &commented(true, &comments));
        assert_eq!(values(&bench, &text, ""), Some([-0.5, 0.5, -1.0, 1.0]), "{}", comments[0]);
    }
    // For Black the mover's view is the other one: +1.00 for White is −1.00 of Black's.
    let white_view = ["[%eval 0.20,10]", "[%eval 1.00,10]"];
    let own_view = ["-0.20/10 1s", "-1.00/10 1s"];
    for comments in [white_view, own_view] {
        let text = game("Opp", "Eng", "1-0", &[], &commented(false, &comments));
        assert_eq!(values(&bench, &text, ""), Some([0.5, -0.5, 1.0, -1.0]), "{comments:?}");
    }
}
