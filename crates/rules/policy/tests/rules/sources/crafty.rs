//! Crafty: sections 5.1 and 5.2, and the same positions as a later version played them.

use crate::situation::{edge, excluded, judge, known, learned, most_likely, mv, nag, tally};
use policy::Candidate;
use position::PackedMove;
use shakmaty::Color;

/// Move 4 of the paper's book: Nc3 in three lines, Ba4 in one, with Nc3's learned value.
///
/// The lines have no results; Crafty 15.17 counts them as won by White.
fn move_4(nc3: f32) -> [Candidate; 2] {
    [known("b1c3", tally(3, 0, 0), learned(nc3)), edge("b5a4", tally(1, 0, 0))]
}

/// Move 6: three moves played once each, with their learned values.
fn move_6(castles: f32, d3: f32, nc3: f32) -> [Candidate; 3] {
    let once = tally(1, 0, 0);
    [
        known("e1h1", once, learned(castles)),
        known("d2d3", once, learned(d3)),
        known("b1c3", once, learned(nc3)),
    ]
}

fn played(policy: &str, settings: &[(&str, &str)], candidates: &[Candidate]) -> Option<PackedMove> {
    let judgement = judge(policy, settings, Color::White, candidates);
    most_likely(&judgement).map(|judged| {
        assert_eq!(judged.probability, 1.0, "{policy} plays without chance");
        judged.mv
    })
}

#[test]
fn section_5_1_eliminates_nc3_in_three_games() {
    for nc3 in [0.0, -0.45, -0.5725] {
        assert_eq!(played("crafty-5.1", &[], &move_4(nc3)), Some(mv("b1c3")), "{nc3}");
    }
    // The learned value after the three records is -0.98.
    assert_eq!(played("crafty-5.1", &[], &move_4(-0.981_25)), Some(mv("b5a4")));
    let judgement = judge("crafty-5.1", &[], Color::White, &move_4(-0.981_25));
    assert_eq!(excluded(&judgement, "b1c3"), Some("learned value at or below bad-threshold"));
}

#[test]
fn section_5_1_tries_each_move_6_once() {
    let mut known = [0.0; 3];
    let mut tried = Vec::new();
    for value in [-1.35, -1.39, -1.39] {
        let [castles, d3, nc3] = known;
        let chosen = played("crafty-5.1", &[], &move_6(castles, d3, nc3)).unwrap();
        let at = ["e1h1", "d2d3", "b1c3"].iter().position(|uci| mv(uci) == chosen).unwrap();
        known[at] = value;
        tried.push(at);
    }
    tried.sort_unstable();
    assert_eq!(tried, [0, 1, 2]);
    let [castles, d3, nc3] = known;
    let judgement = judge("crafty-5.1", &[], Color::White, &move_6(castles, d3, nc3));
    assert_eq!(judgement.notes, ["every move is excluded"]);
}

#[test]
fn section_5_2_avoids_nc3_at_once() {
    assert_eq!(played("crafty-5.2", &[], &move_4(0.0)), Some(mv("b1c3")), "nothing learned: by frequency");
    assert_eq!(played("crafty-5.2", &[], &move_4(-0.45)), Some(mv("b5a4")));
}

#[test]
fn the_threshold_is_reached_at_exactly_minus_0_80() {
    for (value, plays) in [(-0.79, "b1c3"), (-0.8, "b5a4"), (f32::NAN, "b5a4")] {
        assert_eq!(played("crafty-5.1", &[], &move_4(value)), Some(mv(plays)), "{value}");
    }
}

#[test]
fn flagged_moves_are_not_playable_in_the_paper() {
    let mut candidates = move_4(0.0);
    candidates[0].experience = nag(2);
    assert_eq!(played("crafty-5.1", &[], &candidates), Some(mv("b5a4")));
    assert_eq!(played("crafty-5.2", &[], &candidates), Some(mv("b5a4")));
}

/// Crafty reads an annotation sign by sign: one with a `?` is flagged `?`.
#[test]
fn a_question_mark_in_an_annotation_flags_the_move() {
    for (sign, policy) in
        [(5, "crafty-5.1"), (6, "crafty-5.1"), (5, "crafty-5.2"), (6, "crafty"), (5, "crafty")]
    {
        let mut candidates = move_4(0.0);
        candidates[0].experience = nag(sign);
        let judgement = judge(policy, &[], Color::White, &candidates);
        let rule = excluded(&judgement, "b1c3").unwrap();
        assert!(rule.starts_with("annotated ? or ??, or with a ? as ?! and !? are"), "{policy}: {rule}");
    }
}

/// Crafty 15.17 played the paper's four lines like this: `book width 1`, weights 1, 0, 0, values as it
/// learned them.
#[test]
fn crafty_15_17_repeated_section_5_1() {
    let settings = [
        ("version", "15.17"),
        ("book-width", "1"),
        ("freq-weight", "1"),
        ("eval-weight", "0"),
        ("learn-weight", "0"),
    ];
    for nc3 in [0.0, -0.3633, -0.5567] {
        assert_eq!(played("crafty", &settings, &move_4(nc3)), Some(mv("b1c3")), "{nc3}");
    }
    assert_eq!(played("crafty", &settings, &move_4(-0.9033)), Some(mv("b5a4")));
}

/// With the learned value weighted 1 and frequency 0.01 it left Nc3 in the second game.
#[test]
fn crafty_15_17_repeated_section_5_2() {
    let settings = [
        ("version", "15.17"),
        ("book-width", "1"),
        ("freq-weight", "0.01"),
        ("eval-weight", "0"),
        ("learn-weight", "1"),
    ];
    assert_eq!(played("crafty", &settings, &move_4(0.0)), Some(mv("b1c3")));
    assert_eq!(played("crafty", &settings, &move_4(-0.3633)), Some(mv("b5a4")));
}
