//! Measures writing, probing, verifying and exporting a book of synthetic positions like those of a real
//! table: most occur once.
//!
//! Prints processor time (from `/proc`), which a busy machine changes little, and wall time.
//!
//! `cargo run --release -p tabia-book --example book_throughput [positions]`

#![expect(clippy::print_stdout, reason = "the figures are its output")]
#![expect(clippy::cast_precision_loss, reason = "figures for display")]

use std::{error::Error, hint::black_box, path::Path, time::Instant};

use book::{
    Book, BookEdge, BookWriter, Existing, PositionEntry,
    polyglot::{self, ExportOptions},
};
use position::{Key, PackedMove, Tally};
use shakmaty::Color;

const PROBES: u64 = 4_000_000;

/// A small generator of pseudo-random numbers (`SplitMix64`), the same in every run.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }
}

/// Nine in ten positions have one game, as one move or as a leaf; the others have a few moves of a few games.
fn position(numbers: &mut Numbers, key: u64, entry: &mut PositionEntry) {
    entry.key = Key(key);
    entry.turn = Color::from_white(numbers.below(2) == 0);
    entry.edges.clear();
    entry.tally = Tally::default();
    let once = numbers.below(10) > 0;
    let moves = if once { numbers.below(30).min(1) } else { 1 + numbers.below(4) };
    let mut mv = 0;
    for _ in 0..moves {
        mv += 1 + numbers.below(900) as u16;
        let games = if once { 1 } else { 1 + numbers.below(12) };
        let white = numbers.below(games + 1);
        let tally = Tally { white, draws: 0, black: games - white };
        entry.tally += tally;
        entry.edges.push(BookEdge { mv: PackedMove(mv), tally });
    }
    if entry.edges.is_empty() {
        entry.tally.draws = 1;
    }
}

fn keys(count: usize) -> Vec<u64> {
    let mut numbers = Numbers(1);
    let mut keys: Vec<u64> = (0..count).map(|_| numbers.next()).collect();
    keys.sort_unstable();
    keys.dedup();
    keys
}

fn write(path: &Path, keys: &[u64]) -> Result<(), Box<dyn Error>> {
    let (mut numbers, mut entry) = (Numbers(2), PositionEntry::default());
    let mut positions = Vec::with_capacity(keys.len());
    for &key in keys {
        position(&mut numbers, key, &mut entry);
        positions.push(entry.clone());
    }
    let clock = Clock::start();
    let mut writer = BookWriter::create(path, &serde_json::json!({}), keys.len() as u64, Existing::Replace)?;
    for entry in &positions {
        writer.push(entry)?;
    }
    let stats = writer.finish()?;
    clock.report("write, fsync included", stats.positions, "positions");
    let edges = stats.edges as f64;
    println!("  {} positions, {} edges, {} leaves", stats.positions, stats.edges, stats.leaves);
    println!(
        "  {:.2} bytes an edge, {:.2} a position",
        stats.bytes as f64 / edges,
        stats.bytes as f64 / stats.positions as f64
    );
    println!("  entries {} bytes, index {}", stats.entries_bytes, stats.index_bytes);
    Ok(())
}

fn probe(book: &Book, what: &str, key: impl Fn(u64) -> u64) -> Result<(), Box<dyn Error>> {
    let mut numbers = Numbers(3);
    let keys: Vec<Key> = (0..PROBES).map(|_| Key(key(numbers.next()))).collect();
    let mut entry = PositionEntry::default();
    let clock = Clock::start();
    let mut found = 0;
    for &key in &keys {
        found += u64::from(book.probe_into(key, &mut entry)?);
        black_box(&entry);
    }
    clock.report(what, PROBES, "probes");
    println!("  {found} found");
    Ok(())
}

/// Wall and processor time since a start.
struct Clock {
    wall: Instant,
    processor_ns: u64,
}

/// Nanoseconds that all threads have run, in steps of ten million (`utime` and `stime` of proc(5), in
/// hundredths of a second); 0 if there is no such file.
fn processor_ns() -> u64 {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = text.rsplit(')').next().unwrap_or_default().split_whitespace();
    fields.skip(11).take(2).filter_map(|ticks| ticks.parse::<u64>().ok()).sum::<u64>() * 10_000_000
}

impl Clock {
    fn start() -> Self {
        Self { wall: Instant::now(), processor_ns: processor_ns() }
    }

    fn report(&self, what: &str, count: u64, unit: &str) {
        let (seconds, busy_ns) = (self.wall.elapsed().as_secs_f64(), processor_ns() - self.processor_ns);
        let each_ns = busy_ns as f64 / count as f64;
        println!(
            "{what}: {each_ns:.1} ns each, {:.2} million {unit}/s; {seconds:.3} s by the wall",
            1e3 / each_ns
        );
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let count = std::env::args().nth(1).map_or(Ok(5_000_000), |count| count.parse())?;
    let directory = tempfile::tempdir()?;
    let path = directory.path().join("throughput.tabia");
    let keys = keys(count);
    write(&path, &keys)?;
    let book = Book::open(&path)?;
    let clock = Clock::start();
    let stats = book.verify()?;
    clock.report("verify", stats.positions, "positions");
    let clock = Clock::start();
    let (mut positions, mut entry) = (book.positions(), PositionEntry::default());
    while positions.next_into(&mut entry)? {
        black_box(&entry);
    }
    clock.report("walk", stats.positions, "positions");
    probe(&book, "probe, hits", |number| keys[number as usize % keys.len()])?;
    probe(&book, "probe, misses", |number| number)?;
    let clock = Clock::start();
    let exported = polyglot::write(
        &book,
        &directory.path().join("throughput.bin"),
        ExportOptions::default(),
        Existing::Replace,
    )?;
    clock.report("export to Polyglot, fsync included", exported.entries, "entries");
    Ok(())
}
