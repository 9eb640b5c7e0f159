//! Whole pipelines on the sample: counting, building, compacting and exporting. Throughput in games a second.

use std::path::{Path, PathBuf};

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use pipeline::{
    Limits, Plan, Recipe, Report, RunOptions,
    builtin::{self, Beside, Counting},
    stages::{
        CompactSettings, KeepsSettings, PolyglotSettings, ReadGamesSettings, ReplaySettings,
        SortMergeSettings,
    },
};

const SAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/data/sample.pgn");

fn counting(table: Option<PathBuf>) -> Counting {
    Counting {
        games: ReadGamesSettings { paths: vec![SAMPLE.into()], ..ReadGamesSettings::default() },
        replay: ReplaySettings::default(),
        tally: SortMergeSettings { output: table, shards: 16, fan_in: None },
    }
}

fn book(output: PathBuf) -> CompactSettings {
    CompactSettings { output, keeps: KeepsSettings::default() }
}

fn run(recipe: pipeline::Result<Recipe>) -> Report {
    let made = recipe
        .and_then(|recipe| Plan::new(&recipe))
        .and_then(|plan| pipeline::run(&plan, RunOptions { force: true, ..RunOptions::default() }));
    made.unwrap_or_else(|error| panic!("{error}"))
}

fn build(c: &mut Criterion) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (table, books) = (folder.join("sample.table"), folder.join("sample.tabia"));
    let games = run(builtin::count(&counting(Some(table.clone())), Limits::default())).games;
    let mut group = c.benchmark_group("build");
    group.sample_size(10);
    group.throughput(Throughput::Elements(games));
    group.bench_function("count", |b| {
        b.iter(|| run(builtin::count(&counting(Some(table.clone())), Limits::default())));
    });
    group.bench_function("build", |b| {
        b.iter(|| {
            run(builtin::build(&counting(None), &book(books.clone()), &Beside::default(), Limits::default()))
        });
    });
    group.bench_function("compact", |b| {
        b.iter(|| run(builtin::compact(table.clone(), &[], &book(books.clone()), Limits::default())));
    });
    group.bench_function("export polyglot", |b| {
        let settings = PolyglotSettings { output: folder.join("sample.bin"), weight: "wins-draws".into() };
        b.iter(|| run(builtin::export_polyglot(books.clone(), &settings, Limits::default())));
    });
    group.finish();
}

criterion_group!(benches, build);
criterion_main!(benches);
