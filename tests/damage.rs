//! What every command makes of a damaged file: what it makes of the sound one, or an error, never something
//! else. Each byte of a small book, table and experience file is changed in turn.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    sync::atomic::AtomicBool,
    thread,
    time::{Duration, Instant},
};

use experience::ShowOptions;
use pipeline::{
    recipe::Plan, recipe::Recipe, recipe::builtin, recipe::run, stages::Compact, stages::ExportParquet,
    stages::ExportPolyglot, stages::Report,
};
use position::{Key, PackedMove, Tally};
use query::{Artefact, Chooser};
use run::{Limits, RunOptions};
use serde_json::{Value, json};
use shakmaty::Chess;
use table::{CountedInput, Counting, JoinOptions, Row, Table, TableWriter};

use crate::workbench::{Workbench, sample};

/// Changes of one file at most; a larger one is changed at bytes that are evenly spread.
const CHANGES_MAX: usize = 4000;

/// A command: what it prints or writes, or its error.
type Command<'a> = (&'static str, Box<dyn Fn() -> Result<Vec<u8>, String> + 'a>);

/// Answers to damaged files, by command: equal to the sound file's, and refused.
type Counts = BTreeMap<&'static str, [usize; 2]>;

/// A folder with a book, its table and an experience file: `book.tabia`, `games.table`, `x.parquet`.
fn artefacts() -> Workbench {
    let bench = Workbench::new();
    let games = fs::read_to_string(sample()).unwrap();
    let few: String = games.split_inclusive("\n\n").take(2 * 12).collect();
    bench.write("few.pgn", few);
    for (line, value, output) in
        [("e4", "75", "a.parquet"), ("d4", "??", "b.parquet"), ("c4", "!?", "c.parquet")]
    {
        bench.ok(&format!("learn set --line {line} --value {value} -o {output}"));
    }
    bench.ok("experience merge a.parquet b.parquet c.parquet -o x.parquet");
    bench.ok("count few.pgn --max-ply 24 --shards 2 -o games.table");
    bench.ok("compact games.table --experience x.parquet -o book.tabia");
    bench
}

/// Runs a recipe and returns what it wrote.
fn written(recipe: &Recipe, output: &Path) -> Result<Vec<u8>, String> {
    let plan = Plan::new(recipe).map_err(|error| error.to_string())?;
    let done = run(&plan, RunOptions { force: true, ..RunOptions::default() });
    let bytes = if output.is_dir() { folder_bytes(output) } else { fs::read(output).unwrap_or_default() };
    let _ = if output.is_dir() { fs::remove_dir_all(output) } else { fs::remove_file(output) };
    assert_eq!(done.is_ok(), !bytes.is_empty(), "a failed command leaves no output: {done:?}");
    done.map(|_| bytes).map_err(|error| error.to_string())
}

/// The files of a folder, one after another.
fn folder_bytes(folder: &Path) -> Vec<u8> {
    let mut paths: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let bytes = |path: PathBuf| if path.is_dir() { folder_bytes(&path) } else { fs::read(path).unwrap() };
    paths.into_iter().flat_map(bytes).collect()
}

fn limits() -> Limits {
    Limits { threads: Some(1), memory_mib: Some(64), ..Limits::default() }
}

fn text(answer: query::Result<Value>) -> Result<Vec<u8>, String> {
    answer.map(|answer| answer.to_string().into_bytes()).map_err(|error| error.to_string())
}

/// The questions that `probe`, `pick` and `info` ask.
fn questions(path: &Path) -> Vec<Command<'_>> {
    let open = move || Artefact::open(path);
    let start = Chess::default;
    let probe = move || Ok(json!(query::probe(&open()?, &start())?));
    let pick = move || {
        let chooser = Chooser::new("terra", &[])?;
        Ok(json!(query::pick(&open()?, &start(), &chooser, 7)?))
    };
    let info = move || Ok(json!(query::info(&open()?)?));
    vec![
        ("probe", Box::new(move || text(probe()))),
        ("pick", Box::new(move || text(pick()))),
        ("info", Box::new(move || text(info()))),
    ]
}

/// Changes bytes of `file` one after another and compares what each command answers.
fn change_bytes(file: &Path, commands: &[Command<'_>]) -> Counts {
    let whole = fs::read(file).unwrap();
    let answers = || commands.iter().map(|(_, command)| command()).collect::<Vec<_>>();
    let sound = answers();
    assert!(sound.iter().all(Result::is_ok), "{sound:?}");
    let mut counts = Counts::new();
    for at in (0..whole.len()).step_by(whole.len().div_ceil(CHANGES_MAX)) {
        let mut damaged = whole.clone();
        damaged[at] ^= 1 << (at % 8);
        fs::write(file, &damaged).unwrap();
        for (((name, _), sound), answer) in commands.iter().zip(&sound).zip(answers()) {
            assert!(answer.is_err() || answer == *sound, "{name}: byte {at} of {}", file.display());
            counts.entry(name).or_default()[usize::from(answer.is_err())] += 1;
        }
    }
    fs::write(file, &whole).unwrap();
    assert!(answers() == sound);
    eprintln!("{}: equal and refused {counts:?}", file.display());
    counts
}

fn assert_refused(counts: &Counts, names: &[&str]) {
    for name in names {
        assert_eq!(counts[name][0], 0, "{name} did not notice damage: {counts:?}");
    }
}

#[test]
fn a_changed_byte_of_a_book_changes_no_answer() {
    let bench = artefacts();
    let [book, bin, page] = ["book.tabia", "out.bin", "out.html"].map(|name| bench.path(name));
    let polyglot = builtin::export_polyglot(
        book.clone(),
        ExportPolyglot { output: bin.clone(), ..ExportPolyglot::default() },
        limits(),
    );
    let report = builtin::report(
        book.clone(),
        &[],
        Report { output: page.clone(), plies: 4, ..Report::default() },
        limits(),
    );
    let mut commands = questions(&book);
    commands.push(("export polyglot", Box::new(|| written(&polyglot, &bin))));
    commands.push(("report", Box::new(|| written(&report, &page))));
    let why = || Ok(json!(query::why(&Artefact::open(&book)?, &Chess::default(), "e4")?));
    commands.push(("why", Box::new(move || text(why()))));
    // The book has one block, so every command notices.
    let counts = change_bytes(&book, &commands);
    assert_refused(&counts, &["probe", "pick", "why", "info", "export polyglot", "report"]);
}

#[test]
fn a_changed_byte_of_a_table_changes_no_answer() {
    let bench = artefacts();
    let path = bench.path("games.table");
    let [book, page, folder, merged] =
        ["out.tabia", "out.html", "out", "merged.table"].map(|name| bench.path(name));
    let compact = builtin::compact(
        path.clone(),
        &[],
        Compact { output: Some(book.clone()), ..Compact::default() },
        limits(),
    );
    let report = builtin::report(
        path.clone(),
        &[],
        Report { output: page.clone(), plies: 4, ..Report::default() },
        limits(),
    );
    let parquet = builtin::export_parquet(
        path.clone(),
        &[],
        ExportParquet { output: folder.clone(), ..ExportParquet::default() },
        limits(),
    );
    let merge = || {
        let table = Table::open(&path).map_err(|error| error.to_string())?;
        let options = JoinOptions { shards: Some(4), ..JoinOptions::default() };
        let joined = table::merge(&[&table], &merged, &options).map_err(|error| error.to_string());
        assert_eq!(joined.is_ok(), merged.exists());
        let bytes = joined.map(|_| folder_bytes(&merged));
        let _ = fs::remove_dir_all(&merged);
        bytes
    };
    let mut commands = questions(&path);
    commands.push(("merge", Box::new(merge)));
    commands.push(("compact", Box::new(|| written(&compact, &book))));
    commands.push(("report", Box::new(|| written(&report, &page))));
    commands.push(("export parquet", Box::new(|| written(&parquet, &folder))));
    for name in ["_manifest.json", "part-00000.parquet", "part-00001.parquet"] {
        let counts = change_bytes(&path.join(name), &commands);
        assert_refused(&counts, &["merge", "compact", "report", "export parquet"]);
    }
}

#[test]
fn a_changed_byte_of_an_experience_file_changes_no_answer() {
    let bench = artefacts();
    let [path, table, book, merged] =
        ["x.parquet", "games.table", "out.tabia", "merged.parquet"].map(|name| bench.path(name));
    let compact = builtin::compact(
        table,
        std::slice::from_ref(&path),
        Compact { output: Some(book.clone()), ..Compact::default() },
        limits(),
    );
    let show = || match experience::show(&path, &ShowOptions::default()) {
        Ok(shown) => Ok(format!("{shown:?}").into_bytes()),
        Err(error) => Err(error.to_string()),
    };
    let merge = || {
        let job = experience::Job { existing: output::Existing::Replace, stop: &AtomicBool::new(false) };
        let done = experience::merge(std::slice::from_ref(&path), &merged, job);
        assert_eq!(done.is_ok(), merged.exists());
        let bytes = done.map(|_| fs::read(&merged).unwrap()).map_err(|error| error.to_string());
        let _ = fs::remove_file(&merged);
        bytes
    };
    let verify = || Ok(json!(query::verify(&Artefact::open(&path)?, 1, &AtomicBool::new(false))?));
    let mut commands: Vec<Command<'_>> =
        vec![("show", Box::new(show)), ("merge", Box::new(merge)), ("verify", Box::new(|| text(verify())))];
    commands.push(("compact", Box::new(|| written(&compact, &book))));
    let counts = change_bytes(&path, &commands);
    assert_refused(&counts, &["show", "merge", "verify", "compact"]);
}

/// A table of 16 shards: the second one takes long to read, all others have one row.
fn lopsided_table(path: &Path) {
    let writer = TableWriter::create(path, Counting::default(), 16, false).unwrap();
    let shard = |shard: u32| {
        let (first, mut rows) = (writer.key_range(shard).0.0, writer.shard(shard).unwrap());
        for number in 0..if shard == 1 { 2_000_000 } else { 1 } {
            let tally = Tally { white: 1, draws: 0, black: 0 };
            let key = Key(first + number * 0x1_0000_0001);
            rows.push(&Row { key, mv: PackedMove(796), tally, ..Row::default() }).unwrap();
        }
        rows.finish().unwrap()
    };
    let shards = (0..16).map(shard).collect();
    let source = CountedInput { name: "a.pgn".into(), accepted: 1, games: 1, ..CountedInput::default() };
    writer.finish(shards, vec![source]).unwrap();
}

/// While the damaged part is read, the other thread does all other shards, as far as it may be ahead: it
/// waits when the error comes.
#[test]
fn a_damaged_part_ends_a_compaction_though_others_wait() {
    let bench = Workbench::new();
    lopsided_table(&bench.path("t.table"));
    bench.ok("compact t.table -o whole.tabia -q -j 2");
    let part = bench.path("t.table/part-00001.parquet");
    let mut bytes = fs::read(&part).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&part, bytes).unwrap();
    for _ in 0..5 {
        let mut child = bench.start_tabia("compact t.table -o o.tabia -q -j 2");
        let begun = Instant::now();
        while child.try_wait().unwrap().is_none() {
            if begun.elapsed() > Duration::from_mins(1) {
                child.kill().unwrap();
                panic!("it runs on for ever");
            }
            thread::sleep(Duration::from_millis(2));
        }
        let output = child.wait_with_output().unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(1) && error.contains("part-00001.parquet"), "{error}");
        assert!(!bench.path("o.tabia").exists());
    }
}
