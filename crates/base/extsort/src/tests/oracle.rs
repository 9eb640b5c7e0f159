//! Tests the sorter against a map in memory, with every setting that must not change the result.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::thread;

use proptest::prelude::*;

use crate::arena::Arena;
use crate::budget::Budget;
use crate::item::{bucket_of, low_mask};
use crate::testing::{Count, Member, Rated, Record};
use crate::{Combine, Error, Item, Least, Lookup, Options, Row, Sorted, Sorter, Writer};

/// Settings of a sort so small that it spills.
#[derive(Clone, Debug)]
struct Settings {
    threads: usize,
    buckets: u32,
    buffer_items: usize,
    files_max: usize,
    files_spare: usize,
}

impl Settings {
    fn options(&self) -> Options {
        Options { buckets: self.buckets, ..Options::new(1 << 30, self.threads) }
    }

    fn sorter<I: Item<L>, const L: usize>(&self) -> Sorter<I, L> {
        self.sorter_with(self.options())
    }

    fn sorter_with<I: Item<L>, const L: usize>(&self, options: Options) -> Sorter<I, L> {
        let budget = Budget {
            buffer_items: self.buffer_items,
            files_max: self.files_max,
            files_open_max: self.files_max + self.files_spare,
        };
        Sorter::with_budget(options, budget, &Arena::none())
    }

    fn sort<I: Item<L>, const L: usize>(&self, items: &[I]) -> Sorted<L, I::Combine> {
        let sorter = self.sorter();
        thread::scope(|scope| {
            for part in items.chunks(items.len().div_ceil(self.threads).max(1)) {
                let sorter = &sorter;
                scope.spawn(move || {
                    let mut writer = sorter.writer().unwrap();
                    push_all(&mut writer, part);
                    writer.close().unwrap();
                });
            }
        });
        sorter.finish().unwrap()
    }
}

fn push_all<I: Item<L>, const L: usize>(writer: &mut Writer<'_, I, L>, items: &[I]) {
    for item in items {
        writer.push(*item).unwrap();
    }
}

fn settings() -> impl Strategy<Value = Settings> {
    (1usize..4, 0u32..=9, 1usize..400, 2usize..5, 0usize..4).prop_map(
        |(threads, buckets_log2, buffer_items, files_max, files_spare)| Settings {
            threads,
            buckets: 1 << buckets_log2,
            buffer_items,
            files_max,
            files_spare,
        },
    )
}

fn expected<I: Item<L>, const L: usize>(items: &[I]) -> Vec<Row<L>> {
    let mut rows = BTreeMap::<u128, Row<L>>::new();
    for item in items {
        let id = item.bits() & !low_mask(I::PAYLOAD_BITS);
        let row = rows.entry(id).or_insert_with(|| {
            let mut sums = [0; L];
            I::Combine::begin(&mut sums, false);
            Row { id, note: u16::MAX, sums }
        });
        row.note = row.note.min(item.note());
        item.add_to(&mut row.sums);
    }
    rows.into_values().collect()
}

/// Reads all rows, bucket by bucket, and checks that every bucket holds only its own rows.
fn read<const L: usize, C: Combine<L>>(sorted: &Sorted<L, C>) -> Vec<Row<L>> {
    let (mut all, mut batch) = (Vec::new(), Vec::new());
    for bucket in 0..sorted.buckets() {
        let mut rows = sorted.bucket(bucket).unwrap();
        while rows.next_batch(&mut batch).unwrap() {
            assert!(batch.iter().all(|row| bucket_of(row.id, sorted.buckets()) == bucket));
            all.extend_from_slice(&batch);
        }
    }
    all
}

/// Numbers that look like edges: hashed keys with several moves each, of which some are hot.
fn edges(seed: u64, count: usize, hot: u64) -> Vec<u128> {
    let hash = |number: u64| {
        let mixed = (number ^ seed).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9)
    };
    let edge = |number: u64| {
        let pick = hash(number);
        let key = if pick % 3 == 0 { hash(pick % hot) } else { hash(number << 20) };
        u128::from(key) << 64 | u128::from(pick >> 8 & 7) << 50 | u128::from(pick >> 16 & 1) << 18
    };
    (0..count as u64).map(edge).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn prop_counts_equal_a_map(settings in settings(), seed: u64, count in 0usize..6000, hot in 1u64..500) {
        let bits = edges(seed, count, hot).into_iter().enumerate();
        let items: Vec<Count> = bits.map(|(i, id)| Count(id | ((i as u128 * 7) % (1 << 18)))).collect();
        let sorted = settings.sort(&items);
        let rows = read(&sorted);
        prop_assert_eq!(&rows, &expected(&items));
        prop_assert_eq!(sorted.stats().items, count as u64);
        prop_assert_eq!(read(&sorted), rows, "a second reading differs");
    }

    #[test]
    fn prop_six_sums_and_sets_equal_a_map(settings in settings(), seed: u64, count in 0usize..3000) {
        let ids = edges(seed, count, 50);
        let rated: Vec<Rated> = (0..).zip(&ids).map(|(i, id)| Rated { bits: *id, ratings: [i, !i] }).collect();
        prop_assert_eq!(read(&settings.sort(&rated)), expected(&rated));
        let members: Vec<Member> = ids.iter().map(|id| Member((id >> 64) as u64)).collect();
        prop_assert_eq!(read(&settings.sort(&members)), expected(&members));
    }
}

/// Records of a few thousand keys with random words, of which the first is often equal.
fn records(seed: u64, count: usize, keys: u64) -> Vec<Record> {
    let mix = |number: u64| (number ^ seed).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let record = |number: u64| {
        let words = [mix(number) >> 62, mix(number), !mix(number << 7), number];
        Record { key: mix(mix(number) % keys), words }
    };
    (0..count as u64).map(record).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn prop_the_smallest_words_of_each_key_stay(
        settings in settings(), seed: u64, count in 0usize..6000, keys in 1u64..4000,
    ) {
        let items = records(seed, count, keys);
        let rows = read(&settings.sort(&items));
        prop_assert_eq!(rows, expected(&items));
    }
}

#[test]
fn rows_are_found_by_ascending_ids() {
    let sorted = SMALL.sort(&records(1, 60_000, 5000));
    assert!(sorted.stats().runs_spilled > 0);
    let (rows, mut found) = (read(&sorted), 0);
    for bucket in 0..sorted.buckets() {
        let mut lookup: Lookup<4, Least> = Lookup::new(sorted.bucket(bucket).unwrap()).unwrap();
        for row in rows.iter().filter(|row| bucket_of(row.id, sorted.buckets()) == bucket).step_by(3) {
            assert!(!lookup.batch.is_empty());
            assert_eq!(
                lookup.find(row.id.saturating_sub(1)).unwrap().filter(|below| below.id < row.id),
                None
            );
            assert_eq!(lookup.find(row.id).unwrap(), Some(row));
            found += 1;
        }
        assert_eq!(lookup.find(u128::MAX).unwrap(), None);
        assert!(lookup.batch.is_empty());
    }
    assert!(found > 1000);
}

#[test]
fn writers_one_after_another_share_a_sort_buffer() {
    let items = counts(9000);
    let sorter = SMALL.sorter::<Count, 3>();
    for part in items.chunks(500) {
        let mut writer = sorter.writer().unwrap();
        push_all(&mut writer, part);
        writer.close().unwrap();
    }
    let result = sorter.finish().unwrap();
    assert_eq!((result.stats().items, result.stats().runs_spilled), (9000, 0));
    assert_eq!(read(&result), expected(&items));
}

const SMALL: Settings =
    Settings { threads: 2, buckets: 4, buffer_items: 10_000, files_max: 3, files_spare: 2 };

fn counts(count: usize) -> Vec<Count> {
    edges(1, count, 100).into_iter().map(Count).collect()
}

#[test]
fn a_sort_that_spills_merges_in_generations_and_says_so() {
    let items = counts(400_000);
    let sorted = SMALL.sort(&items);
    let stats = sorted.stats();
    assert!(stats.runs_spilled > 9 && stats.generations > 3, "{stats:?}");
    assert!(stats.rows_spilled < stats.items);
    assert_eq!(read(&sorted), expected(&items));
}

#[test]
fn unspilled_items_that_become_a_run_are_counted_once() {
    // A buffer of one item has one piece, which covers more than one bucket.
    let settings = Settings { threads: 1, buffer_items: 1, ..SMALL };
    let items = counts(1);
    let sorted = settings.sort(&items);
    assert_eq!(sorted.stats().items, 1);
    assert_eq!(read(&sorted), expected(&items));
}

#[test]
fn buckets_are_read_at_once_by_different_threads() {
    let items = counts(60_000);
    let sorted = SMALL.sort(&items);
    let parts: Vec<Vec<Row<3>>> = thread::scope(|scope| {
        let read_one = |bucket| {
            let (mut rows, mut all, mut batch) = (sorted.bucket(bucket).unwrap(), Vec::new(), Vec::new());
            while rows.next_batch(&mut batch).unwrap() {
                all.extend_from_slice(&batch);
            }
            all
        };
        let readers: Vec<_> = (0..4).map(|bucket| scope.spawn(move || read_one(bucket))).collect();
        readers.into_iter().map(|reader| reader.join().unwrap()).collect()
    });
    assert_eq!(parts.concat(), expected(&items));
}

#[test]
fn memory_stays_within_the_limit() {
    let items = counts(900_000);
    let memory_bytes = 6 << 20;
    let options = Options { buckets: 16, ..Options::new(memory_bytes, 1) };
    let sorter = Sorter::<Count, 3>::new(options).unwrap();
    let mut writer = sorter.writer().unwrap();
    push_all(&mut writer, &items);
    writer.close().unwrap();
    let result = sorter.finish().unwrap();
    assert_eq!(read(&result), expected(&items));
    let stats = result.stats();
    assert!(stats.runs_spilled > 0 && stats.memory_peak_bytes <= memory_bytes, "{stats:?}");
}

#[test]
fn what_fits_never_touches_the_disk() {
    let options = Options { temp_dir: "/nonexistent".into(), ..Options::new(64 << 20, 1) };
    let sorter = Sorter::<Count, 3>::new(options).unwrap();
    let items = counts(300_000);
    let mut writer = sorter.writer().unwrap();
    push_all(&mut writer, &items);
    writer.close().unwrap();
    assert_eq!(read(&sorter.finish().unwrap()), expected(&items));
}

#[test]
fn a_temp_dir_that_is_not_there_is_an_error_for_all_threads() {
    let options = Options { temp_dir: "/nonexistent".into(), ..SMALL.options() };
    let sorter = SMALL.sorter_with::<Count, 3>(options);
    let items = counts(400_000);
    let mut writer = sorter.writer().unwrap();
    let error = items.iter().find_map(|item| writer.push(*item).err()).unwrap();
    assert!(error.to_string().starts_with("/nonexistent"), "{error}");
    assert!(matches!(writer.close(), Err(Error::AnotherThreadFailed)));
    assert!(matches!(sorter.finish(), Err(Error::WriterDropped | Error::AnotherThreadFailed)));
}

#[test]
fn a_dropped_writer_fails_the_sort() {
    let sorter = SMALL.sorter::<Count, 3>();
    sorter.writer().unwrap().push(Count(0)).unwrap();
    assert!(matches!(sorter.finish(), Err(Error::WriterDropped)));
}

#[test]
fn no_more_writers_than_threads() {
    let sorter = SMALL.sorter::<Count, 3>();
    let writers = [sorter.writer().unwrap(), sorter.writer().unwrap()];
    assert!(matches!(sorter.writer(), Err(Error::TooManyWriters(2))));
    drop(writers);
    sorter.writer().unwrap().close().unwrap();
}

#[test]
fn the_stop_flag_stops_pushing() {
    let options = SMALL.options();
    let stop = Arc::clone(&options.stop);
    let sorter = SMALL.sorter_with::<Count, 3>(options);
    let mut writer = sorter.writer().unwrap();
    writer.push(Count(0)).unwrap();
    stop.store(true, Relaxed);
    assert!(matches!(writer.close(), Err(Error::Stopped)));
}

#[test]
fn the_stop_flag_stops_reading() {
    let options = SMALL.options();
    let stop = Arc::clone(&options.stop);
    let sorted = SMALL.sorter_with::<Count, 3>(options).finish().unwrap();
    let mut rows = sorted.bucket(0).unwrap();
    assert!(!rows.next_batch(&mut Vec::new()).unwrap());
    stop.store(true, Relaxed);
    assert!(matches!(rows.next_batch(&mut Vec::new()), Err(Error::Stopped)));
}

#[test]
fn wrong_options_are_refused() {
    let base = Options::new(1 << 30, 1);
    for options in [
        Options { buckets: 3, ..base.clone() },
        Options { buckets: 1 << 17, ..base.clone() },
        Options { threads: 0, ..base.clone() },
        Options { fan_in: 1, ..base.clone() },
    ] {
        assert!(matches!(Sorter::<Count, 3>::new(options), Err(Error::Option { .. })));
    }
    let sorted = SMALL.sort(&counts(10));
    assert!(matches!(sorted.bucket(4), Err(Error::Option { name: "bucket", .. })));
}
