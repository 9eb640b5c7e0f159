//! How fast real files are cut. `PGN=a.pgn:a.pgn.zst cargo test --release -p tabia-pgn --test input --
//! --ignored --nocapture speed` prints one line a file, thread count and chunk size.

use std::{env, fs, thread, time::Instant};

use pgn::input::{ChunkOptions, Chunks, Input};

#[test]
#[ignore = "a measurement: name files in PGN, separated by colons"]
fn speed() {
    let files = env::var("PGN").expect("PGN names no files");
    for path in files.split(':') {
        for threads in [1, 2] {
            for chunk_kib in [256, 512, 1024, 4096] {
                measure(
                    path,
                    &ChunkOptions { threads, chunk_bytes: chunk_kib << 10, ..ChunkOptions::default() },
                );
            }
        }
    }
}

/// Prints the best of five readings: chunks alone, and with their games cut. On a busy machine only the time
/// on the processor means anything; it grows with what else the threads do.
fn measure(path: &str, options: &ChunkOptions) {
    let bytes = f64::from(u32::try_from(read_all(path, options, false) >> 10).unwrap()) * 1024.0;
    let speed = |cut| {
        let (wall, cpu) = (0..5).map(|_| seconds(path, options, cut)).fold((f64::MAX, f64::MAX), least);
        format!("{:.2} GB/s, {:.2} GB a CPU second", bytes / wall / 1e9, bytes / cpu / 1e9)
    };
    let (threads, chunk_kib) = (options.threads, options.chunk_bytes >> 10);
    eprintln!("{path} {threads} threads {chunk_kib:>5} KiB: chunks {}; games {}", speed(false), speed(true));
}

fn least(a: (f64, f64), b: (f64, f64)) -> (f64, f64) {
    (a.0.min(b.0), a.1.min(b.1))
}

/// Wall and processor time of a reading.
fn seconds(path: &str, options: &ChunkOptions, cut: bool) -> (f64, f64) {
    let (start, cpu) = (Instant::now(), cpu_seconds());
    assert!(read_all(path, options, cut) > 0);
    (start.elapsed().as_secs_f64(), cpu_seconds() - cpu)
}

/// Time all threads spent on processors, in steps of 10 ms (proc(5), fields 14 and 15, in ticks of 1/100 s).
fn cpu_seconds() -> f64 {
    let stat = fs::read_to_string("/proc/self/stat").unwrap();
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap().split_whitespace().collect();
    fields[11..13].iter().map(|ticks| ticks.parse::<f64>().unwrap()).sum::<f64>() / 100.0
}

/// Bytes of text.
fn read_all(path: &str, options: &ChunkOptions, cut: bool) -> u64 {
    let chunks = Chunks::open(vec![Input::file(path)], options.clone()).unwrap();
    thread::scope(|scope| {
        for worker in 0..options.threads {
            let chunks = &chunks;
            scope.spawn(move || drain(chunks, worker, cut));
        }
    });
    chunks.finish().list[0].text_bytes()
}

fn drain(chunks: &Chunks, worker: usize, cut: bool) {
    let mut buffer = Vec::new();
    while let Some(chunk) = chunks.next(worker, buffer).unwrap() {
        if cut {
            assert!(chunk.games().count() > 0);
        }
        buffer = chunk.text;
    }
}
