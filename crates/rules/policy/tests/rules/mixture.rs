//! The mixture of Crafty's later versions: sort values, flags, width, percents.

use crate::situation::{
    assert_near, chance, edge, excluded, judge, known, learned, most_likely, mv, nag, score, set, tally,
};
use policy::{Candidate, Judgement};
use position::Experience;
use shakmaty::Color;

/// Three moves, played 100, 50 and 20 times, that learned +0.20, 0 and -0.875; the last value is cut to -87
/// centipawns.
fn three() -> [Candidate; 3] {
    [
        known("e2e4", tally(100, 0, 0), learned(0.2)),
        known("d2d4", tally(50, 0, 0), learned(0.0)),
        known("c2c4", tally(20, 0, 0), learned(-0.875)),
    ]
}

/// Sort values by hand: 100/101 and 50/101 of a thousand, learned values on the range of each version.
#[test]
fn sort_values_of_each_version() {
    let frequency = [100_000.0 / 101.0, 50_000.0 / 101.0];
    let wide = [1000.0, 87_000.0 / 107.0];
    let narrow = [1000.0, 0.0];
    for (version, freq, learn, places, bonus) in [
        ("15.17", 1.0, 1.0, wide, 4000.0),
        ("16", 1.0, 0.3, wide, 0.0),
        ("18", 0.5, 1.0, wide, 0.0),
        ("18.10", 0.5, 1.0, narrow, 0.0),
        ("19", 1.0, 1.0, narrow, 0.0),
        ("22", 1.0, 1.0, narrow, 0.0),
    ] {
        let judgement = judge("crafty", &[("version", version)], Color::White, &three());
        let expected = [0, 1].map(|at| 1.0 + freq * frequency[at] + learn * places[at] + bonus);
        for (uci, value) in ["e2e4", "d2d4"].iter().zip(expected) {
            assert_near(score(&judgement, uci, "sort-value"), value, 1e-3);
        }
        // Crafty goes on with whole numbers.
        let squares = expected.map(|value: f64| value.trunc().powi(2));
        assert_near(chance(&judgement, "e2e4"), squares[0] / (squares[0] + squares[1]), 1e-6);
        assert_eq!(
            excluded(&judgement, "c2c4"),
            Some("learned value at or below bad-threshold"),
            "{version}"
        );
    }
}

#[test]
fn evaluations_count_by_version() {
    let evaluated = |uci, eval| known(uci, tally(10, 0, 0), Experience { eval: Some(eval), ..learned(0.0) });
    let candidates = [evaluated("e2e4", 0.4), evaluated("d2d4", 0.1), edge("c2c4", tally(10, 0, 0))];
    for (version, weight) in
        [("15.17", 1.0), ("16", 0.1), ("18", 0.1), ("18.10", 0.1), ("19", 0.5), ("22", 0.1)]
    {
        let judgement = judge("crafty", &[("version", version)], Color::White, &candidates);
        // The range of 30 centipawns counts as 50; a move without evaluation gets nothing.
        assert_near(score(&judgement, "e2e4", "eval-part"), 600.0 * weight, 1e-3);
        assert_eq!(score(&judgement, "d2d4", "eval-part"), 0.0);
        assert_eq!(score(&judgement, "c2c4", "eval-part"), 0.0);
    }
}

fn judged(settings: &[(&str, &str)], candidates: &[Candidate]) -> Judgement {
    judge("crafty", settings, Color::White, candidates)
}

#[test]
fn a_move_the_mover_never_won_with_is_rejected() {
    let candidates = [edge("e2e4", tally(1, 5, 5)), edge("d2d4", tally(0, 9, 3))];
    let rule = Some("the mover never won with it");
    assert_eq!(excluded(&judged(&[], &candidates), "d2d4"), rule);
    assert_eq!(excluded(&judge("crafty", &[], Color::Black, &candidates), "d2d4"), None);
    assert_eq!(excluded(&judged(&[("never-won-rule", "false")], &candidates), "d2d4"), None);
}

#[test]
fn a_tenth_of_the_most_played_is_the_least() {
    let rule = Some("played less than a tenth as often as the most played move");
    let at = |most, few| [edge("e2e4", tally(most, 0, 0)), edge("d2d4", tally(few, 0, 0))];
    assert_eq!(excluded(&judged(&[], &at(100, 9)), "d2d4"), rule);
    assert_eq!(excluded(&judged(&[], &at(100, 10)), "d2d4"), None);
    assert_eq!(excluded(&judged(&[], &at(109, 10)), "d2d4"), None, "whole tenths");
    // Before 18.10 one is added to the highest count first.
    assert_eq!(excluded(&judged(&[("version", "18")], &at(109, 10)), "d2d4"), rule);
    assert_eq!(excluded(&judged(&[("rare-rule", "false")], &at(100, 9)), "d2d4"), None);
}

#[test]
fn moves_learned_at_plus_1_00_come_alone() {
    let candidates =
        [known("e2e4", tally(50, 0, 0), learned(1.0)), known("d2d4", tally(90, 0, 0), learned(0.99))];
    let judgement = judged(&[], &candidates);
    assert_eq!((chance(&judgement, "e2e4"), chance(&judgement, "d2d4")), (1.0, 0.0));
    assert_eq!(judgement.of(mv("e2e4")).unwrap().group, Some("!"));
    assert!(score(&judgement, "e2e4", "sort-value") > 12_000.0);
}

#[test]
fn flags_are_taken_in_the_order_of_their_strength() {
    let flagged = |uci, flag| known(uci, tally(20, 0, 0), nag(flag));
    let (always, good, even) = (flagged("a2a3", 3), flagged("b2b3", 1), flagged("c2c3", 10));
    let (bad, blunder, plain) = (flagged("d2d3", 2), flagged("e2e3", 4), edge("f2f3", tally(20, 0, 0)));
    for (candidates, plays) in [
        (vec![always, good, even, bad, blunder, plain], "a2a3"),
        (vec![good, even, bad, blunder, plain], "b2b3"),
        (vec![even, bad, blunder, plain], "c2c3"),
        (vec![bad, blunder, plain], "f2f3"),
    ] {
        assert_eq!(chance(&judged(&[], &candidates), plays), 1.0, "{plays}");
    }
    assert_eq!(most_likely(&judged(&[], &[bad, blunder])), None);
}

#[test]
fn a_flag_protects_from_the_programs_own_judgement() {
    let lost = known("e2e4", tally(0, 0, 9), Experience { nag: Some(1), ..learned(-3.0) });
    assert_eq!(chance(&judged(&[], &[lost, edge("d2d4", tally(500, 0, 0))]), "e2e4"), 1.0);
}

#[test]
fn the_width_keeps_the_best() {
    let candidates: Vec<Candidate> = ["a2a3", "b2b3", "c2c3", "d2d3", "e2e3", "f2f3", "g2g3"]
        .iter()
        .zip(20..)
        .map(|(uci, games)| edge(uci, tally(games, 0, 0)))
        .collect();
    let considered = |settings: &[(&str, &str)]| {
        let judgement = judged(settings, &candidates);
        judgement.moves.iter().filter(|judged| judged.probability > 0.0).count()
    };
    assert_eq!((considered(&[]), considered(&[("book-width", "2")])), (5, 2));
    let judgement = judged(&[], &candidates);
    assert_eq!(excluded(&judgement, "a2a3"), Some("outside book-width"));
    // From 18.0 on all `!` moves are considered.
    let good: Vec<Candidate> =
        candidates.iter().map(|one| Candidate { experience: nag(1), ..*one }).collect();
    let count = |version| {
        let judgement = judged(&[("version", version), ("book-width", "2")], &good);
        judgement.moves.iter().filter(|judged| judged.probability > 0.0).count()
    };
    assert_eq!((count("16"), count("18")), (2, 7));
}

#[test]
fn play_percents_share_with_the_rest_in_15_17_and_come_alone_later() {
    let candidates = [known("e2e4", tally(50, 0, 0), set(60)), edge("d2d4", tally(50, 0, 0))];
    let old = judged(&[("version", "15.17")], &candidates);
    assert_near(chance(&old, "e2e4"), 0.6, 1e-6);
    assert_eq!(chance(&judged(&[], &candidates), "e2e4"), 1.0);
    let both = [known("e2e4", tally(50, 0, 0), set(60)), known("d2d4", tally(1, 0, 0), set(20))];
    assert_near(chance(&judged(&[], &both), "e2e4"), 0.75, 1e-6);
    let never = [known("e2e4", tally(50, 0, 0), set(0)), edge("d2d4", tally(50, 0, 0))];
    assert_eq!(chance(&judged(&[], &never), "e2e4"), 0.0);
    assert_eq!(excluded(&judged(&[("play-percent", "false")], &never), "e2e4"), None);
}

#[test]
fn without_chance_the_best_evaluation_is_played_or_the_book_left() {
    let evaluated = |uci, games, eval| {
        known(uci, tally(games, 0, 0), Experience { eval: Some(eval), ..Experience::default() })
    };
    let settings = [("book-random", "false")];
    let judgement = judged(&settings, &[evaluated("e2e4", 90, 0.1), evaluated("d2d4", 50, 0.3)]);
    assert_eq!(chance(&judgement, "d2d4"), 1.0);
    let judgement = judged(&settings, &[evaluated("e2e4", 90, -0.51), evaluated("d2d4", 50, -0.9)]);
    assert_eq!(most_likely(&judgement), None);
    assert_eq!(excluded(&judgement, "e2e4"), Some("book-random = false: the best evaluation is below -0.50"));
    let unknown = judged(&settings, &[edge("e2e4", tally(90, 0, 0)), edge("d2d4", tally(50, 0, 0))]);
    assert_eq!(chance(&unknown, "e2e4"), 1.0, "first by sort value");
}
