//! Probing a warm book: positions it has and positions it has not.

use std::{hint::black_box, path::Path};

use book::{Book, BookEdge, BookWriter, Existing, PositionEntry};
use criterion::{Criterion, criterion_group, criterion_main};
use position::{Key, PackedMove, Tally};
use shakmaty::Color;

const POSITIONS: u64 = 1_000_000;
/// Odd, so that multiplying by it visits every 64-bit number once.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

fn made(path: &Path) -> book::Result<Book> {
    let mut keys: Vec<u64> = (1..=POSITIONS).map(|number| number.wrapping_mul(SPREAD)).collect();
    keys.sort_unstable();
    let mut writer = BookWriter::create(path, &serde_json::json!({}), POSITIONS, Existing::Replace)?;
    for key in keys {
        let tally = Tally { white: key % 7 + 1, draws: key % 3, black: key % 5 };
        let edges = vec![BookEdge { mv: PackedMove((key % 4000) as u16 + 1), tally }];
        writer.push(&PositionEntry { key: Key(key), turn: Color::White, tally, edges })?;
    }
    writer.finish()?;
    Book::open(path)
}

fn probe(c: &mut Criterion) {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("probe.tabia");
    let book = made(&path).unwrap_or_else(|error| panic!("{error}"));
    let mut entry = PositionEntry::default();
    let mut group = c.benchmark_group("probe");
    for (name, offset) in [("hit", 0), ("miss", 1)] {
        let mut number = 0;
        group.bench_function(name, |b| {
            b.iter(|| {
                number = number % POSITIONS + 1;
                let key = Key(number.wrapping_mul(SPREAD).wrapping_add(offset));
                book.probe_into(black_box(key), &mut entry).unwrap_or_else(|error| panic!("{error}"))
            });
        });
    }
    group.finish();
}

criterion_group!(benches, probe);
criterion_main!(benches);
