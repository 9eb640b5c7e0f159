//! Drawn moves: their frequencies, and equal draws for equal seeds.

use crate::{
    situation::{BARE, edge, known, learned, most_likely, mv, nag, own, owned, set, tally},
    wheel::{roulette, shuffle},
};
use policy::{CATALOGUE, Candidate, Judgement, Rng, Situation};
use position::PackedMove;
use shakmaty::Color;

const DRAWS: u32 = 100_000;

/// Eight moves to which the rules of every policy apply.
fn eight() -> Vec<Candidate> {
    vec![
        known("e2e4", tally(400, 300, 250), learned(0.31)),
        known("d2d4", tally(380, 350, 200), own(3, 1, 1)),
        known("c2c4", tally(200, 150, 100), learned(-0.25)),
        known("g1f3", tally(180, 160, 90), set(40)),
        known("g2g3", tally(90, 60, 55), set(25)),
        known("b2b3", tally(80, 20, 70), learned(-1.2)),
        known("f2f4", tally(50, 10, 90), nag(2)),
        edge("b2b4", tally(60, 30, 58)),
    ]
}

/// Pearson's statistic and its degrees of freedom, over the moves that can be drawn.
fn chi_square(judgement: &Judgement, drawn: &[PackedMove]) -> (f64, usize) {
    let possible: Vec<_> = judgement.moves.iter().filter(|judged| judged.probability > 0.0).collect();
    let statistic = possible
        .iter()
        .map(|judged| {
            let expected = judged.probability * drawn.len() as f64;
            let found = drawn.iter().filter(|mv| **mv == judged.mv).count() as f64;
            (found - expected).powi(2) / expected
        })
        .sum();
    assert!(drawn.iter().all(|mv| possible.iter().any(|judged| judged.mv == *mv)));
    (statistic, possible.len() - 1)
}

/// The value that chance exceeds once in a thousand, for 0 to 7 degrees of freedom.
const ONE_IN_A_THOUSAND: [f64; 8] = [1e-9, 10.828, 13.816, 16.266, 18.467, 20.515, 22.458, 24.322];

#[track_caller]
fn assert_fits(name: &str, judgement: &Judgement, drawn: &[PackedMove]) {
    let (statistic, freedom) = chi_square(judgement, drawn);
    assert!(statistic < ONE_IN_A_THOUSAND[freedom], "{name}: {statistic} with {freedom} degrees of freedom");
}

#[test]
fn drawn_frequencies_agree_with_the_probabilities() {
    for spec in CATALOGUE {
        for turn in [Color::White, Color::Black] {
            let candidates = eight();
            let judgement =
                spec.with(&owned(&[BARE])).unwrap().judge(&Situation { turn, candidates: &candidates });
            let mut rng = Rng::new(2026);
            let drawn: Vec<PackedMove> = (0..DRAWS).filter_map(|_| judgement.pick(&mut rng)).collect();
            assert_eq!(drawn.len(), DRAWS as usize, "{}", spec.name);
            assert_fits(spec.name, &judgement, &drawn);
        }
    }
}

/// Terra's own procedure, step by step: draw a group, put its moves in a random order, turn the wheel.
#[test]
fn terras_wheel_turned_for_real_gives_the_stated_probabilities() {
    let candidates = eight();
    let terra = CATALOGUE.iter().find(|spec| spec.name == "terra").unwrap().with(&owned(&[])).unwrap();
    let judgement = terra.judge(&Situation { turn: Color::White, candidates: &candidates });
    let user_share = judgement.figures.get("user-group").unwrap();
    let group = |name: &str, value: &str| -> (Vec<PackedMove>, Vec<u64>) {
        let members = judgement.moves.iter().filter(|one| one.excluded.is_none() && one.group == Some(name));
        members.map(|one| (one.mv, one.scores.get(value).unwrap() as u64)).unzip()
    };
    let groups = [group("user-set", "user-value"), group("statistics", "value")];
    assert!(groups.iter().all(|(moves, _)| moves.len() >= 2));
    let mut rng = Rng::new(15);
    let mut turn_wheel = || {
        let (moves, values) = &groups[usize::from(rng.unit() >= user_share)];
        let mut order: Vec<usize> = (0..moves.len()).collect();
        shuffle(&mut rng, &mut order);
        let drawn = 1 + rng.below(values.iter().sum());
        moves[roulette(&order, values, drawn).unwrap()]
    };
    let drawn: Vec<PackedMove> = (0..DRAWS).map(|_| turn_wheel()).collect();
    assert_fits("terra's wheel", &judgement, &drawn);
}

/// Polyglot goes through the moves once and replaces its choice with the chance score/(sum so far).
#[test]
fn polyglots_single_pass_gives_the_stated_probabilities() {
    let candidates = eight();
    let polyglot = CATALOGUE.iter().find(|spec| spec.name == "polyglot").unwrap().with(&[]).unwrap();
    let judgement = polyglot.judge(&Situation { turn: Color::White, candidates: &candidates });
    let open = || judgement.moves.iter().filter(|one| one.excluded.is_none());
    let mut rng = Rng::new(16);
    let mut pass = || {
        let (mut sum, mut chosen) = (0, PackedMove::TERMINAL);
        for one in open() {
            let score = one.scores.get("score").unwrap() as u64;
            sum += score;
            if rng.below(sum) < score {
                chosen = one.mv;
            }
        }
        chosen
    };
    let drawn: Vec<PackedMove> = (0..DRAWS).map(|_| pass()).collect();
    assert_fits("polyglot's pass", &judgement, &drawn);
}

#[test]
fn a_seed_draws_the_same_moves_everywhere() {
    let golden = [
        ("postmodernist", "e2e4 d2d4 g1f3 c2c4 d2d4 d2d4 d2d4 c2c4 d2d4 g2g3"),
        ("lokasoft", "e2e4 d2d4 g1f3 b2b4 c2c4 c2c4 c2c4 b2b3 d2d4 g2g3"),
        ("terra", "e2e4 d2d4 g1f3 g1f3 b2b4 g1f3 b2b3 g1f3 d2d4 g2g3"),
        ("crafty-5.1", "e2e4 e2e4 e2e4 e2e4 e2e4 e2e4 e2e4 e2e4 e2e4 e2e4"),
        ("crafty-5.2", "e2e4 e2e4 e2e4 e2e4 e2e4 e2e4 e2e4 e2e4 e2e4 e2e4"),
        ("crafty", "g2g3 g1f3 g1f3 g1f3 g1f3 g1f3 g1f3 g1f3 g1f3 g2g3"),
        ("polyglot", "e2e4 d2d4 g1f3 c2c4 d2d4 c2c4 d2d4 b2b4 d2d4 g2g3"),
        ("wilson", "e2e4 c2c4 g1f3 c2c4 c2c4 c2c4 c2c4 g1f3 d2d4 g2g3"),
        ("bayes", "e2e4 c2c4 g1f3 c2c4 c2c4 c2c4 c2c4 g1f3 d2d4 g2g3"),
        ("minimax", "e2e4 d2d4 g1f3 c2c4 d2d4 c2c4 d2d4 b2b4 d2d4 g2g3"),
    ];
    let candidates = eight();
    let found: Vec<(&str, String)> = CATALOGUE
        .iter()
        .map(|spec| {
            let judgement = spec
                .with(&owned(&[BARE]))
                .unwrap()
                .judge(&Situation { turn: Color::White, candidates: &candidates });
            let mut rng = Rng::new(7);
            let moves: Vec<String> = (0..10).map(|_| judgement.pick(&mut rng).unwrap().to_string()).collect();
            (spec.name, moves.join(" "))
        })
        .collect();
    let found: Vec<(&str, &str)> = found.iter().map(|(name, moves)| (*name, moves.as_str())).collect();
    assert_eq!(found, golden);
}

#[test]
fn nothing_to_choose_uses_no_random_number() {
    let mut rng = Rng::new(1);
    assert_eq!(Judgement::default().pick(&mut rng), None);
    assert_eq!(rng.below(1000), Rng::new(1).below(1000));
}

#[test]
fn the_most_likely_move_is_the_lowest_among_equals() {
    let candidates = [edge("g1f3", tally(1, 0, 0)), edge("a2a3", tally(1, 0, 0))];
    let judgement =
        CATALOGUE[0].with(&[]).unwrap().judge(&Situation { turn: Color::White, candidates: &candidates });
    let lowest = mv("g1f3").min(mv("a2a3"));
    assert_eq!(most_likely(&judgement).unwrap().mv, lowest);
}
