//! How fast files are cut into chunks and games.
//!
//! ```sh
//! cargo run --release -p tabia-pgn --example cut_throughput -- FILE…
//! ```
//!
//! Prints a line for each file, number of threads and size of a chunk: the best of five readings, chunks
//! alone and with their games cut. On a busy machine only the time on the processor means anything; it grows
//! with what else the threads do.

use std::{
    env,
    error::Error,
    fs,
    io::{self, Write as _},
    thread::{self, ScopedJoinHandle},
    time::Instant,
};

use pgn::input::{ChunkOptions, Chunks, Input};

/// Bytes of text that were read, and the seconds it took: on the clock and on processors.
#[derive(Clone, Copy)]
struct Reading {
    bytes: u64,
    clock: f64,
    processors: f64,
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut out = io::stdout().lock();
    for path in env::args().skip(1) {
        for threads in [1, 2] {
            for chunk_kib in [256, 512, 1024, 4096] {
                let options =
                    ChunkOptions { threads, chunk_bytes: chunk_kib << 10, ..ChunkOptions::default() };
                let [chunks, games] = [speed(&path, &options, false)?, speed(&path, &options, true)?];
                writeln!(out, "{path} {threads} threads {chunk_kib:>5} KiB: chunks {chunks}; games {games}")?;
            }
        }
    }
    Ok(())
}

/// The best of five readings.
#[expect(clippy::cast_precision_loss, reason = "bytes are far below 2^52")]
fn speed(path: &str, options: &ChunkOptions, cut: bool) -> Result<String, Box<dyn Error>> {
    let mut best = read(path, options, cut)?;
    for _ in 1..5 {
        let next = read(path, options, cut)?;
        best.clock = best.clock.min(next.clock);
        best.processors = best.processors.min(next.processors);
    }
    let billions = best.bytes as f64 / 1e9;
    let (clock, processors) = (billions / best.clock, billions / best.processors);
    Ok(format!("{clock:.2} GB/s, {processors:.2} GB a CPU second"))
}

fn read(path: &str, options: &ChunkOptions, cut: bool) -> Result<Reading, Box<dyn Error>> {
    let (start, before) = (Instant::now(), processor_seconds()?);
    let chunks = Chunks::open(vec![Input::file(path)], options.clone())?;
    thread::scope(|scope| {
        let chunks = &chunks;
        let start = |worker| scope.spawn(move || drain(chunks, worker, cut));
        let workers: Vec<_> = (0..options.threads).map(start).collect();
        let join = |worker: ScopedJoinHandle<'_, _>| {
            worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        workers.into_iter().try_for_each(join)
    })?;
    let bytes = chunks.finish().list.iter().map(pgn::input::ReadInput::text_bytes).sum();
    let clock = start.elapsed().as_secs_f64();
    Ok(Reading { bytes, clock, processors: processor_seconds()? - before })
}

fn drain(chunks: &Chunks, worker: usize, cut: bool) -> Result<(), pgn::Error> {
    let mut buffer = Vec::new();
    while let Some(chunk) = chunks.next(worker, buffer)? {
        if cut {
            assert!(chunk.games().count() > 0, "a chunk holds a game");
        }
        buffer = chunk.text;
    }
    Ok(())
}

/// Time all threads spent on processors, in steps of 10 ms (proc(5), fields 14 and 15, in ticks of 1/100 s).
fn processor_seconds() -> Result<f64, Box<dyn Error>> {
    let stat = fs::read_to_string("/proc/self/stat")?;
    let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
    let ticks: Result<Vec<f64>, _> = fields.skip(11).take(2).map(str::parse).collect();
    Ok(ticks?.iter().sum::<f64>() / 100.0)
}
