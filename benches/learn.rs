//! Crafty's records replayed over a book: records a second, which should not fall as records grow.
//!
//! Records are made from games: the first moves of each, a name of its own, and numbers from a fixed
//! generator. By default games and book are the sample's. With `TABIA_LEARN_GAMES=games.pgn` (plain or zst)
//! they are those of that file: then a million records (or `TABIA_LEARN_RECORDS`) are learned once by the
//! binary, in 2 threads and 256 MiB, and then in 1 GiB, and its summary is printed.

use std::{
    env,
    fmt::Write as _,
    fs::File,
    io::{self, BufRead, BufReader, BufWriter, Write},
    ops::ControlFlow,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use pgn_reader::{Reader, SanPlus, Visitor};
use serde_json::Value;

const SAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/data/sample.pgn");

/// Versions whose records need no own side, one for each way to back up.
const VERSIONS: [&str; 5] = ["15.17", "16.19", "18.15", "20.14", "12.6"];

/// The plies of a record.
const PLIES: std::ops::Range<usize> = 10..40;

/// A fixed sequence of numbers (Knuth's MMIX generator, its upper half).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end
    }
}

/// Collects the moves of each game.
struct Moves;

impl Visitor for Moves {
    type Tags = ();
    type Movetext = Vec<String>;
    type Output = Vec<String>;

    fn begin_tags(&mut self) -> ControlFlow<Self::Output, Self::Tags> {
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, (): Self::Tags) -> ControlFlow<Self::Output, Self::Movetext> {
        ControlFlow::Continue(Vec::with_capacity(PLIES.end))
    }

    fn san(&mut self, moves: &mut Self::Movetext, san: SanPlus) -> ControlFlow<Self::Output> {
        if moves.len() < PLIES.end {
            moves.push(san.to_string());
        }
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, moves: Self::Movetext) -> Self::Output {
        moves
    }
}

fn open(path: &Path) -> io::Result<Box<dyn BufRead>> {
    let file = File::open(path)?;
    Ok(if path.extension().is_some_and(|extension| extension == "zst") {
        Box::new(BufReader::new(zstd::Decoder::new(file)?))
    } else {
        Box::new(BufReader::new(file))
    })
}

/// Writes `count` records drawn from the games of `pgn`, which are used again where they are too few.
fn write_records(pgn: &Path, count: usize, records: &Path) -> io::Result<()> {
    let (mut out, mut numbers, mut made) = (BufWriter::new(File::create(records)?), Numbers(1), 0);
    while made < count {
        for moves in Reader::new(open(pgn)?).read_games(&mut Moves) {
            let moves = moves?;
            if moves.len() <= PLIES.start {
                continue;
            }
            let plies = PLIES.start + numbers.below(moves.len() - PLIES.start);
            out.write_all(record(&moves[..plies], made, &mut numbers).as_bytes())?;
            made += 1;
            if made == count {
                break;
            }
        }
    }
    out.flush()
}

fn record(moves: &[String], number: usize, numbers: &mut Numbers) -> String {
    let crafty = format!("Crafty {}", VERSIONS[numbers.below(VERSIONS.len())]);
    let mut players = [crafty, format!("opponent {number}")];
    if numbers.below(2) == 1 {
        players.swap(0, 1);
    }
    let [white, black] = players;
    let (month, day) = (1 + numbers.below(12), 1 + numbers.below(28));
    let mut text = format!("[White \"{white}\"]\n[Black \"{black}\"]\n[Date \"1998.{month:02}.{day:02}\"]\n");
    let mut start = text.len();
    for san in moves {
        text.push(' ');
        text.push_str(san);
        if text.len() - start > 60 {
            text.push('\n');
            start = text.len();
        }
    }
    let value = numbers.below(601).cast_signed() - 300;
    let written = writeln!(text, " {{{value} {} 0}}", 5 + numbers.below(10));
    assert!(written.is_ok(), "a string takes any text");
    text
}

/// Runs the binary; its summary.
fn tabia(arguments: &[&str], files: &[&Path]) -> Value {
    let output = Command::new(env!("CARGO_BIN_EXE_tabia"))
        .args(arguments)
        .args(files)
        .args(["--json", "--force", "--quiet"])
        .stderr(Stdio::inherit())
        .output();
    let output = output.unwrap_or_else(|error| panic!("{error}"));
    assert!(output.status.success(), "{arguments:?}");
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}"))
}

/// A table of the games, and where other files may be.
fn table(pgn: &Path, name: &str) -> (PathBuf, PathBuf) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("learn");
    std::fs::create_dir_all(&folder).unwrap_or_else(|error| panic!("{error}"));
    let table = folder.join(name);
    tabia(&["count"], &[pgn, Path::new("-o"), &table]);
    (folder, table)
}

fn learn(records: &Path, table: &Path, output: &Path, options: &[&str]) -> Value {
    let arguments = [&["learn", "crafty"], options].concat();
    tabia(&arguments, &[records, Path::new("--table"), table, Path::new("-o"), output])
}

fn make(pgn: &Path, count: usize, folder: &Path) -> PathBuf {
    let records = folder.join(format!("{count}.lrn"));
    write_records(pgn, count, &records).unwrap_or_else(|error| panic!("{error}"));
    records
}

fn flat(c: &mut Criterion) {
    let (folder, table) = table(Path::new(SAMPLE), "sample.table");
    let output = folder.join("x.experience.parquet");
    let mut group = c.benchmark_group("learn crafty");
    group.sample_size(10);
    for count in [10_000, 100_000] {
        let records = make(Path::new(SAMPLE), count, &folder);
        group.throughput(Throughput::Elements(count as u64));
        group.bench_with_input(BenchmarkId::from_parameter(count), &records, |b, records| {
            b.iter(|| learn(records, &table, &output, &[]));
        });
    }
    group.finish();
}

/// The bulk case, once for each limit of memory.
fn bulk(games: &Path) {
    let (folder, table) = table(games, "bulk.table");
    let count = env::var("TABIA_LEARN_RECORDS").ok().and_then(|text| text.parse().ok()).unwrap_or(1_000_000);
    let records = make(games, count, &folder);
    for memory in ["256MiB", "1GiB"] {
        let summary = learn(
            &records,
            &table,
            &folder.join("x.experience.parquet"),
            &["--threads", "2", "--memory", memory],
        );
        let line = format!(
            "bulk, {memory}: {} records, {} s, {} bytes at the peak, {} rows\n",
            summary["learning"]["records"],
            summary["seconds"]["learn"],
            summary["peak_rss_bytes"],
            summary["experience_rows"]
        );
        io::stderr().write_all(line.as_bytes()).unwrap_or_else(|error| panic!("{error}"));
    }
}

fn learning(c: &mut Criterion) {
    match env::var_os("TABIA_LEARN_GAMES") {
        Some(games) => bulk(Path::new(&games)),
        None => flat(c),
    }
}

criterion_group!(benches, learning);
criterion_main!(benches);
