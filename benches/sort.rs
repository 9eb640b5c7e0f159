//! Pushing, sorting and summing observations, and merging what was sorted. Throughput in records a second.

use std::hint::black_box;

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use extsort::{Item, Options, Sorted, Sorter, Sum};

const ITEMS: u64 = 2_000_000;
/// One item in four has one of this many frequent ids, as openings have.
const HOT_IDS: u64 = 4096;
const MEMORY_BYTES: u64 = 256 << 20;

/// An edge observation's shape: a uniform key, a move, a note and an outcome.
#[derive(Clone, Copy)]
struct Observed(u128);

impl Item<3> for Observed {
    type Combine = Sum;

    const PAYLOAD_BITS: u32 = 18;

    fn bits(&self) -> u128 {
        self.0
    }

    fn note(&self) -> u16 {
        (self.0 >> 2) as u16
    }

    fn add_to(&self, sums: &mut [u64; 3]) {
        sums[(self.0 & 3) as usize] += 1;
    }
}

/// Numbers that look random and are the same every time (the generator `SplitMix64`).
fn mixed(number: u64) -> u64 {
    let mut z = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

fn item(number: u64) -> Observed {
    let id = if number.is_multiple_of(4) { mixed(number) % HOT_IDS } else { number };
    let (key, mv) = (mixed(id), mixed(!id) & 0xfff);
    Observed(
        u128::from(key) << 64
            | u128::from(mv) << 48
            | u128::from(mixed(id) & 0x3ff) << 2
            | u128::from(number % 3),
    )
}

fn sorted(items: &[Observed]) -> Sorted<3> {
    let options = Options { buckets: 16, ..Options::new(MEMORY_BYTES, 1) };
    let push_all = || {
        let sorter: Sorter<Observed, 3> = Sorter::new(options)?;
        let mut writer = sorter.writer()?;
        items.iter().try_for_each(|&item| writer.push(item))?;
        writer.close()?;
        sorter.finish()
    };
    push_all().unwrap_or_else(|error: extsort::Error| panic!("{error}"))
}

fn merged_rows(sorted: &Sorted<3>) -> usize {
    let mut rows = Vec::new();
    let mut count = 0;
    for bucket in 0..sorted.buckets() {
        let mut stream = sorted.bucket(bucket).unwrap_or_else(|error| panic!("{error}"));
        while stream.next_batch(&mut rows).unwrap_or_else(|error| panic!("{error}")) {
            count += black_box(&rows).len();
        }
    }
    count
}

fn sort(c: &mut Criterion) {
    let items: Vec<_> = (0..ITEMS).map(item).collect();
    let mut group = c.benchmark_group("sort");
    group.sample_size(10);
    group.throughput(Throughput::Elements(ITEMS));
    group.bench_function("push and sort", |b| b.iter(|| sorted(black_box(&items))));
    group.bench_function("std sort_unstable alone", |b| {
        let bits: Vec<u128> = items.iter().map(|item| item.0).collect();
        b.iter_batched_ref(|| bits.clone(), |bits| bits.sort_unstable(), BatchSize::LargeInput);
    });
    let sorted = sorted(&items);
    group.throughput(Throughput::Elements(merged_rows(&sorted) as u64));
    group.bench_function("merge", |b| b.iter(|| merged_rows(black_box(&sorted))));
    group.finish();
}

criterion_group!(benches, sort);
criterion_main!(benches);
