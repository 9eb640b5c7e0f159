//! Arithmetic with tables, against a map in memory.

use std::{
    collections::BTreeMap,
    path::Path,
    sync::{Mutex, atomic::AtomicBool},
};

use position::Group;
use proptest::prelude::*;
use tempfile::tempdir;

use super::fixture::{any_rows, part_bytes, read, row, spread_rows, write};
use crate::{Counting, Error, Groups, JoinOptions, Row, Table, add, merge, subtract};

const MONTHS: Groups = Groups { month: true, ..Groups::NONE };

fn table(dir: &Path, name: &str, groups: Groups, shards: u32, rows: &[Row]) -> Table {
    write(&dir.join(name), Counting { groups, ..Counting::default() }, shards, 100, rows).unwrap()
}

fn summed<'a>(rows: impl Iterator<Item = &'a Row>) -> Vec<Row> {
    let mut sums: BTreeMap<u128, Row> = BTreeMap::new();
    for row in rows {
        sums.entry(row.id()).and_modify(|sum| sum.tally += row.tally).or_insert(*row);
    }
    sums.into_values().collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn prop_merge_is_the_count_of_all(a in any_rows(MONTHS), b in any_rows(MONTHS), c in any_rows(MONTHS), bits in 0_u32..4) {
        let dir = tempdir().unwrap();
        let inputs = [(&a, 2, "a"), (&b, 1, "b"), (&c, 8, "c")];
        let inputs = inputs.map(|(rows, shards, name)| table(dir.path(), name, MONTHS, shards, rows));
        let options = JoinOptions { threads: 2, shards: Some(1 << bits), ..JoinOptions::default() };
        let merged = merge(&inputs.each_ref(), &dir.path().join("merged"), &options).unwrap();
        let expected = summed(a.iter().chain(&b).chain(&c));
        prop_assert_eq!(read(&merged), &expected[..]);
        prop_assert_eq!(merged.manifest().games, 30);
        let whole = table(dir.path(), "whole", MONTHS, 1 << bits, &expected);
        prop_assert!(part_bytes(&merged) == part_bytes(&whole), "the bytes of a count of everything");
    }

    #[test]
    fn prop_adding_and_subtracting_leaves_the_counts(a in any_rows(MONTHS), b in any_rows(MONTHS)) {
        // A subtraction would drop a row of no games.
        let a: Vec<_> = a.into_iter().filter(|row| row.tally.games() > 0).collect();
        let dir = tempdir().unwrap();
        let (old, more) = (table(dir.path(), "a", MONTHS, 4, &a), table(dir.path(), "b", MONTHS, 2, &b));
        let before = part_bytes(&old);
        let sum = add(&old, &more, &JoinOptions::default()).unwrap();
        prop_assert_eq!(read(&sum), summed(a.iter().chain(&b)));
        prop_assert!(sum.manifest().holds(&more.manifest().sources[0]));
        let difference = subtract(&sum, &more, &JoinOptions::default()).unwrap();
        prop_assert_eq!(read(&difference), &a[..]);
        prop_assert!(part_bytes(&difference) == before, "the bytes it had");
        prop_assert_eq!(&difference.manifest().subtracted, &more.manifest().sources);
        prop_assert!(!difference.manifest().holds(&more.manifest().sources[0]));
        prop_assert_eq!(difference.manifest().games, 10);
    }

    #[test]
    fn prop_rarely_visited_positions_are_left_out(a in any_rows(MONTHS), b in any_rows(MONTHS), min_visits in 0_u64..40) {
        let dir = tempdir().unwrap();
        let (first, second) = (table(dir.path(), "a", MONTHS, 2, &a), table(dir.path(), "b", MONTHS, 2, &b));
        let options = JoinOptions { min_visits, ..JoinOptions::default() };
        let merged = merge(&[&first, &second], &dir.path().join("merged"), &options).unwrap();
        let all = summed(a.iter().chain(&b));
        let visits = |key| all.iter().filter(|row| row.key == key).map(|row| row.tally.games()).sum::<u64>();
        let often: Vec<_> = all.iter().filter(|row| visits(row.key) >= min_visits).copied().collect();
        prop_assert_eq!(read(&merged), often);
    }

    #[test]
    fn prop_dropped_groups_are_summed(a in any_rows(MONTHS), b in any_rows(Groups::NONE)) {
        let dir = tempdir().unwrap();
        let (grouped, plain) = (table(dir.path(), "a", MONTHS, 2, &a), table(dir.path(), "b", Groups::NONE, 2, &b));
        let options = JoinOptions { drop_groups: true, ..JoinOptions::default() };
        let merged = merge(&[&grouped, &plain], &dir.path().join("merged"), &options).unwrap();
        let ungrouped: Vec<_> = a.iter().chain(&b).map(|row| Row { group: Group::NONE, ..*row }).collect();
        prop_assert_eq!(read(&merged), summed(ungrouped.iter()));
        prop_assert_eq!(merged.counting().groups, Groups::NONE);
    }
}

#[test]
fn disagreement_is_refused_by_name() {
    let dir = tempdir().unwrap();
    let rows = spread_rows(3);
    let plain = table(dir.path(), "plain", Groups::NONE, 1, &rows);
    let grouped = table(dir.path(), "grouped", MONTHS, 1, &rows);
    let shallow = Counting { max_ply: 20, ..Counting::default() };
    let shallow = write(&dir.path().join("shallow"), shallow, 1, 1, &rows).unwrap();
    let join =
        |other| merge(&[&plain, other], &dir.path().join("out"), &JoinOptions::default()).err().unwrap();
    let error = join(&shallow).to_string();
    assert!(error.contains("max-ply is 20") && error.contains("it is 60"), "{error}");
    let error = join(&grouped).to_string();
    assert!(error.contains("group-by is month"), "{error}");
    assert!(!dir.path().join("out").exists());
}

#[test]
fn a_source_counts_once_unless_forced() {
    let dir = tempdir().unwrap();
    let a = table(dir.path(), "a", Groups::NONE, 2, &spread_rows(5));
    let error = add(&a, &a, &JoinOptions::default()).err().unwrap();
    assert!(matches!(&error, Error::SourceRepeated { name, .. } if name == "a"), "{error}");
    let doubled = add(&a, &a, &JoinOptions { force: true, ..JoinOptions::default() }).unwrap();
    assert_eq!(doubled.manifest().games, 20);
    assert_eq!(read(&doubled), summed(spread_rows(5).iter().chain(&spread_rows(5))));
}

#[test]
fn going_below_zero_names_the_edge_and_changes_nothing() {
    let dir = tempdir().unwrap();
    let a = table(dir.path(), "a", Groups::NONE, 2, &[row(5, 1, [1, 1, 1]), row(7, 2, [9, 9, 9])]);
    let before = part_bytes(&a);
    let too_many = [row(7, 2, [1, 1, 10]), row(6, 3, [1, 0, 0]), row(9, 3, [0, 0, 1])];
    for (name, rows) in ["more", "between", "after"].into_iter().zip(&too_many) {
        let what = table(dir.path(), name, Groups::NONE, 1, std::slice::from_ref(rows));
        let error = subtract(&a, &what, &JoinOptions::default()).err().unwrap();
        let Error::BelowZero { key, mv, got, .. } = error else { panic!("{error}") };
        assert_eq!((key, mv), (rows.key, rows.mv));
        assert_eq!(got, [rows.tally.white, rows.tally.draws, rows.tally.black]);
    }
    assert!(part_bytes(&a) == before);
    assert_eq!(dir.path().read_dir().unwrap().count(), 4, "nothing beside the four tables");
}

#[test]
fn filters_are_recorded_steps_settle_and_outputs_are_not_replaced() {
    let dir = tempdir().unwrap();
    let filtered = Counting { filters: ["min-elo=2400".to_owned()].into(), ..Counting::default() };
    let mut rows = spread_rows(2);
    let a = table(dir.path(), "a", Groups::NONE, 1, &rows);
    rows[0].step.0 -= 1;
    let b = write(&dir.path().join("b"), filtered, 1, 1, &rows).unwrap();
    let merged = merge(&[&a, &b], &dir.path().join("out"), &JoinOptions::default()).unwrap();
    assert!(merged.counting().filters.iter().eq(["", "min-elo=2400"]));
    assert_eq!(read(&merged)[0].step, rows[0].step);
    let again = merge(&[&a, &b], merged.path(), &JoinOptions::default()).err().unwrap();
    assert!(matches!(again, Error::OutputExists { .. }), "{again}");
    merge(&[&b, &a], merged.path(), &JoinOptions { replace: true, ..JoinOptions::default() }).unwrap();
    assert_eq!(
        Table::open(merged.path()).unwrap().digest(),
        merged.digest(),
        "the order of inputs does not matter"
    );
}

#[test]
fn a_wish_to_stop_is_heard() {
    let dir = tempdir().unwrap();
    let a = table(dir.path(), "a", Groups::NONE, 2, &spread_rows(5));
    let stop = AtomicBool::new(true);
    let options = JoinOptions { stop: &stop, ..JoinOptions::default() };
    let error = merge(&[&a], &dir.path().join("out"), &options).err().unwrap();
    assert!(matches!(error, Error::Stopped));
    assert_eq!(dir.path().read_dir().unwrap().count(), 1, "only the input");
}

#[test]
fn rows_are_reported_by_many_and_each_once() {
    let dir = tempdir().unwrap();
    let a = table(dir.path(), "a", Groups::NONE, 2, &spread_rows(100));
    let reports = Mutex::new(Vec::new());
    let progress = |rows| reports.lock().unwrap().push(rows);
    let options = JoinOptions { progress: &progress, ..JoinOptions::default() };
    merge(&[&a], &dir.path().join("out"), &options).unwrap();
    let reports = reports.into_inner().unwrap();
    assert_eq!((reports.len(), reports.iter().sum::<u64>()), (2, 100), "one report a shard: {reports:?}");
}
