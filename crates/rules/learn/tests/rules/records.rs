//! Properties that hold for records of any kind, in any order, and for copies of them.

use std::collections::BTreeSet;

use learn::crafty::{
    Effect, Family, Learner, LearningBook, Nothing, Options, Origin, Record, Rejection, ResultRecords,
    SourceLessons, identity,
};
use position::{Key, PackedMove};
use proptest::prelude::*;

const POSITIONS: u64 = 12;
const MOVES: u16 = 4;

/// A book of twelve positions with four moves each; records may visit them in any order.
fn book() -> LearningBook {
    let mut builder = LearningBook::builder();
    for key in 0..POSITIONS {
        builder.push(Key(key << 59), (1..=MOVES).map(|mv| (PackedMove(mv), 0.0, 0))).unwrap();
    }
    builder.finish()
}

#[derive(Clone, Debug)]
struct Made {
    white: String,
    plies: Vec<(Key, PackedMove)>,
    value: i64,
}

impl Made {
    fn record(&self) -> Record<'_> {
        Record {
            white: &self.white,
            black: "opponent",
            plies: &self.plies,
            value: self.value,
            depth: 5,
            rating_difference: 0,
        }
    }
}

/// Records with a few positions and moves that are not in the book.
fn made() -> impl Strategy<Value = Made> {
    let versions = ["11.9", "v11.23", "13.4", "15.17", "17.1", "18.1", "18.2", "18.3", "18.15", "20.14"];
    let white = prop::sample::select(versions.to_vec()).prop_map(|version| format!("Crafty {version}"));
    let ply = (0..POSITIONS + 3, 1..MOVES + 2).prop_map(|(key, mv)| (Key(key << 59), PackedMove(mv)));
    let value = prop_oneof![-400_i64..400, Just(99_900), Just(-99_900), any::<i64>()];
    (white, prop::collection::vec(ply, 0..14), value).prop_map(|(white, plies, value)| Made {
        white,
        plies,
        value,
    })
}

fn learned(records: &[Made], options: &Options) -> Learner {
    with_effects(records, options).0
}

/// A learner of these records, and the identity and the effect of each.
fn with_effects(records: &[Made], options: &Options) -> (Learner, Vec<(u64, Effect)>) {
    let mut learner = Learner::new(book(), options.clone());
    let learn = |made: &Made| (identity(&made.record()), learner.learn(&made.record(), Origin::default()));
    let effects = records.iter().map(learn).collect();
    (learner, effects)
}

/// Identities of the records that taught.
fn that_taught(effects: &[(u64, Effect)]) -> BTreeSet<u64> {
    effects.iter().filter(|(_, effect)| effect.is_learned()).map(|(identity, _)| *identity).collect()
}

fn values(learner: &Learner) -> Vec<(Key, PackedMove, u32, u32)> {
    learner.book().edges().map(|edge| (edge.key, edge.mv, edge.learn.to_bits(), edge.count)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn prop_no_value_is_ever_nan_or_infinite(records in prop::collection::vec(made(), 0..60)) {
        let learner = learned(&records, &Options { dedup: false, ..Options::default() });
        prop_assert!(learner.book().edges().all(|edge| edge.learn.is_finite()));
    }

    #[test]
    fn prop_a_second_copy_of_everything_changes_nothing(records in prop::collection::vec(made(), 0..40)) {
        let (once, effects) = with_effects(&records, &Options::default());
        let (twice, both) = with_effects(&[records.clone(), records].concat(), &Options::default());
        prop_assert_eq!(values(&once), values(&twice));
        prop_assert_eq!(that_taught(&effects), that_taught(&both));
    }

    #[test]
    fn prop_what_was_seen_before_teaches_no_more(records in prop::collection::vec(made(), 0..40)) {
        let taught = that_taught(&with_effects(&records, &Options::default()).1);
        let mut again = Learner::new(book(), Options::default());
        again.already_seen(taught.iter().copied());
        for made in &records {
            let effect = again.learn(&made.record(), Origin::default());
            if taught.contains(&identity(&made.record())) {
                prop_assert_eq!(effect, Effect::Nothing(Nothing::Duplicate));
            }
        }
    }

    #[test]
    fn prop_the_order_of_equal_records_does_not_matter(
        made in made(), others in prop::collection::vec(made(), 0..10),
    ) {
        let options = Options { dedup: false, ..Options::default() };
        let pair = [made.clone(), made];
        let mut swapped = pair.clone();
        swapped.reverse();
        let before = [pair.to_vec(), others.clone()].concat();
        let after = [swapped.to_vec(), others].concat();
        prop_assert_eq!(values(&learned(&before, &options)), values(&learned(&after, &options)));
    }

    #[test]
    fn prop_records_of_disjoint_positions_may_change_places(
        one in made(), other in made(),
    ) {
        let meets = one.plies.iter().any(|ply| other.plies.iter().any(|its| its.0 == ply.0));
        prop_assume!(!meets);
        let options = Options { dedup: false, ..Options::default() };
        let there = learned(&[one.clone(), other.clone()], &options);
        let back = learned(&[other, one], &options);
        prop_assert_eq!(values(&there), values(&back));
    }

    #[test]
    fn prop_updates_add_up(records in prop::collection::vec(made(), 0..40)) {
        let (learner, effects) = with_effects(&records, &Options::default());
        let updates = |(_, effect): &(u64, Effect)| match effect {
            Effect::Learned(lesson) => u64::from(lesson.updates),
            Effect::Nothing(_) | Effect::Rejected(_) => 0,
        };
        let updates = effects.iter().map(updates).sum::<u64>();
        let counts = lessons(&learner);
        let taught = learner.book().edges().flat_map(|edge| edge.taught());
        prop_assert_eq!(updates, counts);
        prop_assert_eq!(updates, taught.map(|taught| u64::from(taught.count)).sum::<u64>());
    }
}

/// The number of lessons in all moves of the book.
fn lessons(learner: &Learner) -> u64 {
    learner.book().edges().map(|edge| u64::from(edge.count)).sum()
}

fn first_ply(mv: u16) -> [(Key, PackedMove); 1] {
    [(Key(0), PackedMove(mv))]
}

fn record<'a>(white: &'a str, black: &'a str, plies: &'a [(Key, PackedMove)]) -> Record<'a> {
    Record { white, black, plies, value: -50, depth: 1, rating_difference: 0 }
}

fn learner(options: Options) -> Learner {
    Learner::new(book(), options)
}

#[test]
fn averaging_depends_on_the_order() {
    let plies = first_ply(1);
    let of = |values: [i64; 2]| {
        let mut learner = learner(Options::default());
        for value in [20, values[0], values[1]] {
            let record = Record { value, ..record("Crafty 15.17", "b", &plies) };
            learner.learn(&record, Origin::default());
        }
        learner.book().edge(Key(0), PackedMove(1)).unwrap().learn
    };
    assert_eq!([of([-50, 50]), of([50, -50])].map(f32::to_bits), [0.175_f32, -0.075].map(f32::to_bits));
}

#[test]
fn copies_differ_in_date_and_depth_only() {
    let plies = first_ply(1);
    let mut learner = learner(Options::default());
    let first = record("Crafty 15.17", "b", &plies);
    assert!(learner.learn(&first, Origin { source: 0, date: 19_980_101 }).is_learned());
    let copy = Record { depth: 7, ..first };
    let effect = learner.learn(&copy, Origin { source: 1, date: 19_990_101 });
    assert_eq!(effect, Effect::Nothing(Nothing::Duplicate));
    assert_eq!(lessons(&learner), 1);
}

#[test]
fn a_record_without_effect_may_teach_a_later_book() {
    let plies = first_ply(9);
    let mut learner = learner(Options::default());
    let effect = learner.learn(&record("Crafty 15.17", "b", &plies), Origin::default());
    assert_eq!(effect, Effect::Nothing(Nothing::NoBookMove));
    assert_eq!(lessons(&learner), 0);
}

#[test]
fn every_source_is_counted_separately() {
    let plies = first_ply(1);
    let mut learner = learner(Options { dedup: false, ..Options::default() });
    for (source, date) in [(3, 20_000_101), (1, 0), (3, 19_990_101)] {
        learner.learn(&record("Crafty 15.17", "b", &plies), Origin { source, date });
    }
    let edge = learner.book().edge(Key(0), PackedMove(1)).unwrap();
    assert_eq!(edge.count, 3);
    assert_eq!(
        edge.taught(),
        [
            SourceLessons { source: 1, count: 1, last_date: 0 },
            SourceLessons { source: 3, count: 2, last_date: 20_000_101 }
        ]
    );
    assert!(!learner.book().edge(Key(0), PackedMove(2)).unwrap().is_taught());
}

#[test]
fn who_wrote_a_record() {
    let plies = first_ply(1);
    let own = Some("Rev".to_owned());
    let options = |family, own_player| Options { family, own_player, ..Options::default() };
    let effect =
        |white, black, options| learner(options).learn(&record(white, black, &plies), Origin::default());
    let rejected = Effect::Rejected;
    let unknown_side = rejected(Rejection::UnknownOwnSide);
    let unknown_family = rejected(Rejection::UnknownFamily);

    assert_eq!(effect("rev", "b", options(None, None)), unknown_side);
    assert_eq!(effect("rev", "b", options(None, own.clone())), unknown_family);
    assert_eq!(effect("rev", "b", options(Some(Family::M2), None)), unknown_side);
    assert!(effect("rev", "b", options(Some(Family::M2), own.clone())).is_learned());
    assert!(effect("rev", "b", options(Some(Family::A), None)).is_learned(), "White's view needs no side");
    assert_eq!(effect("Crafty", "b", options(None, None)), unknown_family);
    assert_eq!(effect("Crafty 25.2", "b", options(None, None)), unknown_family);
    assert_eq!(effect("Crafty v11.23", "Crafty v11.23", options(None, None)), unknown_side);
    assert_eq!(effect("Crafty 15.17", "Crafty 18.15", options(None, None)), unknown_family);
    assert!(effect("Crafty 15.17", "Crafty 15.18", options(None, None)).is_learned());
}

#[test]
fn a_record_of_the_own_player_is_of_its_neighbours_family() {
    let plies = first_ply(1);
    let mut learner = learner(Options { own_player: Some("Rev".to_owned()), ..Options::default() });
    let (here, elsewhere) = (Origin { source: 4, date: 0 }, Origin { source: 5, date: 0 });
    let mut family = |white, origin| match learner.learn(&record(white, "b", &plies), origin) {
        Effect::Learned(lesson) => Some(lesson.family),
        _ => None,
    };
    assert_eq!(family("Rev", here), None, "no earlier record has a version");
    assert_eq!(family("Crafty 17.14", here), Some(Family::B));
    assert_eq!(family("rev", here), Some(Family::B));
    assert_eq!(family("REV", elsewhere), None, "records of another file do not count");
}

#[test]
fn crafty_s_view_is_turned_to_whites() {
    let plies = first_ply(1);
    for (white, black, expected) in [("Crafty v11.23", "b", -0.05), ("a", "Crafty v11.23", 0.05_f32)] {
        let mut learner = learner(Options::default());
        assert!(learner.learn(&record(white, black, &plies), Origin::default()).is_learned());
        let learn = learner.book().edge(Key(0), PackedMove(1)).unwrap().learn;
        assert_eq!(learn.to_bits(), expected.to_bits());
    }
}

#[test]
fn the_tag_decides_and_not_the_option() {
    let plies = first_ply(1);
    let mut learner = learner(Options { family: Some(Family::A), ..Options::default() });
    let effect = learner.learn(&record("Crafty 17.14", "b", &plies), Origin::default());
    assert!(matches!(effect, Effect::Learned(lesson) if lesson.family == Family::B));
}

#[test]
fn signs_of_18_2_are_doubtful() {
    let plies = first_ply(1);
    let mut learner = learner(Options::default());
    let effect = learner.learn(&record("Crafty 18.2", "b", &plies), Origin::default());
    assert!(matches!(effect, Effect::Learned(lesson) if lesson.family.is_doubtful()));
    assert_eq!(learner.doubtful(), 1);
}

#[test]
fn a_ramp_without_a_branch_teaches_nothing() {
    let mut builder = LearningBook::builder();
    builder.push(Key(0), [(PackedMove(1), 0.0, 0)]).unwrap();
    let mut learner = Learner::new(builder.finish(), Options::default());
    let plies = first_ply(1);
    let effect = learner.learn(&record("Crafty 18.15", "b", &plies), Origin::default());
    assert_eq!(effect, Effect::Nothing(Nothing::NoBranch));
    assert_eq!(lessons(&learner), 0);
}

/// Replays one record of family A, the paper's version. Returns its effect, and the value that the move of
/// its one ply learned.
fn taught(value: i64, options: Options) -> (Effect, f32) {
    let mut learner = learner(options);
    let plies = [(Key(0), PackedMove(1))];
    let record = Record { value, ..record("Crafty 15.17", "opponent", &plies) };
    let effect = learner.learn(&record, Origin::default());
    (effect, learner.book().edge(plies[0].0, plies[0].1).unwrap().learn)
}

#[test]
fn values_that_no_crafty_learns_are_rejected() {
    for value in [3991, -3991, 2_147_483_647, -99_901, i64::MIN] {
        let rejected = (Effect::Rejected(Rejection::ValueOutOfRange), 0.0);
        assert_eq!(taught(value, Options::default()), rejected, "{value}");
    }
    assert_eq!(taught(3990, Options::default()).1, 39.9);
    assert_eq!(taught(-99_900, Options::default()).1, -999.0);
}

#[test]
fn records_of_lost_games_teach_as_asked_for() {
    let of = |result_records| Options { result_records, ..Options::default() };
    assert_eq!(taught(-99_900, of(ResultRecords::Soften)).1, -3.0);
    assert_eq!(taught(-99_900, of(ResultRecords::Skip)), (Effect::Nothing(Nothing::ResultRecord), 0.0));
    for &other in ResultRecords::ALL {
        assert_eq!(taught(-135, of(other)).1, -1.35, "{other}");
    }
}

#[test]
fn moves_that_learning_bans_are_known() {
    let mut learner = learner(Options::default());
    let plies = [(Key(0), PackedMove(1))];
    let record = |value| Record { value, ..record("Crafty 15.17", "opponent", &plies) };
    let banned = |learner: &Learner| learner.book().banned().collect::<Vec<_>>();
    learner.learn(&record(-99_900), Origin::default());
    assert_eq!(banned(&learner), [0]);
    // (−2 + 1) / 2 may be played again.
    let mut learner = Learner::new(book(), Options::default());
    learner.learn(&record(-200), Origin::default());
    assert_eq!(banned(&learner), [0]);
    learner.learn(&record(100), Origin::default());
    assert_eq!(banned(&learner), [0; 0]);
}
