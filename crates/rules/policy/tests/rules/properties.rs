//! Properties that hold for every policy, every setting and any counts.

use policy::{CATALOGUE, Candidate, Judgement, Parameter, ParameterKind, Rng, Situation};
use position::{Experience, Lesson, OwnResults, PackedMove, Score, Tally};
use proptest::prelude::*;
use shakmaty::Color;

fn count() -> impl Strategy<Value = u64> {
    prop_oneof![3 => Just(0), 4 => 0..20_u64, 2 => 0..100_000_u64, 1 => Just(u64::MAX), 1 => any::<u64>()]
}

fn tally() -> impl Strategy<Value = Tally> {
    (count(), count(), count()).prop_map(|(white, draws, black)| Tally { white, draws, black })
}

fn pawns() -> impl Strategy<Value = f32> {
    let odd = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -999.0, f32::MAX, -0.8, 1.0];
    prop_oneof![3 => Just(0.0_f32), 5 => -3.0..3.0_f32, 1 => prop::sample::select(odd.to_vec())]
}

fn experience() -> impl Strategy<Value = Experience> {
    let games = || prop_oneof![3 => Just(0), 3 => 0..8_u32, 1 => Just(u32::MAX)];
    let own =
        (games(), games(), games()).prop_map(|(wins, draws, losses)| OwnResults { wins, draws, losses });
    let nag = prop_oneof![4 => Just(None), 1 => prop::sample::select(vec![1, 2, 3, 4, 5, 6, 10, 200]).prop_map(Some)];
    let user_value = prop_oneof![4 => Just(None), 1 => (0..=255_u8).prop_map(Some), 1 => Just(Some(100))];
    let priority = prop_oneof![4 => Just(None), 1 => (0..=255_u8).prop_map(Some), 1 => Just(Some(0))];
    (pawns(), own, user_value, priority, nag, prop::option::of(pawns())).prop_map(
        |(learn, own, user_value, priority, nag, eval)| Experience {
            learn,
            learn_count: 1,
            own,
            user_value,
            priority,
            nag,
            eval,
            depth: None,
            ..Experience::default()
        },
    )
}

fn candidate() -> impl Strategy<Value = Candidate> {
    let weight = prop::option::of(prop_oneof![Just(0), any::<u16>()]);
    let known = (experience(), prop::option::of(experience()));
    let score =
        || prop::option::of(prop_oneof![(-900..900).prop_map(Score::Cp), (1..9_i16).prop_map(Score::Mate)]);
    let values = (score(), score());
    (0..40_u16, any::<bool>(), tally(), prop::option::of(tally()), known, values, weight).prop_map(
        |(mv, in_book, tally, target, (experience, postbook), (evaluation, minimax), weight)| Candidate {
            mv: PackedMove(mv),
            in_book,
            tally,
            target,
            experience,
            postbook,
            evaluation,
            minimax,
            weight,
        },
    )
}

/// Some moves, each once.
fn candidates() -> impl Strategy<Value = Vec<Candidate>> {
    prop::collection::vec(candidate(), 0..12).prop_map(|mut all| {
        all.sort_by_key(|candidate| candidate.mv);
        all.dedup_by_key(|candidate| candidate.mv);
        all
    })
}

/// A value of a parameter by number; the ends of its range and its default are among them.
fn value(parameter: &Parameter, number: u64) -> Option<String> {
    let of = |values: &[String]| values.get(number as usize % (values.len() + 1)).cloned();
    match parameter.kind {
        ParameterKind::Integer(least, most) => {
            of(&[least.to_string(), most.to_string(), (most / 2).to_string()])
        }
        ParameterKind::Decimal(least, most) => of(&[least.to_string(), most.to_string()]),
        ParameterKind::Choice(names) => of(&names.iter().map(ToString::to_string).collect::<Vec<_>>()),
        ParameterKind::Switch => of(&["true".to_owned(), "false".to_owned()]),
    }
}

fn settings<'p>(parameters: impl Iterator<Item = &'p Parameter>, numbers: &[u64]) -> Vec<(String, String)> {
    let values = parameters.zip(numbers.iter().cycle());
    values
        .filter_map(|(parameter, number)| Some((parameter.name.to_owned(), value(parameter, *number)?)))
        .collect()
}

fn check(judgement: &Judgement, what: &str) {
    let mut sum = 0.0;
    for judged in &judgement.moves {
        let probability = judged.probability;
        assert!((0.0..=1.0).contains(&probability), "{what}: {judged:?}");
        assert!(judged.excluded.is_none() || probability == 0.0, "{what}: {judged:?}");
        assert!(judged.scores.iter().all(|(_, score)| score.is_finite()), "{what}: {judged:?}");
        assert!(!judged.mv.is_terminal(), "{what}: a terminal visit is no move");
        sum += probability;
    }
    assert!(judgement.figures.iter().all(|(_, figure)| figure.is_finite()), "{what}");
    let silent = judgement.moves.iter().all(|judged| judged.excluded.is_some());
    if silent {
        assert!(sum == 0.0 && !judgement.notes.is_empty(), "{what}: {judgement:?}");
        assert_eq!(judgement.pick(&mut Rng::new(0)), None);
    } else {
        assert!((sum - 1.0).abs() < 1e-12, "{what}: the sum is {sum}: {judgement:?}");
        assert!(judgement.pick(&mut Rng::new(0)).is_some());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn prop_probabilities_sum_to_one_and_order_does_not_matter(
        candidates in candidates(),
        numbers in prop::collection::vec(0..8_u64, 1..12),
        white in any::<bool>(),
        shuffle in any::<u64>(),
    ) {
        let turn = Color::from_white(white);
        let mut shuffled = candidates.clone();
        crate::wheel::shuffle(&mut Rng::new(shuffle), &mut shuffled);
        for spec in CATALOGUE {
            let settings = settings(spec.all_parameters(), &numbers);
            let policy = spec.with(&settings).unwrap();
            let judgement = policy.judge(&Situation { turn, candidates: &candidates });
            check(&judgement, &format!("{} {settings:?} {candidates:?}", spec.name));
            let honours = !settings.contains(&("honour-bans".into(), "false".into()));
            for (judged, candidate) in judgement.moves.iter().zip(candidates.iter().filter(|one| honours && !one.mv.is_terminal())) {
                let banned = candidate.experience.bans().any(|ban| ban.lesson() == Lesson::Set);
                prop_assert!(judged.mv == candidate.mv && !(banned && judged.probability > 0.0), "{}: {judged:?}", spec.name);
            }
            let again = policy.judge(&Situation { turn, candidates: &shuffled });
            prop_assert_eq!(judgement, again, "{}", spec.name);
        }
    }
}
