//! Tables with sums of ratings.

use std::{collections::BTreeMap, path::Path};

use proptest::prelude::*;
use tempfile::tempdir;

use super::fixture::{any_rated_rows, part_bytes, rated, read, row, spread_rows, with_ratings, write};
use crate::{
    Counting, Error, Groups, JoinOptions, MANIFEST_NAME, RatingSums, Row, Table, add, merge, subtract,
};

const MONTHS: Groups = Groups { month: true, ..Groups::NONE };

fn table(dir: &Path, name: &str, groups: Groups, shards: u32, rows: &[Row]) -> Table {
    write(&dir.join(name), Counting { groups, ..rated() }, shards, 100, rows).unwrap()
}

fn summed<'a>(rows: impl Iterator<Item = &'a Row>) -> Vec<Row> {
    let mut sums: BTreeMap<u128, Row> = BTreeMap::new();
    for row in rows {
        let sum =
            sums.entry(row.id()).or_insert(Row { tally: <_>::default(), ratings: RatingSums::NONE, ..*row });
        sum.tally += row.tally;
        sum.ratings += row.ratings;
    }
    sums.into_values().collect()
}

/// One row of one game that White won, with its ratings.
fn game(ratings: RatingSums) -> Row {
    Row { ratings, ..row(5, 1, [1, 0, 0]) }
}

fn ratings(mover_elo: u64, opponent_elo: u64, rated_games: u64) -> RatingSums {
    RatingSums { mover_elo, opponent_elo, rated_games }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn prop_ratings_round_trip(rows in any_rated_rows(MONTHS), bits in 0_u32..4) {
        let dir = tempdir().unwrap();
        let table = table(dir.path(), "t", MONTHS, 1 << bits, &rows);
        prop_assert_eq!(read(&table), &rows[..]);
        for row in &rows {
            prop_assert!(table.rows_of(row.key).unwrap().contains(row));
        }
        let verified = table.verify(2, &false.into(), &|_| ()).unwrap();
        let mut sum = RatingSums::NONE;
        for row in &rows {
            sum += row.ratings;
        }
        prop_assert_eq!(verified.ratings, sum);
    }

    #[test]
    fn prop_ratings_add_and_subtract(a in any_rated_rows(MONTHS), b in any_rated_rows(MONTHS), bits in 0_u32..4) {
        let a: Vec<_> = a.into_iter().filter(|row| row.tally.games() > 0).collect();
        let dir = tempdir().unwrap();
        let (old, more) = (table(dir.path(), "a", MONTHS, 4, &a), table(dir.path(), "b", MONTHS, 2, &b));
        let options = JoinOptions { threads: 2, shards: Some(1 << bits), ..JoinOptions::default() };
        let merged = merge(&[&old, &more], &dir.path().join("merged"), &options).unwrap();
        let expected = summed(a.iter().chain(&b));
        prop_assert_eq!(read(&merged), &expected[..]);
        let whole = table(dir.path(), "whole", MONTHS, 1 << bits, &expected);
        prop_assert!(part_bytes(&merged) == part_bytes(&whole), "the bytes of a count of everything");
        let before = part_bytes(&old);
        let sum = add(&old, &more, &JoinOptions::default()).unwrap();
        let difference = subtract(&sum, &more, &JoinOptions::default()).unwrap();
        prop_assert!(part_bytes(&difference) == before, "the bytes it had");
    }

    #[test]
    fn prop_dropped_groups_are_summed_with_their_ratings(a in any_rated_rows(MONTHS)) {
        let dir = tempdir().unwrap();
        let grouped = table(dir.path(), "a", MONTHS, 2, &a);
        let options = JoinOptions { drop_groups: true, ..JoinOptions::default() };
        let dropped = merge(&[&grouped], &dir.path().join("dropped"), &options).unwrap();
        let ungrouped: Vec<_> = a.iter().map(|row| Row { group: position::Group::NONE, ..*row }).collect();
        prop_assert_eq!(read(&dropped), summed(ungrouped.iter()));
        prop_assert!(dropped.counting().ratings);
    }
}

#[test]
fn tables_with_and_without_ratings_do_not_join() {
    let dir = tempdir().unwrap();
    let with = table(dir.path(), "with", Groups::NONE, 1, &with_ratings(spread_rows(9), 1));
    let without = write(&dir.path().join("without"), Counting::default(), 1, 1, &spread_rows(9)).unwrap();
    for (ours, theirs, said) in [(&with, &without, "ratings is false"), (&without, &with, "ratings is true")]
    {
        let error = merge(&[ours, theirs], &dir.path().join("out"), &JoinOptions::default()).err().unwrap();
        assert!(matches!(error, Error::Disagree { option: "ratings", .. }), "{error}");
        assert!(error.to_string().contains(said), "{error}");
        assert!(add(ours, theirs, &JoinOptions::default()).is_err());
        assert!(subtract(ours, theirs, &JoinOptions::default()).is_err());
    }
    assert_eq!(dir.path().read_dir().unwrap().count(), 2, "only the inputs");
}

#[test]
fn a_table_without_ratings_says_nothing_of_them() {
    let dir = tempdir().unwrap();
    let rows = spread_rows(9);
    let plain = write(&dir.path().join("plain"), Counting::default(), 2, 1, &rows).unwrap();
    let ignored = with_ratings(rows.clone(), 1);
    let same = write(&dir.path().join("same"), Counting::default(), 2, 1, &ignored).unwrap();
    assert_eq!(read(&same), rows);
    assert!(part_bytes(&plain) == part_bytes(&same));
    let text = std::fs::read_to_string(plain.path().join(MANIFEST_NAME)).unwrap();
    assert!(!text.contains("rating\"") && !text.contains("ratings"), "{text}");
    let bytes = part_bytes(&plain).concat();
    assert!(!bytes.windows(7).any(|window| window == b"ratings"));
}

#[test]
fn a_table_with_ratings_says_so_and_sums_them_by_part() {
    let dir = tempdir().unwrap();
    let rows =
        [game(ratings(1500, 1600, 1)), Row { ratings: ratings(10, 20, 1), ..row(1 << 63, 0, [0, 1, 1]) }];
    let table = table(dir.path(), "t", Groups::NONE, 2, &rows);
    assert!(table.counting().ratings);
    assert_eq!(table.shards()[0].ratings, Some(ratings(1500, 1600, 1)));
    assert_eq!(table.shards()[1].ratings, Some(ratings(10, 20, 1)));
    let bytes = part_bytes(&table).concat();
    assert!(bytes.windows(13).any(|window| window == b"tabia.ratings"));
    assert_eq!(Table::open(table.path()).unwrap().manifest(), table.manifest());
}

/// Equal counts do not make equal games: what is left must be able to have the ratings that are left.
#[test]
fn subtracting_the_ratings_of_other_games_is_refused() {
    let dir = tempdir().unwrap();
    let two = Row { ratings: ratings(3000, 3200, 2), ..row(5, 1, [2, 0, 0]) };
    let from = table(dir.path(), "two", Groups::NONE, 1, &[two]);
    let others = [RatingSums::NONE, ratings(2999, 3200, 1), ratings(3001, 1600, 1)];
    for (number, other) in others.into_iter().enumerate() {
        let what = table(dir.path(), &number.to_string(), Groups::NONE, 1, &[game(other)]);
        let error = subtract(&from, &what, &JoinOptions::default()).err().unwrap();
        let Error::RatingsBelowZero { expected, got, .. } = error else { panic!("{error}") };
        assert_eq!(expected, [3000, 3200, 2]);
        assert_eq!(got, [other.mover_elo, other.opponent_elo, other.rated_games]);
    }
    assert_eq!(read(&from), [two]);
    let what = table(dir.path(), "one", Groups::NONE, 1, &[game(ratings(1400, 1700, 1))]);
    let left = subtract(&from, &what, &JoinOptions::default()).unwrap();
    assert_eq!(read(&left), [game(ratings(1600, 1500, 1))]);
}

#[test]
fn sums_past_the_signed_columns_are_refused() {
    let dir = tempdir().unwrap();
    let huge = Row { ratings: ratings(1 << 63, 1 << 62, 1), ..row(5, 1, [1, 0, 0]) };
    let error = write(&dir.path().join("t"), rated(), 1, 1, &[huge]).err().unwrap();
    assert!(matches!(error, Error::CountTooLarge { .. }), "{error}");
}

#[test]
#[should_panic(expected = "ratings of other games")]
fn more_rated_games_than_games_are_a_bug() {
    let dir = tempdir().unwrap();
    let _table = write(&dir.path().join("t"), rated(), 1, 1, &[game(ratings(3000, 3000, 2))]);
}
