//! Probing a warm book: positions it has and positions it has not; and choosing a move by each policy.

use std::{collections::BTreeSet, hint::black_box, path::Path};

use book::{Book, BookEdge, BookWriter, Existing, PositionEntry};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use pipeline::{recipe::Plan, recipe::Recipe, recipe::run};
use position::{Key, PackedMove, Tally};
use query::{Artefact, CATALOGUE, Chooser, View};
use run::RunOptions;
use shakmaty::{Chess, Color, Position as _};

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

/// The book of the sample, every move kept.
fn sample_book() -> Artefact {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("policies.tabia");
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/sample.pgn");
    let recipe = format!(
        "[pipeline]\nformat = 1\n[stage.games]\nkind = 'read-games'\npaths = ['{}']\n\
         [stage.replay]\nkind = 'replay'\ninputs = ['games']\n[stage.tally]\nkind = 'sort-merge'\ninputs = ['replay']\n\
         [stage.book]\nkind = 'compact'\ninputs = ['tally']\noutput = '{}'\n",
        sample.display(),
        path.display()
    );
    let force = RunOptions { force: true, ..RunOptions::default() };
    let recipe = Recipe::parse(&recipe).unwrap_or_else(|error| panic!("{error}"));
    let plan = Plan::new(&recipe).unwrap_or_else(|error| panic!("{error}"));
    run(&plan, force).unwrap_or_else(|error| panic!("{error}"));
    Artefact::open(&path).unwrap_or_else(|error| panic!("{error}"))
}

/// The positions nearest to the start that the book has moves in.
fn positions(book: &Artefact, count: usize) -> Vec<Chess> {
    let Artefact::Book(book) = book else { return Vec::new() };
    let (mut found, mut seen) = (vec![Chess::default()], BTreeSet::new());
    let mut at = 0;
    while at < found.len() && found.len() < count {
        let position = found[at].clone();
        at += 1;
        for child in book.children(&position).unwrap_or_else(|error| panic!("{error}")) {
            if seen.insert(child.key.0) {
                let mut after = position.clone();
                after.play_unchecked(child.mv);
                found.push(after);
            }
        }
    }
    found
}

/// One iteration chooses in one position: reads its candidates and judges them.
fn choose(c: &mut Criterion) {
    let book = sample_book();
    let positions = positions(&book, 1000);
    let mut group = c.benchmark_group("choose");
    group.throughput(Throughput::Elements(1));
    for policy in CATALOGUE {
        let chooser = Chooser::new(policy.name, &[]).unwrap_or_else(|error| panic!("{error}"));
        let mut at = 0;
        group.bench_function(policy.name, |b| {
            b.iter(|| {
                at = (at + 1) % positions.len();
                chooser
                    .judge(&View::of(&book), black_box(&positions[at]))
                    .unwrap_or_else(|error| panic!("{error}"))
            });
        });
    }
    group.finish();
}

criterion_group!(benches, probe, choose);
criterion_main!(benches);
