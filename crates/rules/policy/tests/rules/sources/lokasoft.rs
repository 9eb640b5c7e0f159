//! ChessPartner: priority, learned score, variation, example.

use crate::situation::{assert_near, chance, excluded, judge, known, own, score, tally};
use policy::{Candidate, Judgement};
use position::Experience;
use shakmaty::Color;

const MOVES: [&str; 4] = ["e2e4", "d2d4", "c2c4", "g1f3"];

/// Four moves of priority 3, the first with these own games.
fn four(first: Experience) -> [Candidate; 4] {
    let games = tally(10, 10, 10);
    MOVES.map(|mv| known(mv, games, if mv == MOVES[0] { first } else { Experience::default() }))
}

fn judged(settings: &[(&str, &str)], candidates: &[Candidate]) -> Judgement {
    judge("lokasoft", settings, Color::White, candidates)
}

#[track_caller]
fn assert_chances(judgement: &Judgement, expected: [f64; 4]) {
    for (mv, percent) in MOVES.iter().zip(expected) {
        assert_near(100.0 * chance(judgement, mv), percent, 0.005);
    }
}

#[test]
fn four_moves_without_games_are_even_at_50_points() {
    let judgement = judged(&[], &four(Experience::default()));
    assert_chances(&judgement, [25.0; 4]);
    for mv in MOVES {
        assert_eq!((score(&judgement, mv, "mscore"), score(&judgement, mv, "shifted")), (96.0, 50.0));
    }
}

#[test]
fn a_lost_first_game_gives_50_150_150_150_and_10_percent() {
    let judgement = judged(&[], &four(own(0, 0, 1)));
    assert_eq!(score(&judgement, MOVES[0], "mscore"), -4.0);
    assert_eq!(MOVES.map(|mv| score(&judgement, mv, "shifted")), [50.0, 150.0, 150.0, 150.0]);
    assert_chances(&judgement, [10.0, 30.0, 30.0, 30.0]);
}

#[test]
fn learning_strength_sweeps_the_lost_move_from_25_to_6_percent() {
    for (strength, percent) in [("0", 25.0), ("25", 14.29), ("50", 10.0), ("75", 7.69), ("100", 6.25)] {
        let judgement = judged(&[("learning-strength", strength)], &four(own(0, 0, 1)));
        assert_near(100.0 * chance(&judgement, MOVES[0]), percent, 0.005);
    }
    let strongest = judged(&[("learning-strength", "100")], &four(own(0, 0, 1)));
    assert_eq!(score(&strongest, MOVES[0], "mscore"), -104.0);
    assert_eq!(MOVES.map(|mv| score(&strongest, mv, "shifted")), [50.0, 250.0, 250.0, 250.0]);
}

#[test]
fn variation_0_never_plays_the_lowest() {
    let judgement = judged(&[("variation", "0")], &four(own(0, 0, 1)));
    assert_chances(&judgement, [0.0, 33.333, 33.333, 33.333]);
}

#[test]
fn variation_0_with_equal_scores_is_even() {
    let judgement = judged(&[("variation", "0")], &four(Experience::default()));
    assert_chances(&judgement, [25.0; 4]);
    assert_eq!(judgement.notes, ["every weight is 0: the choice is even"]);
}

#[test]
fn a_won_first_game_gives_50_percent() {
    let judgement = judged(&[], &four(own(1, 0, 0)));
    assert_eq!(score(&judgement, MOVES[0], "mscore"), 196.0);
    assert_chances(&judgement, [50.0, 16.667, 16.667, 16.667]);
}

#[test]
fn ten_wins_and_a_loss_give_46_774_percent() {
    let judgement = judged(&[], &four(own(10, 0, 1)));
    assert_near(score(&judgement, MOVES[0], "mscore"), 177.818, 0.0005);
    assert_near(score(&judgement, MOVES[0], "shifted"), 131.818, 0.0005);
    assert_near(100.0 * chance(&judgement, MOVES[0]), 46.774, 0.0005);
}

#[test]
fn priorities_5_3_1_give_52_33_and_15_percent() {
    let candidates = [("e2e4", 5), ("d2d4", 3), ("c2c4", 1)].map(|(mv, priority)| {
        known(mv, tally(1, 1, 1), Experience { priority: Some(priority), ..Experience::default() })
    });
    let judgement = judged(&[], &candidates);
    assert_eq!(MOVES[..3].iter().map(|mv| score(&judgement, mv, "mscore")).sum::<f64>(), 160.0 + 96.0 + 32.0);
    for (mv, shifted, percent) in [("e2e4", 178.0, 52.05), ("d2d4", 114.0, 33.33), ("c2c4", 50.0, 14.62)] {
        assert_eq!(score(&judgement, mv, "shifted"), shifted);
        assert_near(100.0 * chance(&judgement, mv), percent, 0.005);
    }
}

#[test]
fn a_hundred_wins_and_losses_count_as_none() {
    let judgement = judged(&[], &four(own(100, 0, 100)));
    assert_eq!(score(&judgement, MOVES[0], "lscore"), 0.0);
    assert_chances(&judgement, [25.0; 4]);
}

#[test]
fn draws_stay_out() {
    assert_eq!(
        judged(&[], &four(own(0, 7, 1))).moves[0].probability,
        judged(&[], &four(own(0, 0, 1))).moves[0].probability
    );
    assert_chances(&judged(&[], &four(own(0, 9, 0))), [25.0; 4]);
}

#[test]
fn priority_0_leaves_before_the_shift() {
    let never = Experience { priority: Some(0), ..Experience::default() };
    let judgement = judged(&[], &four(never));
    assert_eq!(excluded(&judgement, MOVES[0]), Some("priority 0 is never played"));
    assert_chances(&judgement, [0.0, 33.333, 33.333, 33.333]);
}

#[test]
fn other_distributions_ignore_what_was_learned() {
    let mut candidates = four(own(0, 0, 1));
    candidates[0].tally = tally(30, 30, 30);
    assert_chances(&judged(&[("move-distribution", "random")], &candidates), [25.0; 4]);
    let by_games = judged(&[("move-distribution", "times-played")], &candidates);
    assert_chances(&by_games, [50.0, 16.667, 16.667, 16.667]);
}

#[test]
fn results_of_the_book_can_replace_own_games() {
    let mut candidates = four(Experience::default());
    candidates[0].tally = tally(0, 5, 1);
    let judgement = judged(&[("results", "book")], &candidates);
    assert_chances(&judgement, [10.0, 30.0, 30.0, 30.0]);
}
