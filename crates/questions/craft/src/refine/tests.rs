use std::fs;

use super::*;

const FIRST: &str = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
const SECOND: &str = "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq -";

fn suite() -> Refinement {
    let file = tempfile::NamedTempFile::new().unwrap();
    fs::write(file.path(), format!("{FIRST}\n\n{SECOND} id \"d4\";\n{FIRST}\n")).unwrap();
    Refinement::read(file.path()).unwrap()
}

fn game<'g>(white: &'g str, black: &'g str, round: &'g str, outcome: Outcome) -> MatchGame<'g> {
    MatchGame { players: [white, black], round: Some(round).filter(|round| *round != "?"), outcome }
}

#[test]
fn an_opening_is_that_of_the_fen_or_the_last_that_was_met() {
    let suite = suite();
    let place = |place| suite.places.iter().find(|(_, at)| **at == place).map(|(key, _)| *key).unwrap();
    let [first, second] = [0, 1].map(place);
    assert_eq!(suite.openings.len(), 2);
    assert_eq!(suite.opening_of(true, [first, second].into_iter()), Some(0));
    assert_eq!(suite.opening_of(true, [Key(1), second].into_iter()), None);
    assert_eq!(suite.opening_of(false, [Key(1), second, first, Key(2)].into_iter()), Some(0));
    assert_eq!(suite.opening_of(false, [Key(1)].into_iter()), None);
}

#[test]
fn partners_are_of_the_same_round_or_the_next_or_the_latest() {
    let mut suite = suite();
    for (white, black, round, outcome) in [
        ("a", "b", "1", Outcome::White),
        ("a", "b", "7", Outcome::Draw),
        // Of round 7, not of round 1: half a point and a whole one for the first player.
        ("b", "a", "7", Outcome::Black),
        // Next to round 1: it lost as Black where it had won as White.
        ("b", "a", "2", Outcome::White),
        // No partner: too far, and others.
        ("a", "b", "20", Outcome::White),
        ("b", "a", "30", Outcome::White),
        ("a", "c", "?", Outcome::White),
        // Without a round the latest is the partner.
        ("c", "a", "?", Outcome::White),
    ] {
        suite.add(0, &game(white, black, round, outcome));
    }
    assert_eq!(suite.openings[0].pairs, [0, 0, 2, 1, 0]);
    let unpaired = suite.report(&RefineOptions::default()).unpaired;
    assert_eq!((unpaired, suite.openings[0].tally.games()), (2, 8));
}

#[test]
fn openings_outside_the_bounds_are_left_out() {
    let mut suite = suite();
    for number in 0..10 {
        let round = number.to_string();
        suite.add(0, &game("a", "b", &round, Outcome::Draw));
        suite.add(0, &game("b", "a", &round, Outcome::Draw));
        suite.add(1, &game("a", "b", &round, Outcome::White));
        suite.add(1, &game("b", "a", &round, Outcome::White));
    }
    let bounds = |text: &str| Some(text.parse().unwrap());
    let left = |options: RefineOptions| {
        let report = suite.report(&options);
        (report.left_out.into_iter().collect::<Vec<_>>(), suite.kept(&options).lines().count())
    };
    let options = RefineOptions { min_pairs: 10, ..RefineOptions::default() };
    assert_eq!(left(options), (vec![], 2));
    assert_eq!(left(RefineOptions { draws: bounds("0..0.9"), ..options }), (vec![("draws", 1)], 1));
    assert_eq!(left(RefineOptions { bias: bounds("-0.2..0.2"), ..options }), (vec![("bias", 1)], 1));
    assert_eq!(left(RefineOptions { pair_draws: bounds("0..0.5"), ..options }), (vec![("pair draws", 2)], 0));
    assert_eq!(left(RefineOptions { pair_draws: bounds("0..0.5"), min_pairs: 11, ..options }), (vec![], 2));
    let report = suite.report(&options);
    assert_eq!((report.pairs, report.unjudged), ([0, 0, 20, 0, 0], 0));
    let ends: Vec<_> = report.by_bias.iter().map(|bin| ((100.0 * bin.from).round(), bin.openings)).collect();
    assert_eq!(ends, [(0.0, 1), (45.0, 1)]);
}
