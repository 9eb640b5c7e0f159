//! Merges of small books, worked out by hand.

use std::{fs, path::Path};

use proptest::{
    prelude::{Just, any, prop, prop_assert, prop_assert_eq, proptest},
    strategy::Strategy as Generator,
};

use super::*;

type Entries = Vec<(u64, u16, u16, u32)>;

fn reader(path: &Path, entries: &[(u64, u16, u16, u32)]) -> Reader {
    let bytes = entries.iter().flat_map(|&(key, mv, weight, learn)| {
        PolyglotEntry { key: Key(key), mv: PackedMove(mv), weight, learn }.to_bytes()
    });
    fs::write(path, bytes.collect::<Vec<_>>()).unwrap();
    Reader::open(path).unwrap()
}

fn merged(books: &[&[(u64, u16, u16, u32)]], merging: &Merging) -> (Entries, MergeStats) {
    let folder = tempfile::tempdir().unwrap();
    let place = |(at, entries): (usize, &&[_])| reader(&folder.path().join(at.to_string()), entries);
    let readers: Vec<_> = books.iter().enumerate().map(place).collect();
    let mut merge = Merge::new(&readers, merging).unwrap();
    let entries = merge.by_ref().flat_map(|batch| batch.unwrap());
    let entries = entries.map(|entry| (entry.key.0, entry.mv.0, entry.weight, entry.learn)).collect();
    (entries, merge.stats())
}

fn by(strategy: Strategy) -> Merging {
    Merging { strategy, ..Merging::default() }
}

const A: &[(u64, u16, u16, u32)] = &[(5, 10, 3, 7), (5, 11, 1, 8), (9, 10, 1, 0)];
const B: &[(u64, u16, u16, u32)] = &[(5, 10, 10, 7), (5, 12, 30, 0), (7, 10, 0, 0)];

#[test]
fn shares_add_up() {
    let (entries, stats) = merged(&[A, B], &by(Strategy::Sum));
    // The shares of 65,535 are 0.75 + 0.25, 0.25 and 0.75.
    let expected =
        [(5, 10, 65_535, 7), (5, 12, 49_151, 0), (5, 11, 16_384, 8), (7, 10, 0, 0), (9, 10, 65_535, 0)];
    assert_eq!(entries, expected);
    let expected = MergeStats { entries: 5, positions: 3, shared_positions: 1, ..MergeStats::default() };
    assert_eq!(stats, expected);
}

#[test]
fn weights_as_they_are_add_up_until_they_do_not_fit() {
    let merging = Merging { no_scale: true, ..by(Strategy::Sum) };
    let (entries, _) = merged(&[A, B], &merging);
    assert_eq!(entries[..3], [(5, 12, 30, 0), (5, 10, 13, 7), (5, 11, 1, 8)]);
    let full: &[_] = &[(5, 10, 65_535, 0), (5, 11, 1, 0)];
    let (entries, _) = merged(&[full, full], &merging);
    assert_eq!(entries, [(5, 10, 65_535, 0), (5, 11, 1, 0)]);
}

#[test]
fn a_mean_is_over_the_books_that_have_the_position() {
    let factors = ["2", "1"].map(|text| text.parse().unwrap()).to_vec();
    let (entries, _) = merged(&[A, B], &Merging { factors, ..by(Strategy::Average) });
    // The averages are (2 × 0.75 + 0.25) / 3, 2 × 0.25 / 3 and 0.75 / 3 of 65,535.
    let expected =
        [(5, 10, 38_229, 7), (5, 12, 16_384, 0), (5, 11, 10_923, 8), (7, 10, 0, 0), (9, 10, 65_535, 0)];
    assert_eq!(entries, expected);
}

#[test]
fn the_largest_or_the_first_decides() {
    let (entries, _) = merged(&[A, B], &by(Strategy::Max));
    assert_eq!(entries[..3], [(5, 10, 49_151, 7), (5, 12, 49_151, 0), (5, 11, 16_384, 8)]);
    let (entries, stats) = merged(&[A, B], &by(Strategy::First));
    assert_eq!(entries, [(5, 10, 3, 7), (5, 11, 1, 8), (7, 10, 0, 0), (9, 10, 1, 0)]);
    assert_eq!(stats.later_entries, 2);
}

#[test]
fn moves_below_the_cut_off_are_counted() {
    let cut_off = "0.3".parse().unwrap();
    let (entries, stats) = merged(&[A, B], &Merging { cut_off, ..by(Strategy::Sum) });
    assert_eq!(entries, [(5, 10, 65_535, 7), (5, 12, 49_151, 0), (9, 10, 65_535, 0)]);
    assert_eq!((stats.cut_moves, stats.cut_positions, stats.positions), (2, 1, 2));
}

#[test]
fn headers_repeats_and_learn_fields_are_counted() {
    let a: &[_] = &[(0, 1, 1, 1), (5, 10, 3, 7), (5, 10, 2, 7)];
    let b: &[_] = &[(5, 10, 4, 8)];
    let (entries, stats) = merged(&[a, b], &Merging { no_scale: true, ..by(Strategy::Sum) });
    assert_eq!(entries, [(5, 10, 9, 0)]);
    assert_eq!((stats.zero_key_entries, stats.repeated_entries, stats.learn_conflicts), (1, 1, 1));
}

#[test]
fn a_book_that_is_not_sorted_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let reader = reader(&folder.path().join("a"), &[(5, 10, 1, 0), (4, 10, 1, 0)]);
    let merging = Merging::default();
    let error = Merge::new([&reader], &merging).unwrap().find_map(Result::err).unwrap();
    assert!(
        error.to_string().contains("is not sorted") && error.to_string().ends_with("at byte 16"),
        "{error}"
    );
}

fn book() -> impl Generator<Value = Entries> {
    let entry = (1..9u64, 1..6u16, 0..=u16::MAX, Just(0));
    prop::collection::btree_map((1..9u64, 1..6u16), entry, 0..20).prop_map(|entries| {
        entries.into_iter().map(|((key, mv), (.., weight, _))| (key, mv, weight, 0)).collect()
    })
}

proptest! {
    /// Every move of every book is there once, in order, and the order of the books does not matter.
    #[test]
    fn prop_no_move_is_lost(a in book(), b in book(), average in any::<bool>(), no_scale in any::<bool>()) {
        let strategy = if average { Strategy::Average } else { Strategy::Sum };
        let merging = Merging { no_scale, ..by(strategy) };
        let (entries, stats) = merged(&[&a, &b], &merging);
        prop_assert_eq!(&entries, &merged(&[&b, &a], &merging).0);
        let mut expected: Vec<_> = a.iter().chain(&b).map(|&(key, mv, ..)| (key, mv)).collect();
        expected.sort_unstable();
        expected.dedup();
        let mut found: Vec<_> = entries.iter().map(|&(key, mv, ..)| (key, mv)).collect();
        prop_assert!(entries.is_sorted_by_key(|&(key, mv, weight, _)| (key, Reverse(weight), mv)));
        found.sort_unstable();
        prop_assert_eq!(found, expected);
        prop_assert_eq!(stats.entries, entries.len() as u64);
        for &(key, mv, weight, _) in &entries {
            let is_zero = a.iter().chain(&b).all(|entry| (entry.0, entry.1) != (key, mv) || entry.2 == 0);
            prop_assert_eq!(weight == 0, is_zero);
        }
    }
}
