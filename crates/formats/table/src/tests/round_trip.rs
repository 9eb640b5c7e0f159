//! What is written is read again.

use parquet::file::metadata::PageIndexPolicy;
use position::Key;
use proptest::prelude::*;
use tempfile::tempdir;

use super::fixture::{ALL_GROUPS, any_rows, part_bytes, read, row, spread_rows, write};
use crate::{Counting, Error, Groups, Month, Row, SortedRows};
use pages::{PAGE_ROWS, ROW_GROUP_ROWS};

/// Writes rows, reads them, looks every key up, verifies.
fn check(groups: Groups, shards: u32, rows: &[Row]) -> Result<(), TestCaseError> {
    let dir = tempdir().unwrap();
    let counting = Counting { groups, ..Counting::default() };
    let table = write(&dir.path().join("t"), counting, shards, 7, rows).unwrap();
    prop_assert_eq!(read(&table), rows);
    for row in rows {
        let same_key: Vec<_> = rows.iter().filter(|other| other.key == row.key).copied().collect();
        prop_assert_eq!(table.rows_of(row.key).unwrap(), same_key);
    }
    let months = rows.iter().filter_map(|row| Month::new(row.group.month()?));
    prop_assert_eq!(
        table.months().unwrap(),
        months.fold(None, |seen, month| Some(Month::widen(seen, month)))
    );
    let verified = table.verify(2, &false.into(), &|_| ()).unwrap();
    prop_assert_eq!((verified.shards, verified.rows), (u64::from(shards), rows.len() as u64));
    prop_assert_eq!(verified.tally.white, rows.iter().map(|row| row.tally.white).sum::<u64>());
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn prop_rows_round_trip(rows in any_rows(Groups::NONE), bits in 0_u32..5) {
        check(Groups::NONE, 1 << bits, &rows)?;
    }

    #[test]
    fn prop_grouped_rows_round_trip(rows in any_rows(ALL_GROUPS)) {
        check(ALL_GROUPS, 2, &rows)?;
    }

    #[test]
    fn prop_rows_of_one_dimension_round_trip(rows in any_rows(Groups { month: true, ..Groups::NONE })) {
        check(Groups { month: true, ..Groups::NONE }, 4, &rows)?;
    }
}

/// More than a row group and its pages, keys that straddle page and row group borders,
/// counts large and small.
fn many_rows() -> Vec<Row> {
    let count = 2 * ROW_GROUP_ROWS as u64 + 5;
    let counts =
        |n: u64| [n % 2, u64::from(n.is_multiple_of(1000)) * (n << 30), u64::from(n.is_multiple_of(17)) * n];
    (0..count).map(|n| row(n / 5 * (1 << 40), (n % 5) as u16, counts(n))).collect()
}

#[test]
fn several_row_groups_round_trip_the_same_for_any_batch_size() {
    let (dir, rows) = (tempdir().unwrap(), many_rows());
    let one = write(&dir.path().join("one"), Counting::default(), 1, usize::MAX, &rows).unwrap();
    let two = write(&dir.path().join("two"), Counting::default(), 1, 1013, &rows).unwrap();
    assert!(read(&one) == rows);
    assert!(part_bytes(&one) == part_bytes(&two), "the same bytes");
    let (part, _) = one.open_part(0, PageIndexPolicy::Required).unwrap();
    let sizes: Vec<_> =
        part.row_groups().iter().map(|group| group.num_rows().cast_unsigned() as usize).collect();
    assert_eq!(sizes, [ROW_GROUP_ROWS, ROW_GROUP_ROWS, 5]);
    assert_eq!(part.rows_that_may_hold(0, Key(0)), 0..PAGE_ROWS, "a key is looked for in its page alone");
    for key in [0, ROW_GROUP_ROWS as u64 / 5, 16_384 / 5, rows.len() as u64 / 5].map(|n| Key(n << 40)) {
        let expected: Vec<_> = rows.iter().filter(|row| row.key == key).copied().collect();
        assert_eq!(one.rows_of(key).unwrap(), expected, "{key}");
    }
    assert_eq!(one.rows_of(Key(1)).unwrap(), []);
    assert_eq!(one.rows_of(Key(u64::MAX)).unwrap(), []);
    one.verify(1, &false.into(), &|_| ()).unwrap();
}

#[test]
fn an_empty_table_has_all_its_parts() {
    let dir = tempdir().unwrap();
    let table = write(&dir.path().join("t"), Counting::default(), 4, 1, &[]).unwrap();
    assert_eq!((table.shards().len(), SortedRows::shards(&table)), (4, 4));
    assert!(part_bytes(&table).iter().all(|part| !part.is_empty()));
    assert_eq!(read(&table), []);
    assert_eq!(table.verify(1, &false.into(), &|_| ()).unwrap().rows, 0);
}

#[test]
fn rows_out_of_order_or_out_of_place_are_refused() {
    let dir = tempdir().unwrap();
    let write_rows = |rows: &[Row]| {
        let writer =
            crate::TableWriter::create(&dir.path().join("t"), Counting::default(), 2, false).unwrap();
        let mut shard = writer.shard(0).unwrap();
        shard.push_batch(rows).unwrap_err()
    };
    let [low, high] = [row(1, 5, [1, 0, 0]), row(1, 6, [1, 0, 0])];
    let error = write_rows(&[high, low]);
    assert!(matches!(error, Error::Order { row: 1, .. }), "{error}");
    assert!(matches!(write_rows(&[low, low]), Error::Order { .. }));
    assert!(matches!(write_rows(&[row(1 << 63, 0, [1, 0, 0])]), Error::KeyRange { row: 0, .. }));
    assert!(matches!(write_rows(&[row(1, 0, [1 << 63, 0, 0])]), Error::CountTooLarge { .. }));
    assert_eq!(dir.path().read_dir().unwrap().count(), 0, "nothing is left behind");
}

#[test]
#[should_panic(expected = "grouped by more")]
fn a_group_without_a_column_is_a_bug() {
    let dir = tempdir().unwrap();
    let group = position::Group::NONE.with_month(Some((2024, 1)));
    let rows = [Row { group, ..spread_rows(1)[0] }];
    let _table = write(&dir.path().join("t"), Counting::default(), 1, 1, &rows);
}
