//! Measures the sorter on items shaped like chess edges.
//!
//! A quarter of the items is drawn from 50,000 hot ids (the openings, by Zipf's law), the rest is unique;
//! keys are hashes, moves and notes have about eleven and five bits of entropy. Run it as
//!
//! ```text
//! cargo run --release -p extsort --example throughput -- [ITEMS] [THREADS] [MEMORY_MIB] [BUCKETS]
//! ```
//!
//! It prints nanoseconds of processor time an item for pushing, sorting and encoding (without making up the
//! items), the same a row for the last merge, and the bytes a row that were spilled. Processor time is what
//! Linux accounts to each thread, so that a busy machine does not show (but for its caches).
#![expect(clippy::print_stdout, reason = "an example speaks on stdout")]
#![expect(clippy::cast_precision_loss, reason = "figures are for reading")]

use std::time::{Duration, Instant};
use std::{env, fs, thread};

use extsort::{Item, Options, Result, Sorted, Sorter};

/// id 110 bits, note 16, lane 2.
#[derive(Clone, Copy)]
struct Edge(u128);

impl Item<3> for Edge {
    const PAYLOAD_BITS: u32 = 18;
    #[inline]
    fn bits(&self) -> u128 {
        self.0
    }
    #[inline]
    fn note(&self) -> u16 {
        (self.0 >> 2) as u16
    }
    #[inline]
    fn add_to(&self, sums: &mut [u64; 3]) {
        sums[(self.0 & 3) as usize % 3] += 1;
    }
}

/// A stream of made-up edges.
struct Edges(u64);

const HOT: u64 = 50_000;

impl Edges {
    fn random(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix(self.0)
    }

    fn next(&mut self) -> Edge {
        let random = self.random();
        let key = if random & 3 == 0 {
            // Zipf's law by inversion: the logarithm of the rank is spread evenly.
            let spread = (random >> 11) as f64 / (1u64 << 53) as f64;
            mix((HOT as f64).powf(spread) as u64 / 3)
        } else {
            self.random()
        };
        let pick = if random & 3 == 0 { mix(key ^ (random >> 2) % 3) } else { self.random() };
        let [from, to, note] = [pick, pick >> 8, pick >> 16].map(|bits| skewed(bits, 6));
        let note = mix(note % 48) & 0xffff;
        let lane = (random >> 4) % 3;
        Edge(u128::from(key) << 64 | u128::from(from << 58 | to << 52) | u128::from(note << 2 | lane))
    }
}

/// A number of `bits` bits, the small ones more often.
fn skewed(random: u64, bits: u32) -> u64 {
    let mask = (1 << bits) - 1;
    random & (random >> 20 | random >> 40) & mask
}

fn mix(number: u64) -> u64 {
    let number = (number ^ number >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ number >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ number >> 31
}

/// The processor time of this thread so far.
fn cpu_time() -> Duration {
    let stat = fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = stat.split(' ').next().and_then(|number| number.parse().ok());
    Duration::from_nanos(nanoseconds.unwrap_or(0))
}

/// Pushes items made in batches; the time that pushing and closing took.
fn push(sorter: &Sorter<Edge, 3>, items: usize, seed: u64) -> Result<Duration> {
    let mut edges = Edges(seed);
    let mut batch = Vec::with_capacity(1 << 16);
    let mut writer = sorter.writer()?;
    let mut making = Duration::ZERO;
    let start = cpu_time();
    let mut left = items;
    while left > 0 {
        let count = left.min(1 << 16);
        let start = cpu_time();
        batch.clear();
        batch.extend((0..count).map(|_| edges.next()));
        making += cpu_time() - start;
        for edge in &batch {
            writer.push(*edge)?;
        }
        left -= count;
    }
    writer.close()?;
    Ok(cpu_time() - start - making)
}

/// Reads every `step`th bucket from `first`; rows, a checksum of them, and the processor time.
fn read(sorted: &Sorted<3>, first: u32, step: usize) -> Result<(u64, u64, Duration)> {
    let start = cpu_time();
    let (mut count, mut check, mut batch) = (0, 0u64, Vec::new());
    for bucket in (first..sorted.buckets()).step_by(step) {
        let mut rows = sorted.bucket(bucket)?;
        while rows.next_batch(&mut batch)? {
            count += batch.len() as u64;
            for row in &batch {
                let sums = row.sums[0] + row.sums[1] * 3 + row.sums[2] * 5;
                check =
                    check.wrapping_add((row.id >> 64) as u64 ^ row.id as u64 ^ sums ^ u64::from(row.note));
            }
        }
    }
    Ok((count, check, cpu_time() - start))
}

fn main() -> Result<()> {
    let mut arguments = env::args().skip(1).map(|argument| argument.parse::<u64>().unwrap_or(0));
    let mut argument = |default| arguments.next().unwrap_or(default);
    let (items, threads, memory_mib, buckets) =
        (argument(26_000_000), argument(1), argument(1024), argument(16));
    let threads = threads as usize;
    let options = Options { buckets: buckets as u32, ..Options::new(memory_mib << 20, threads) };
    let sorter = Sorter::<Edge, 3>::new(options)?;
    let start = Instant::now();
    let times: Vec<Duration> = thread::scope(|scope| {
        let sorter = &sorter;
        let one = |thread| scope.spawn(move || push(sorter, items as usize / threads, thread as u64 + 1));
        let threads: Vec<_> = (0..threads).map(one).collect();
        threads.into_iter().filter_map(|thread| thread.join().ok()).collect::<Result<_>>()
    })?;
    let total: Duration = times.iter().sum();
    println!("push, sort, encode {:6.2} ns an item a thread", total.as_nanos() as f64 / items as f64);
    println!("with making items  {:6.2} s", start.elapsed().as_secs_f64());
    let start = Instant::now();
    let sorted = sorter.finish()?;
    println!("finish             {:6.2} s", start.elapsed().as_secs_f64());
    let start = Instant::now();
    let counts: Vec<(u64, u64, Duration)> = thread::scope(|scope| {
        let sorted = &sorted;
        let one = |thread: usize| scope.spawn(move || read(sorted, thread as u32, threads));
        let threads: Vec<_> = (0..threads).map(one).collect();
        threads.into_iter().filter_map(|thread| thread.join().ok()).collect::<Result<_>>()
    })?;
    let elapsed = start.elapsed();
    let rows: u64 = counts.iter().map(|count| count.0).sum();
    let check = counts.iter().fold(0u64, |sum, count| sum.wrapping_add(count.1));
    let busy: Duration = counts.iter().map(|count| count.2).sum();
    println!(
        "last merge         {:6.2} ns a row, {rows} rows, check {check:016x}",
        busy.as_nanos() as f64 / rows as f64
    );
    println!("on the clock       {:6.2} s", elapsed.as_secs_f64());
    let stats = sorted.stats();
    if stats.rows_spilled > 0 {
        println!(
            "spilled            {:6.2} bytes a row",
            stats.bytes_spilled as f64 / stats.rows_spilled as f64
        );
    }
    println!("{stats:?}");
    Ok(())
}
