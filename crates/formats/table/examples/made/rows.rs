//! Rows like those of a big build, the same every time, and a table written of them.

use std::path::Path;

use position::{Key, PackedMove, Step, Tally};
use table::{Counting, DEFAULT_SHARDS, Row, Table, TableWriter};

/// Numbers that look random and are the same every time (`SplitMix64`).
pub(crate) struct Numbers(pub(crate) u64);

impl Numbers {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    /// A number in 0..1.
    #[expect(clippy::cast_precision_loss, reason = "53 bits are kept")]
    fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// Ascending rows.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "gaps between keys are far below 2^52"
)]
pub(crate) fn rows(count: usize) -> Vec<Row> {
    let mut numbers = Numbers(1);
    // A fiftieth is left, so that the last keys do not pass the greatest there is.
    let mean_gap = 2_f64.powi(64) / (count as f64 / 1.3) * 0.98;
    let (mut key, mut rows) = (0_u64, Vec::with_capacity(count));
    while rows.len() < count {
        key = key.saturating_add(1 + (-numbers.unit().max(1e-12).ln() * mean_gap) as u64);
        let mut mv = 0;
        loop {
            mv += 1 + (numbers.next() % 1500) as u16;
            rows.push(row(key, mv, &mut numbers));
            if numbers.unit() > 0.23 {
                break;
            }
        }
    }
    rows
}

#[expect(clippy::cast_sign_loss, reason = "at most 10,000 games")]
fn row(key: u64, mv: u16, numbers: &mut Numbers) -> Row {
    let games = if numbers.unit() < 0.8 { 1 } else { 2 + (1.0 / numbers.unit().max(1e-4)) as u64 };
    let mut tally = Tally::default();
    for _ in 0..games {
        match numbers.next() % 10 {
            0..4 => tally.white += 1,
            4..7 => tally.draws += 1,
            _ => tally.black += 1,
        }
    }
    let step = Step(
        ((numbers.next() % 2) << 15 | (1 + numbers.next() % 6) << 12 | (numbers.next() % 4 / 3) << 9) as u16,
    );
    Row { key: Key(key), mv: PackedMove(mv), step, tally, ..Row::default() }
}

/// Writes them as a table, shard by shard, in one thread.
pub(crate) fn write(path: &Path, rows: &[Row]) -> Result<Table, table::Error> {
    let writer = TableWriter::create(path, Counting::default(), DEFAULT_SHARDS, false)?;
    let mut rest = rows;
    let mut shards = Vec::new();
    for shard in 0..DEFAULT_SHARDS {
        let (ours, others) = rest.split_at(rest.partition_point(|row| row.key <= writer.key_range(shard).1));
        rest = others;
        let mut shard_writer = writer.shard(shard)?;
        shard_writer.push_batch(ours)?;
        shards.push(shard_writer.finish()?);
    }
    writer.finish(shards, Vec::new())
}
