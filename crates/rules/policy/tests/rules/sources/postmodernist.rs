//! PostModernist: score, exclusion, example.

use crate::situation::{assert_near, chance, edge, excluded, judge, mv, score, tally};
use policy::Candidate;
use position::{Score, Tally};
use shakmaty::Color;

/// The nine moves of the text's example: White's wins and draws together.
const LIST: [(&str, u64, f64); 9] = [
    ("b2b3", 104, 0.33),
    ("c2c4", 2180, 6.86),
    ("d2d3", 26, 0.08),
    ("d2d4", 11191, 35.24),
    ("e2e4", 14800, 46.60),
    ("f2f4", 115, 0.36),
    ("g2g3", 235, 0.74),
    ("g1h3", 2, 0.006),
    ("g1f3", 3105, 9.78),
];

/// A move that only leads to a known position.
fn leads_to(uci: &str, target: Tally) -> Candidate {
    Candidate { mv: mv(uci), target: Some(target), ..Candidate::default() }
}

fn list(turn: Color) -> Vec<Candidate> {
    let games = |sum: u64| turn.fold_wb(tally(sum - sum / 3, sum / 3, 0), tally(0, sum / 3, sum - sum / 3));
    LIST.iter().map(|(uci, sum, _)| leads_to(uci, games(*sum))).collect()
}

#[test]
fn the_nine_scores_sum_to_31758() {
    for turn in [Color::White, Color::Black] {
        let judgement = judge("postmodernist", &[], turn, &list(turn));
        let sum: f64 = LIST.iter().map(|(uci, ..)| score(&judgement, uci, "score")).sum();
        assert_eq!(sum, 31_758.0);
    }
}

#[test]
fn the_nine_shares_are_those_of_the_text() {
    for turn in [Color::White, Color::Black] {
        let judgement = judge("postmodernist", &[], turn, &list(turn));
        for (uci, sum, percent) in LIST {
            assert_eq!(score(&judgement, uci, "score"), sum as f64);
            assert_near(
                100.0 * chance(&judgement, uci),
                percent,
                if percent < 0.01 { 0.0005 } else { 0.005 },
            );
        }
    }
}

#[test]
fn uniform_gives_each_of_the_nine_a_ninth() {
    let judgement = judge("postmodernist", &[("random", "uniform")], Color::White, &list(Color::White));
    for (uci, ..) in LIST {
        assert_near(chance(&judgement, uci), 1.0 / 9.0, 1e-15);
    }
}

#[test]
fn exclusion_cases_of_wins_draws_and_opponents_wins() {
    for (wins, draws, opponent, kept) in
        [(10, 5, 10, true), (9, 5, 10, false), (3, 0, 2, true), (1, 0, 1, false), (0, 0, 0, true)]
    {
        for turn in [Color::White, Color::Black] {
            let target = turn.fold_wb(tally(wins, draws, opponent), tally(opponent, draws, wins));
            let candidates =
                [leads_to("e2e4", target), leads_to("d2d4", turn.fold_wb(tally(9, 0, 0), tally(0, 0, 9)))];
            let judgement = judge("postmodernist", &[], turn, &candidates);
            let rule = "wins + draws below exclusion-factor * opponent's wins";
            assert_eq!(excluded(&judgement, "e2e4"), (!kept).then_some(rule), "{wins} {draws} {opponent}");
        }
    }
}

#[test]
fn a_kept_move_without_games_has_no_weight() {
    let candidates = [leads_to("e2e4", Tally::default()), leads_to("d2d4", tally(1, 0, 0))];
    let judgement = judge("postmodernist", &[], Color::White, &candidates);
    assert_eq!((chance(&judgement, "e2e4"), chance(&judgement, "d2d4")), (0.0, 1.0));
}

#[test]
fn the_factor_compares_exactly() {
    // 1.1 * 10 in binary is slightly above 11.
    let candidates = [edge("e2e4", tally(11, 0, 10))];
    let judgement = judge("postmodernist", &[("exclusion-factor", "1.1")], Color::White, &candidates);
    assert_eq!(excluded(&judgement, "e2e4"), None);
}

#[test]
fn a_target_never_seen_is_no_book_move() {
    let candidates = [Candidate { mv: mv("e2e4"), ..Candidate::default() }];
    let judgement = judge("postmodernist", &[], Color::White, &candidates);
    assert_eq!(excluded(&judgement, "e2e4"), Some("the position it leads to was never seen"));
    assert_eq!(judgement.notes, ["every move is excluded"]);
}

#[test]
fn the_target_decides_and_not_the_edge() {
    let mut transposing = edge("e2e4", tally(0, 0, 50));
    transposing.target = Some(tally(70, 20, 60));
    let judgement = judge("postmodernist", &[], Color::White, &[transposing]);
    assert_eq!(score(&judgement, "e2e4", "score"), 90.0);
    assert_eq!(chance(&judgement, "e2e4"), 1.0);
}

/// Moves that games like ever more, of which the second loses half a pawn, and the last has no evaluation.
fn evaluated() -> [Candidate; 4] {
    let with = |uci, games, evaluation| Candidate { evaluation, ..edge(uci, tally(games, 0, 0)) };
    [
        with("e2e4", 10, Some(Score::Cp(30))),
        with("d2d4", 20, Some(Score::Cp(-20))),
        with("f2f3", 30, Some(Score::Cp(-21))),
        with("b1c3", 40, None),
    ]
}

#[test]
fn a_veto_leaves_out_moves_that_are_evaluated_worse_by_more_than_the_window() {
    let judgement = judge("postmodernist", &[("search", "veto")], Color::White, &evaluated());
    assert_eq!(
        excluded(&judgement, "f2f3"),
        Some("evaluated worse than the best move by more than search-window")
    );
    assert_near(chance(&judgement, "d2d4"), 2.0 / 7.0, 1e-12);
    assert_near(chance(&judgement, "b1c3"), 4.0 / 7.0, 1e-12);
    assert_eq!(score(&judgement, "e2e4", "evaluation"), 30.0);
    let wide = [("search", "veto"), ("search-window", "51")];
    assert_near(chance(&judge("postmodernist", &wide, Color::White, &evaluated()), "f2f3"), 0.3, 1e-12);
}

#[test]
fn a_mixture_halves_scores_with_each_window() {
    let judgement = judge("postmodernist", &[("search", "mix")], Color::White, &evaluated());
    let shares = [10.0, 10.0, 30.0 * (-51.0_f64 / 50.0).exp2(), 20.0];
    let sum: f64 = shares.iter().sum();
    for (uci, share) in ["e2e4", "d2d4", "f2f3", "b1c3"].into_iter().zip(shares) {
        assert_near(chance(&judgement, uci), share / sum, 1e-8);
    }
}

#[test]
fn where_one_move_mates_only_mates_are_left() {
    let mut moves = evaluated();
    moves[0].evaluation = Some(Score::Mate(3));
    moves[1].evaluation = Some(Score::Mate(9));
    let judgement = judge("postmodernist", &[("search", "veto")], Color::White, &moves[..3]);
    assert_eq!((chance(&judgement, "f2f3"), score(&judgement, "d2d4", "mate")), (0.0, 9.0));
    assert_near(chance(&judgement, "d2d4"), 2.0 / 3.0, 1e-12);
}

#[test]
fn unless_asked_no_evaluation_changes_a_choice() {
    let evaluated = evaluated();
    let without = evaluated.map(|one| Candidate { evaluation: None, ..one });
    let of = |settings, moves: &[Candidate]| judge("postmodernist", settings, Color::White, moves);
    assert_eq!(of(&[], &evaluated), of(&[], &without));
    assert_eq!(of(&[("search", "mix")], &without), of(&[("search", "veto")], &without));
}
