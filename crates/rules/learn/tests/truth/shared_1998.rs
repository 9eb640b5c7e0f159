//! A real shared file with records of versions 12.6 to 15.2.

use std::collections::BTreeMap;

use learn::{
    crafty::{Effect, Family, Learner, Nothing, Options, Origin, Rejection},
    search::learn_function,
};

use crate::{
    book::learning_book,
    files::read,
    lrn::{Read, records},
};

const FILE: &str = "learn/crafty-learn-1998-a.lrn";

fn file() -> Option<Vec<Read>> {
    read(FILE).map(|text| records(&text))
}

/// A learner of these records, and the effect of each.
fn learned_with(records: &[Read], options: Options) -> (Learner, Vec<Effect>) {
    let mut edges: Vec<_> = records.iter().flat_map(|read| read.plies.iter().copied()).collect();
    edges.sort_unstable();
    edges.dedup();
    let mut learner = Learner::new(learning_book(&edges), options);
    let effects = records.iter().map(|read| learner.learn(&read.record(), Origin::default())).collect();
    (learner, effects)
}

#[test]
fn every_record_is_accounted_for() {
    let Some(records) = file() else { return };
    let (learner, effects) = learned_with(&records, Options::default());
    let count = |wanted: Effect| effects.iter().filter(|effect| **effect == wanted).count();
    let taught = effects.iter().filter(|effect| effect.is_learned()).count();
    let duplicates = count(Effect::Nothing(Nothing::Duplicate));
    let unknown = count(Effect::Rejected(Rejection::UnknownOwnSide));
    assert_eq!([effects.len(), taught, duplicates, unknown], [8169, 7330, 818, 21]);
    assert_eq!(learner.doubtful(), 0);
}

#[test]
fn all_values_stay_finite() {
    let Some(records) = file() else { return };
    for dedup in [true, false] {
        let (learner, _) = learned_with(&records, Options { dedup, ..Options::default() });
        assert!(learner.book().edges().all(|edge| edge.learn.is_finite()));
    }
}

#[test]
fn records_without_a_crafty_need_a_name_and_a_family() {
    let Some(records) = file() else { return };
    let unnamed: Vec<_> = records
        .into_iter()
        .filter(|read| !learn::crafty::is_crafty(&read.white) && !learn::crafty::is_crafty(&read.black))
        .collect();
    let (mut learner, _) = learned_with(&unnamed, Options::default());
    let first = &unnamed[0];
    let effect = learner.learn(&first.record(), Origin::default());
    assert_eq!(effect, Effect::Rejected(Rejection::UnknownOwnSide));
    let options =
        Options { own_player: Some(first.white.clone()), family: Some(Family::M2), ..Options::default() };
    assert!(learned_with(&unnamed[..1], options).1[0].is_learned());
}

/// The evidence for family M3: the view and unit in which values end at the bound of `LearnFunction`.
#[test]
fn values_of_12_6_to_14_3_are_centipawns_of_whites_view() {
    let Some(records) = file() else { return };
    let mut at_clamp: BTreeMap<i32, u32> = BTreeMap::new();
    for read in &records {
        let (own, other) = (Family::of_player(&read.white), Family::of_player(&read.black));
        let sign = match (own, other) {
            (Some(Family::M3), None) => 1,
            (None, Some(Family::M3)) => -1,
            _ => continue,
        };
        let value = sign * read.value as i32;
        let (depth, rating) = (read.depth as i32, read.rating_difference as i32);
        for clamp in [600, 6000] {
            let most = i64::from(learn_function(600 * value.signum(), depth, rating, value < 0))
                * i64::from(clamp)
                / 600;
            *at_clamp.entry(clamp).or_default() += u32::from(value.abs() > 20 && i64::from(value) == most);
        }
    }
    assert!(at_clamp[&600] > 150 && at_clamp[&6000] == 0, "{at_clamp:?}");
}
