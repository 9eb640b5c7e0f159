//! Measures the sorter on items shaped like chess edges.
//!
//! Run it as
//!
//! ```text
//! cargo run --release -p tabia-extsort --example sort_throughput -- [ITEMS] [THREADS] [MEMORY_MIB] [BUCKETS]
//! ```
//!
//! It prints the processor time in nanoseconds of pushing, sorting and encoding an item (without generating
//! it), the processor time of the last merge per row, and the bytes spilled per row. As a yardstick it prints
//! the time that `sort_unstable` of the standard library alone takes for a sort buffer. Processor time is
//! what Linux accounts to each thread, so waiting on a busy machine does not show; caches shared with other
//! processes still do.
#![expect(clippy::print_stdout, reason = "an example speaks on stdout")]
#![expect(clippy::cast_precision_loss, reason = "figures are for reading")]

use std::time::{Duration, Instant};
use std::{env, fs, thread};

use edges::{Edge, Edges, mix};
use extsort::{Options, Result, Row, Sorted, Sorter};

#[path = "made/edges.rs"]
mod edges;

/// The processor time of this thread so far.
fn cpu_time() -> Duration {
    let stat = fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = stat.split(' ').next().and_then(|number| number.parse().ok());
    Duration::from_nanos(nanoseconds.unwrap_or(0))
}

/// The result of `work` and the processor time it took.
fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let start = cpu_time();
    let result = work();
    (result, cpu_time().saturating_sub(start))
}

/// Pushes items generated in batches. Returns the time that pushing and closing took.
fn push(sorter: &Sorter<Edge, 3>, items: usize, seed: u64) -> Result<Duration> {
    let mut edges = Edges::new(seed);
    let mut batch = Vec::with_capacity(1 << 16);
    let mut writer = sorter.writer()?;
    let mut busy = Duration::ZERO;
    let mut left = items;
    while left > 0 {
        batch.clear();
        batch.extend((0..left.min(1 << 16)).map(|_| edges.next()));
        left -= batch.len();
        let (pushed, time) = timed(|| batch.iter().try_for_each(|edge| writer.push(*edge)));
        pushed?;
        busy += time;
    }
    let (closed, time) = timed(|| writer.close());
    closed?;
    Ok(busy + time)
}

/// Reads every `step`th bucket from `first`. Returns the number of rows and a checksum of them.
fn read(edges: &Sorted<3>, first: u32, step: usize) -> Result<(u64, u64)> {
    let check = |row: &Row<3>| {
        let sums = row.sums[0] + row.sums[1] * 3 + row.sums[2] * 5;
        mix((row.id >> 64) as u64 ^ mix(row.id as u64 ^ sums ^ u64::from(row.note)))
    };
    let (mut count, mut sum, mut batch) = (0, 0u64, Vec::new());
    for bucket in (first..edges.buckets()).step_by(step) {
        let mut rows = edges.bucket(bucket)?;
        while rows.next_batch(&mut batch)? {
            count += batch.len() as u64;
            sum = batch.iter().fold(sum, |sum, row| sum.wrapping_add(check(row)));
        }
    }
    Ok((count, sum))
}

/// Runs `work` in `threads` threads, each with its number.
fn in_threads<T: Send>(threads: usize, work: impl Fn(usize) -> Result<T> + Sync) -> Result<Vec<T>> {
    thread::scope(|scope| {
        let work = &work;
        let running: Vec<_> = (0..threads).map(|thread| scope.spawn(move || work(thread))).collect();
        running.into_iter().filter_map(|thread| thread.join().ok()).collect()
    })
}

fn print_yardstick() {
    let mut edges = Edges::new(99);
    let mut buffer: Vec<u128> = (0..1 << 21).map(|_| edges.next().0).collect();
    let ((), time) = timed(|| buffer.sort_unstable());
    println!("sort_unstable alone  {:7.2} ns an item of {}", per(time, buffer.len() as u64), buffer.len());
}

fn per(time: Duration, count: u64) -> f64 {
    time.as_nanos() as f64 / count as f64
}

fn main() -> Result<()> {
    let mut arguments = env::args().skip(1).map(|argument| argument.parse::<u64>().unwrap_or(0));
    let mut argument = |default| arguments.next().unwrap_or(default);
    let (items, threads, memory_mib) = (argument(26_000_000), argument(1) as usize, argument(1024));
    let options = Options { buckets: argument(16) as u32, ..Options::new(memory_mib << 20, threads) };
    print_yardstick();
    let sorter = Sorter::<Edge, 3>::new(options)?;
    let pushed = in_threads(threads, |thread| push(&sorter, items as usize / threads, thread as u64 + 1))?;
    println!("push, sort, encode   {:7.2} ns an item", per(pushed.iter().sum(), items));
    let start = Instant::now();
    let result = sorter.finish()?;
    println!("finish               {:7.2} s", start.elapsed().as_secs_f64());
    let start = Instant::now();
    let parts = in_threads(threads, |thread| {
        let (counts, time) = timed(|| read(&result, thread as u32, threads));
        counts.map(|(rows, check)| (rows, check, time))
    })?;
    let rows: u64 = parts.iter().map(|part| part.0).sum();
    let check = parts.iter().fold(0u64, |sum, part| sum.wrapping_add(part.1));
    let busy: Duration = parts.iter().map(|part| part.2).sum();
    println!(
        "last merge           {:7.2} ns a row, {:.2} s on the clock",
        per(busy, rows),
        start.elapsed().as_secs_f64()
    );
    let stats = result.stats();
    let spilled = stats.bytes_spilled as f64 / stats.rows_spilled.max(1) as f64;
    println!("spilled              {spilled:7.2} bytes a row");
    println!("{rows} rows, check {check:016x}, {stats:?}");
    Ok(())
}
