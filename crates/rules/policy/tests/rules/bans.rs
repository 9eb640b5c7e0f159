//! Moves that are never played, by every policy of the catalogue.

use crate::situation::{
    BARE, chance, edge, excluded, known, learned, most_likely, mv, nag, owned, set, tally,
};
use policy::{CATALOGUE, Candidate, Evidence, Judgement, PolicySpec, Situation};
use position::{Experience, OwnResults};
use shakmaty::Color;

fn judged(spec: &PolicySpec, settings: &[(&str, &str)], candidates: &[Candidate]) -> Judgement {
    let policy = spec.with(&owned(settings)).unwrap_or_else(|error| panic!("{error}"));
    policy.judge(&Situation { turn: Color::White, candidates })
}

/// 1.e4 is by far the best move by every rule, except for what is known of it.
fn best(experience: Experience) -> [Candidate; 3] {
    [
        known("e2e4", tally(900, 90, 10), experience),
        edge("d2d4", tally(200, 90, 110)),
        edge("c2c4", tally(150, 60, 90)),
    ]
}

/// Experience that bans a move, and the rule that the judgement names.
fn never() -> [(Experience, &'static str); 6] {
    let priority = Experience { priority: Some(0), ..Experience::default() };
    [
        (set(0), "set to 0: never played"),
        (priority, "priority 0 is never played"),
        (nag(2), "marked ? or ??: never played"),
        (nag(4), "marked ? or ??: never played"),
        (learned(-999.0), "learned at -0.80 or below: never played"),
        (learned(-0.8), "learned at -0.80 or below: never played"),
    ]
}

fn has_threshold(spec: &PolicySpec) -> bool {
    spec.parameters.iter().any(|parameter| parameter.name == "bad-threshold")
}

#[test]
fn no_policy_plays_what_is_banned() {
    for spec in CATALOGUE {
        assert!(chance(&judged(spec, &[], &best(Experience::default())), "e2e4") > 0.2, "{}", spec.name);
        for (experience, rule) in never() {
            let judgement = judged(spec, &[], &best(experience));
            assert_eq!(chance(&judgement, "e2e4"), 0.0, "{} {experience:?}", spec.name);
            let others: f64 = ["d2d4", "c2c4"].map(|uci| chance(&judgement, uci)).iter().sum();
            assert!((others - 1.0).abs() < 1e-12, "{} {experience:?}: {judgement:?}", spec.name);
            let own_rule = has_threshold(spec) && experience.learn < 0.0;
            let rule = if own_rule { "learned value at or below bad-threshold" } else { rule };
            assert_eq!(excluded(&judgement, "e2e4"), Some(rule), "{}", spec.name);
        }
    }
}

#[test]
fn the_others_are_judged_as_if_a_banned_move_were_not_there() {
    for spec in CATALOGUE {
        let [_, d4, c4] = best(Experience::default());
        let mut alone = judged(spec, &[], &[d4, c4]);
        let mut beside = judged(spec, &[], &best(set(0)));
        beside.moves.retain(|judged| judged.mv != mv("e2e4"));
        alone.moves.sort_by_key(|judged| judged.mv);
        assert_eq!(alone, beside, "{}", spec.name);
    }
}

#[test]
fn a_position_of_banned_moves_has_no_move() {
    for spec in CATALOGUE {
        let judgement = judged(spec, &[], &[known("e2e4", tally(9, 0, 0), set(0))]);
        assert_eq!(judgement.notes, ["every move is excluded"], "{}", spec.name);
        assert!(most_likely(&judgement).is_none());
    }
}

/// If a policy has a threshold of its own, that decides, but only about learned values.
#[test]
fn a_policy_with_a_threshold_bans_by_that() {
    for spec in CATALOGUE.iter().filter(|spec| has_threshold(spec)) {
        let low = [("bad-threshold", "-1000")];
        let two =
            [known("e2e4", tally(900, 90, 10), learned(-0.9)), known("d2d4", tally(1, 0, 0), learned(-0.95))];
        assert!(chance(&judged(spec, &low, &two), "e2e4") > 0.0, "{}", spec.name);
        assert_eq!(chance(&judged(spec, &low, &best(set(0))), "e2e4"), 0.0, "{}", spec.name);
    }
}

#[test]
fn the_bare_rule_knows_no_bans() {
    for spec in CATALOGUE {
        for (experience, rule) in never() {
            let judgement = judged(spec, &[BARE], &best(experience));
            let reads = spec.evidence.contains(&Evidence::Experience);
            assert!(reads || chance(&judgement, "e2e4") > 0.2, "{} {experience:?}", spec.name);
            assert_ne!(excluded(&judgement, "e2e4").filter(|_| !reads), Some(rule));
        }
    }
}

/// A move that the user forbids is not played as a PostBook move either.
#[test]
fn a_banned_move_beyond_the_book_is_not_played() {
    let lost = Experience { own: OwnResults { wins: 5, draws: 0, losses: 0 }, ..Experience::default() };
    let beyond = |experience| Candidate {
        in_book: false,
        target: None,
        postbook: Some(lost),
        ..known("e2e4", tally(0, 0, 0), experience)
    };
    let terra = CATALOGUE.iter().find(|spec| spec.name == "terra").unwrap();
    assert_eq!(chance(&judged(terra, &[], &[beyond(Experience::default())]), "e2e4"), 1.0);
    assert_eq!(chance(&judged(terra, &[], &[beyond(set(0))]), "e2e4"), 0.0);
}

/// A rule goes by experience if and only if it says so.
#[test]
fn evidence_is_what_changes_a_judgement() {
    let lost = OwnResults { wins: 0, draws: 0, losses: 9 };
    let taught = Experience { own: lost, user_value: Some(1), priority: Some(1), ..learned(-0.7) };
    for spec in CATALOGUE {
        let chances = |experience| -> Vec<f64> {
            judged(spec, &[], &best(experience)).moves.iter().map(|judged| judged.probability).collect()
        };
        // The most frequent move is played until it is learned bad.
        let taught = if spec.name == "crafty-5.1" { learned(-0.8) } else { taught };
        let is_obeyed = chances(taught) != chances(Experience::default());
        assert_eq!(is_obeyed, spec.evidence.contains(&Evidence::Experience), "{}", spec.name);
    }
}

/// In a Polyglot book weights say how often a move was played, and nothing says what the results were.
#[test]
fn policies_that_go_by_weights_choose_from_a_polyglot_book() {
    let weighing = |uci, weight, experience| Candidate {
        weight: Some(weight),
        ..known(uci, tally(0, 0, 0), experience)
    };
    for spec in CATALOGUE.iter().filter(|spec| spec.evidence.contains(&Evidence::Weights)) {
        let nothing = Experience::default();
        let three =
            |e4| [weighing("e2e4", 600, e4), weighing("d2d4", 300, nothing), weighing("c2c4", 200, nothing)];
        assert!(chance(&judged(spec, &[], &three(nothing)), "e2e4") > 0.2, "{}", spec.name);
        let judgement = judged(spec, &[], &three(learned(-999.0)));
        assert_eq!(chance(&judgement, "e2e4"), 0.0, "{}", spec.name);
        assert!(chance(&judgement, "d2d4") > 0.2, "{}: {judgement:?}", spec.name);
    }
}
