//! Whole pipelines on the sample: counting, building, compacting and exporting. Throughput in games a second.

use std::path::{Path, PathBuf};

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use games::ReadGames;
use pipeline::{
    recipe::Plan, recipe::Recipe, recipe::builtin, recipe::builtin::BuildOutputs, recipe::builtin::Games,
    recipe::run, stages::Compact, stages::ExportPolyglot, stages::SortMerge,
};
use run::{Limits, RunOptions, Summary};

const SAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/data/sample.pgn");

fn games() -> Games {
    Games { read: ReadGames { paths: vec![SAMPLE.into()], ..ReadGames::default() }, ..Games::default() }
}

fn made(recipe: &Recipe) -> Summary {
    let options = RunOptions { force: true, ..RunOptions::default() };
    let plan = Plan::new(recipe).unwrap_or_else(|error| panic!("{error}"));
    run(&plan, options).unwrap_or_else(|error| panic!("{error}"))
}

fn commands(c: &mut Criterion) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (table, output): (PathBuf, PathBuf) = (folder.join("sample.table"), folder.join("sample.tabia"));
    let tally = SortMerge { output: Some(table.clone()), ..SortMerge::default() };
    let book = Compact { output: Some(output.clone()), ..Compact::default() };
    let limits = Limits::default;
    let count = builtin::count(games(), tally, limits());
    let all = builtin::build(games(), SortMerge::default(), book.clone(), BuildOutputs::default(), limits());
    let compact = builtin::compact(table, &[], book, limits());
    let polyglot = ExportPolyglot { output: folder.join("sample.bin"), ..ExportPolyglot::default() };
    let export = builtin::export_polyglot(output, polyglot, limits());

    let mut group = c.benchmark_group("build");
    group.sample_size(10);
    group.throughput(Throughput::Elements(made(&count).games));
    for (name, recipe) in
        [("count", count), ("build", all), ("compact", compact), ("export polyglot", export)]
    {
        group.bench_function(name, |b| b.iter(|| made(&recipe)));
    }
    group.finish();
}

criterion_group!(benches, commands);
criterion_main!(benches);
