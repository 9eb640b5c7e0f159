//! How fast a table is written and read, and how big it is.
//!
//! `cargo run --release -p tabia-table --example table_throughput [ROWS]` writes and reads rows like those of
//! a big build: uniform ascending keys, 1.3 moves per key, four rows in five seen in one game. One thread, 16
//! shards, files in the temporary directory.

use std::{error::Error, io::Write, sync::atomic::AtomicBool, time::Instant};

use made::{Numbers, rows, write};
use table::DEFAULT_SHARDS;

#[path = "made/rows.rs"]
mod made;

#[expect(clippy::cast_precision_loss, reason = "bytes and rows are far below 2^52")]
fn main() -> Result<(), Box<dyn Error>> {
    let count = std::env::args().nth(1).map_or(Ok(10_000_000), |count| count.parse())?;
    let rows = rows(count);
    let dir = tempfile::tempdir()?;
    let path = dir.path().join("throughput.table");
    let mut out = std::io::stdout().lock();

    let start = Instant::now();
    let table = write(&path, &rows)?;
    let bytes: u64 = table.shards().iter().map(|shard| shard.bytes).sum();
    report(&mut out, "written", rows.len(), start)?;
    writeln!(out, "{:.2} bytes a row", bytes as f64 / rows.len() as f64)?;

    let start = Instant::now();
    let (mut batch, mut read) = (Vec::new(), 0);
    for shard in 0..DEFAULT_SHARDS {
        let mut shard_rows = table.shard_rows(shard)?;
        while shard_rows.next_batch(&mut batch)? {
            read += batch.len();
        }
    }
    report(&mut out, "read", read, start)?;

    let start = Instant::now();
    table.verify(1, &AtomicBool::new(false), &|_| ())?;
    report(&mut out, "verified", read, start)?;

    let start = Instant::now();
    let mut numbers = Numbers(2);
    for _ in 0..1000 {
        let wanted = rows[numbers.next() as usize % rows.len()].key;
        assert!(!table.rows_of(wanted)?.is_empty());
    }
    writeln!(out, "{:.0} µs a look-up by key", start.elapsed().as_secs_f64() * 1e3)?;
    Ok(())
}

#[expect(clippy::cast_precision_loss, reason = "rows are far below 2^52")]
fn report(out: &mut impl Write, what: &str, rows: usize, start: Instant) -> std::io::Result<()> {
    let seconds = start.elapsed().as_secs_f64();
    let millions = rows as f64 / 1e6;
    writeln!(
        out,
        "{what}: {:.1} million rows/s, {:.1} ns a row",
        millions / seconds,
        seconds * 1e3 / millions
    )
}
