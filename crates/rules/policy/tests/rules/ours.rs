//! Polyglot's rule, and those of ours.

use crate::situation::{assert_near, chance, edge, excluded, judge, most_likely, score, tally};
use policy::Candidate;
use position::Score;
use shakmaty::Color;

fn weighing(uci: &str, weight: u16) -> Candidate {
    Candidate { weight: Some(weight), ..edge(uci, tally(0, 0, 0)) }
}

#[test]
fn polyglot_draws_by_weight() {
    let judgement = judge("polyglot", &[], Color::White, &[weighing("e2e4", 30), weighing("d2d4", 10)]);
    assert_eq!((chance(&judgement, "e2e4"), chance(&judgement, "d2d4")), (0.75, 0.25));
}

#[test]
fn polyglot_plays_only_above_the_threshold() {
    let judgement = judge("polyglot", &[], Color::White, &[weighing("e2e4", 995), weighing("d2d4", 5)]);
    assert_eq!(excluded(&judgement, "d2d4"), Some("share of the weights not above threshold"));
    let judgement = judge("polyglot", &[], Color::White, &[weighing("e2e4", 994), weighing("d2d4", 6)]);
    assert_near(chance(&judgement, "d2d4"), 0.006, 1e-12);
    let all = [("threshold", "1000")];
    assert_eq!(most_likely(&judge("polyglot", &all, Color::White, &[weighing("e2e4", 1)])), None);
}

#[test]
fn polyglot_draws_by_shares_cut_to_hundredths_of_a_percent() {
    let thirds = [weighing("e2e4", 2), weighing("d2d4", 1)];
    let judgement = judge("polyglot", &[], Color::White, &thirds);
    assert_eq!((score(&judgement, "e2e4", "score"), score(&judgement, "d2d4", "score")), (6666.0, 3333.0));
}

#[test]
fn polyglot_weighs_wins_twice_where_the_book_has_no_weight() {
    let candidates = [edge("e2e4", tally(5, 2, 9)), edge("d2d4", tally(1, 2, 0))];
    let judgement = judge("polyglot", &[], Color::White, &candidates);
    assert_eq!((score(&judgement, "e2e4", "weight"), score(&judgement, "d2d4", "weight")), (12.0, 4.0));
    let judgement = judge("polyglot", &[], Color::Black, &candidates);
    assert_eq!((score(&judgement, "e2e4", "weight"), score(&judgement, "d2d4", "weight")), (20.0, 2.0));
}

#[test]
fn polyglot_without_random_plays_the_heaviest() {
    let candidates = [weighing("e2e4", 30), weighing("d2d4", 31), weighing("c2c4", 0)];
    let judgement = judge("polyglot", &[("best-only", "true")], Color::White, &candidates);
    assert_eq!(chance(&judgement, "d2d4"), 1.0);
    assert_eq!(excluded(&judgement, "c2c4"), Some("weight 0 is never played"));
}

/// One move has four and a half points from five games, the other a score of 60 % from five thousand.
fn few_and_many() -> [Candidate; 2] {
    [edge("a2a3", tally(4, 1, 0)), edge("e2e4", tally(2500, 1000, 1500))]
}

#[test]
fn five_games_do_not_beat_five_thousand() {
    for policy in ["wilson", "bayes"] {
        let judgement = judge(policy, &[("choice", "best")], Color::White, &few_and_many());
        assert_eq!(chance(&judgement, "e2e4"), 1.0, "{policy}");
        let weighted = judge(policy, &[], Color::White, &few_and_many());
        assert!(chance(&weighted, "e2e4") > 0.5, "{policy}: {}", chance(&weighted, "e2e4"));
    }
}

#[test]
fn without_care_the_plain_score_decides() {
    let plain = judge("wilson", &[("z", "0"), ("choice", "best")], Color::White, &few_and_many());
    assert_eq!(chance(&plain, "a2a3"), 1.0);
    assert_eq!(score(&plain, "a2a3", "lower-bound"), 0.9);
    let plain = judge(
        "bayes",
        &[("prior-strength", "0"), ("caution", "0"), ("choice", "best")],
        Color::White,
        &few_and_many(),
    );
    assert_eq!(chance(&plain, "a2a3"), 1.0);
}

#[test]
fn bayes_mixes_in_games_that_were_not_played() {
    let fixed = [("prior", "fixed"), ("prior-mean", "0.5"), ("prior-strength", "5")];
    let judgement = judge("bayes", &fixed, Color::White, &few_and_many());
    assert_near(score(&judgement, "a2a3", "expected-score"), (4.5 + 2.5) / 10.0, 1e-15);
    // Beta(7, 3): variance 7 * 3 / (10 * 10 * 11).
    assert_near(score(&judgement, "a2a3", "deviation"), (21.0_f64 / 1100.0).sqrt(), 1e-15);
    let judgement = judge("bayes", &[], Color::White, &few_and_many());
    assert_near(judgement.figures.get("prior-mean").unwrap(), 3004.5 / 5005.0, 1e-15);
}

#[test]
fn sharpness_raises_the_best() {
    let candidates = [edge("e2e4", tally(600, 0, 400)), edge("d2d4", tally(300, 0, 700))];
    let at = |sharpness: &str| {
        let settings = [("z", "0"), ("sharpness", sharpness)];
        chance(&judge("wilson", &settings, Color::White, &candidates), "e2e4")
    };
    assert_near(at("1"), 2.0 / 3.0, 1e-15);
    assert_near(at("2"), 0.8, 1e-15);
    assert!(at("64") > 0.999_999);
}

#[test]
fn too_few_games_are_left_out() {
    for policy in ["wilson", "bayes"] {
        let judgement = judge(policy, &[("min-games", "6")], Color::White, &few_and_many());
        assert_eq!(excluded(&judgement, "a2a3"), Some("fewer games than min-games"));
    }
}

/// A move that was played so often, with its value over the book and its own evaluation.
fn worth(
    uci: &str,
    games: u64,
    minimax: impl Into<Option<Score>>,
    evaluation: impl Into<Option<Score>>,
) -> Candidate {
    let (minimax, evaluation) = (minimax.into(), evaluation.into());
    Candidate { minimax, evaluation, ..edge(uci, tally(games, 0, 0)) }
}

fn cp(cp: i32) -> Score {
    Score::Cp(cp)
}

#[test]
fn minimax_plays_within_the_window_the_better_the_more() {
    let moves = [
        worth("e2e4", 1, cp(30), cp(-90)),
        worth("d2d4", 900, cp(20), None),
        worth("c2c4", 1, cp(0), None),
        worth("g1f3", 1, cp(-1), None),
        worth("a2a3", 500, None, None),
        worth("b2b3", 1, None, cp(25)),
    ];
    let judgement = judge("minimax", &[], Color::White, &moves);
    let at = |uci| chance(&judgement, uci) / chance(&judgement, "e2e4");
    assert_near(at("d2d4"), (-1.0_f64).exp(), 1e-9);
    assert_near(at("c2c4"), (-3.0_f64).exp(), 1e-9);
    assert_near(at("b2b3"), (-0.5_f64).exp(), 1e-9);
    assert_eq!(excluded(&judgement, "g1f3"), Some("worth less than the best by more than window"));
    assert_eq!(excluded(&judgement, "a2a3"), Some("no evaluation says what it is worth"));
    assert_eq!(score(&judgement, "e2e4", "minimax"), 30.0);
    assert_eq!(score(&judgement, "e2e4", "evaluation"), -90.0);
    let narrow = [("window", "100"), ("window-black", "5")];
    assert_eq!(excluded(&judge("minimax", &narrow, Color::White, &moves), "g1f3"), None);
    let black = judge("minimax", &narrow, Color::Black, &moves);
    assert_eq!((chance(&black, "d2d4") > 0.0, chance(&black, "b2b3") > 0.0), (false, true));
}

#[test]
fn minimax_without_temperature_plays_the_best_and_of_equals_the_most_played() {
    let cold = [("temperature", "0")];
    let moves =
        [worth("e2e4", 1, cp(30), None), worth("d2d4", 9, cp(30), None), worth("c2c4", 99, cp(29), None)];
    assert_eq!(chance(&judge("minimax", &cold, Color::White, &moves), "d2d4"), 1.0);
    let mate = [worth("e2e4", 1, Some(Score::Mate(3)), None), worth("d2d4", 9, Some(Score::Mate(2)), None)];
    assert_eq!(chance(&judge("minimax", &cold, Color::White, &mate), "d2d4"), 1.0);
    let mated = [worth("e2e4", 1, Some(Score::Mate(-3)), None), worth("d2d4", 9, cp(-900), None)];
    assert_eq!(chance(&judge("minimax", &[], Color::White, &mated), "d2d4"), 1.0);
}

#[test]
fn minimax_without_values_goes_by_games_and_says_so() {
    let moves = [worth("e2e4", 30, None, None), worth("d2d4", 10, None, None)];
    let judgement = judge("minimax", &[], Color::White, &moves);
    assert_eq!((chance(&judgement, "e2e4"), chance(&judgement, "d2d4")), (0.75, 0.25));
    assert!(judgement.notes[0].starts_with("no evaluation says what a move is worth"));
}
