//! Terra: example. Black answers 1.e4, random type 1.

use crate::{
    situation::{
        assert_near, chance, edge, excluded, judge, known, most_likely, nag, own, score, set, tally,
    },
    wheel::roulette,
};
use policy::{Candidate, Judgement};
use position::{Experience, OwnResults, Tally};
use shakmaty::Color;

/// Games with a score for Black as near to `percent` as whole and half points allow.
fn games(count: u64, percent: u64) -> Tally {
    let half_points = (2 * count * percent + 50) / 100;
    let (wins, draws) = (half_points / 2, half_points % 2);
    tally(count - wins - draws, draws, wins)
}

/// The table: move, book games, Win %, and Terra's or the user's value.
fn table() -> Vec<Candidate> {
    let five_games_60_percent = own(3, 0, 2);
    let one_game_0_percent = own(0, 0, 1);
    let nothing = Experience::default();
    [
        ("e7e5", 5783, 43, five_games_60_percent),
        ("c7c5", 5230, 48, set(75)),
        ("e7e6", 1329, 36, one_game_0_percent),
        ("c7c6", 748, 26, nothing),
        ("g8f6", 276, 27, set(0)),
        ("d7d5", 43, 29, set(15)),
        ("d7d6", 21, 34, nothing),
        ("b8c6", 6, 48, set(0)),
        ("b7b6", 5, 27, nothing),
        ("g7g6", 2, 0, nothing),
        ("a7a6", 2, 100, nothing),
    ]
    .map(|(uci, count, percent, experience)| known(uci, games(count, percent), experience))
    .to_vec()
}

const SETTINGS: &[(&str, &str)] = &[
    ("random-type", "1"),
    ("book-limit", "33"),
    ("min-terra-games", "3"),
    ("terra-limit", "40"),
    ("min-book-games", "4"),
];

fn judged(candidates: &[Candidate]) -> Judgement {
    judge("terra", SETTINGS, Color::Black, candidates)
}

#[test]
fn the_table_has_13445_book_games() {
    assert_eq!(table().iter().map(|candidate| candidate.tally.games()).sum::<u64>(), 13_445);
}

#[test]
fn the_settings_of_the_text_are_the_defaults() {
    assert_eq!(judge("terra", &[], Color::Black, &table()), judged(&table()));
}

#[test]
fn candidates_of_the_second_group_are_e5_e6_d6() {
    let judgement = judged(&table());
    for uci in ["e7e5", "e7e6", "d7d6"] {
        assert_eq!(excluded(&judgement, uci), None, "{uci}");
        assert_eq!(judgement.of(crate::situation::mv(uci)).unwrap().group, Some("statistics"));
    }
    for uci in ["c7c6", "b7b6"] {
        assert_eq!(excluded(&judgement, uci), Some("book Win % not above book-limit"), "{uci}");
    }
    for uci in ["g7g6", "a7a6"] {
        assert_eq!(excluded(&judgement, uci), Some("fewer book games than min-book-games"), "{uci}");
    }
    for uci in ["g8f6", "b8c6"] {
        assert_eq!(excluded(&judgement, uci), Some("set to 0: never played"), "{uci}");
    }
}

/// The formula gives 78.75 %; the text multiplies 75 by 0.85 and prints 63.75.
#[test]
fn the_user_group_is_taken_by_the_formula_and_not_by_the_slip() {
    let judgement = judged(&table());
    let by_formula = 100.0 * judgement.figures.get("user-group").unwrap();
    let by_text = 75.0 * (100.0 - 15.0) / 100.0;
    assert_near(by_formula, 78.75, 1e-12);
    assert_near(by_text, 63.75, 1e-12);
    let takes_user_group = |draw: f64, percent: f64| draw < percent;
    assert!(takes_user_group(60.0, by_formula) && takes_user_group(60.0, by_text));
    assert!(takes_user_group(70.0, by_formula) && !takes_user_group(70.0, by_text));
}

/// The text sums 75 and 15 to 85; the sum is 90.
#[test]
fn the_user_group_draws_45_and_plays_c5() {
    let judgement = judged(&table());
    let values = ["c7c5", "d7d5"].map(|uci| score(&judgement, uci, "user-value") as u64);
    assert_eq!(values.iter().sum::<u64>(), 90);
    assert_eq!(roulette(&[1, 0], &values, 45), Some(0));
    assert_near(chance(&judgement, "c7c5"), 0.7875 * 75.0 / 90.0, 1e-15);
    assert_near(chance(&judgement, "d7d5"), 0.7875 * 15.0 / 90.0, 1e-15);
}

#[test]
fn the_second_group_has_60_63_and_1() {
    let judgement = judged(&table());
    assert_eq!(judgement.figures.get("frequency-sum"), Some(2107.0));
    assert_eq!(["e7e5", "e7e6", "d7d6"].map(|uci| score(&judgement, uci, "value")), [60.0, 63.0, 1.0]);
    for (uci, value) in [("e7e5", 60.0), ("e7e6", 63.0), ("d7d6", 1.0)] {
        assert_near(chance(&judgement, uci), 0.2125 * value / 124.0, 1e-15);
    }
}

#[test]
fn the_wheel_at_113_stops_at_e5() {
    let judgement = judged(&table());
    let [e5, e6, d6] = [0, 1, 2];
    let values = ["e7e5", "e7e6", "d7d6"].map(|uci| score(&judgement, uci, "value") as u64);
    let order = [e6, d6, e5];
    assert_eq!(roulette(&order, &values, 113), Some(e5));
    assert_eq!(roulette(&order, &values, 63), Some(e6), "reached");
    assert_eq!(roulette(&order, &values, 64), Some(d6), "reached");
    assert_eq!(roulette(&order, &values, 65), Some(e5));
}

#[test]
fn an_own_score_not_above_terra_limit_is_on_the_avoid_list() {
    for (experience, avoided) in [(own(2, 0, 3), true), (own(1, 2, 2), true), (own(2, 1, 2), false)] {
        let mut candidates = table();
        candidates[0].experience = experience;
        let rule = excluded(&judged(&candidates), "e7e5");
        assert_eq!(rule.is_some_and(|rule| rule.starts_with("Avoid List")), avoided, "{experience:?}");
    }
}

#[test]
fn three_own_games_are_enough_and_four_book_games_too() {
    let mut candidates = table();
    candidates[0].experience = own(3, 0, 0);
    assert_eq!(score(&judged(&candidates), "e7e5", "value"), 100.0);
    candidates[0].experience = own(2, 0, 0);
    assert_eq!(score(&judged(&candidates), "e7e5", "value"), 73.0, "5783 of 7890 by frequency");
    candidates[9].tally = games(4, 100);
    assert_eq!(excluded(&judged(&candidates), "g7g6"), None);
}

#[test]
fn a_move_set_to_100_is_played_without_more_ado() {
    let mut candidates = table();
    candidates[2].experience = set(100);
    let judgement = judged(&candidates);
    assert_eq!(chance(&judgement, "e7e6"), 1.0);
    assert_eq!(excluded(&judgement, "c7c5"), Some("another move is set to 100: always played"));
    candidates[8].experience = nag(3);
    let judgement = judged(&candidates);
    assert_eq!((chance(&judgement, "e7e6"), chance(&judgement, "b7b6")), (0.5, 0.5));
}

#[test]
fn annotations_have_the_values_of_the_text() {
    for (annotation, value) in [(1, 75.0), (2, 0.0), (3, 100.0), (5, 15.0), (6, 15.0)] {
        let judgement = judged(&[known("e7e5", games(9, 50), nag(annotation))]);
        assert_eq!(score(&judgement, "e7e5", "user-value"), value, "${annotation}");
    }
}

#[test]
fn one_group_alone_is_always_taken() {
    let user_only = judged(&table()[1..2]);
    assert_eq!(chance(&user_only, "c7c5"), 1.0);
    let statistics_only = judged(&table()[0..1]);
    assert_eq!(chance(&statistics_only, "e7e5"), 1.0);
}

#[test]
fn the_other_random_types_select_or_draw() {
    let kind = |kind: &str| judge("terra", &[("random-type", kind)], Color::Black, &table());
    let group = 0.2125;
    assert_near(chance(&kind("0"), "e7e5"), group, 1e-15);
    assert_near(chance(&kind("3"), "e7e5"), group, 1e-15);
    let [e5, e6, d6] = [60.0, 36.0, 33.0];
    assert_near(chance(&kind("2"), "e7e5"), group * e5 / (e5 + e6 + d6), 1e-12);
    // 5783, 1329 and 21 of 7890 games outside the user's group.
    let [e5, e6, d6] = [73.0, 17.0, 1.0];
    assert_near(chance(&kind("4"), "e7e5"), group * e5 / (e5 + e6 + d6), 1e-15);
}

fn after_book(uci: &str, results: (u32, u32, u32), eval: f32) -> Candidate {
    let (wins, draws, losses) = results;
    let postbook =
        Experience { own: OwnResults { wins, draws, losses }, eval: Some(eval), ..Experience::default() };
    Candidate { in_book: false, target: None, postbook: Some(postbook), ..edge(uci, Tally::default()) }
}

#[test]
fn where_the_book_ends_the_best_postbook_move_is_played_without_chance() {
    let candidates = [
        after_book("e7e5", (1, 0, 1), 0.9),
        after_book("c7c5", (1, 1, 0), -0.1),
        after_book("d7d5", (3, 3, 0), 0.2),
        after_book("a7a6", (0, 0, 3), 2.0),
    ];
    let judgement = judged(&candidates);
    assert_eq!(chance(&judgement, "d7d5"), 1.0, "as good a score as c5's, a better evaluation");
    assert_eq!(excluded(&judgement, "a7a6"), Some("PostBook: own Win % not above terra-limit"));
    assert_eq!(["a7a6", "c7c5", "d7d5"].map(|mv| score(&judgement, mv, "own-percent")), [0.0, 75.0, 75.0]);
    assert_eq!(judgement.notes, ["no book move is left: the best PostBook move is played"]);
}

#[test]
fn postbook_moves_wait_while_a_book_move_is_left() {
    let mut candidates = table();
    candidates.push(after_book("h7h6", (9, 0, 0), 3.0));
    let judgement = judged(&candidates);
    assert_eq!(excluded(&judgement, "h7h6"), Some("not a move of the book"));
}

/// A move that was seen to be lost is not played again because it is the only one known.
#[test]
fn a_postbook_move_below_the_limit_is_never_played() {
    let judgement = judged(&[after_book("e7e5", (0, 0, 1), -2.53)]);
    assert_eq!(excluded(&judgement, "e7e5"), Some("PostBook: evaluation below postbook-limit"));
    assert!(most_likely(&judgement).is_none());
    let judgement = judged(&[after_book("e7e5", (2, 0, 0), -0.81), after_book("c7c5", (0, 0, 1), -0.75)]);
    assert_eq!(chance(&judgement, "c7c5"), 1.0);
    assert_eq!(judgement.figures.get("postbook-limit"), Some(-0.8));
    let lost = [after_book("e7e5", (0, 0, 1), -2.53)];
    let judgement = judge("terra", &[("postbook-limit", "-3")], Color::Black, &lost);
    assert_eq!(chance(&judgement, "e7e5"), 1.0);
}
