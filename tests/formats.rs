//! Files of every format version that was ever written, in `tests/formats`, are read by this version.

use std::{
    fs::{self, File},
    path::Path,
    time::{Duration, UNIX_EPOCH},
};

use serde_json::Value;
use xxhash_rust::xxh3::xxh3_64;

use crate::workbench::{Workbench, results, root};

/// A folder with a copy of all the files.
fn bench() -> Workbench {
    let bench = Workbench::new();
    copy(&root().join("tests/formats"), &bench.path("."));
    bench
}

fn copy(from: &Path, to: &Path) {
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let (path, copied) = (entry.path(), to.join(entry.file_name()));
        if path.is_dir() {
            fs::create_dir(&copied).unwrap();
            copy(&path, &copied);
        } else {
            fs::copy(path, copied).unwrap();
        }
    }
}

/// The results of 1.e4, which White played in all eight games.
fn results_of_e4(bench: &Workbench, artefact: &str) -> [u64; 3] {
    results(&bench.probe(artefact, "e4")["tally"])
}

#[test]
fn tables_of_every_version_are_read_and_know_their_games() {
    let bench = bench();
    for version in 1..=4 {
        let table = format!("table-{version}.table");
        bench.ok(&format!("verify {table}"));
        assert_eq!(results_of_e4(&bench, &table), [5, 1, 2], "{table}");
        bench.ok(&format!("compact {table} -o {version}.tabia --min-games 1"));
        assert_eq!(results_of_e4(&bench, &format!("{version}.tabia")), [5, 1, 2], "{table}");
    }
    let error = bench.fails("merge table-1.table table-2.table -o both.table", 1);
    assert!(error.contains("games.pgn"), "both counted one file: {error}");
    bench.ok("merge table-1.table table-2.table -o both.table --force");
    assert_eq!(results_of_e4(&bench, "both.table"), [10, 2, 4]);
    let shown = bench.ok("probe table-3.table --line e4 --games 8 --json");
    let shown: Value = serde_json::from_str(&shown).unwrap();
    assert_eq!(shown["games"]["top"].as_array().map(Vec::len), Some(7), "{shown}");
}

#[test]
fn experience_of_every_version_is_read_and_written_anew() {
    let bench = bench();
    let of = |version: u32| format!("experience-{version}.experience.parquet");
    for version in 1..=5 {
        bench.ok(&format!("verify {}", of(version)));
    }
    let diff = bench.ok(&format!("experience diff {} {}", of(1), of(2)));
    assert!(diff.starts_with("0 differences, 1 equal"), "{diff}");
    bench.assert_prints(&format!("experience show {}", of(1)), ["e4 e6", "set to 75", "by hand: 1 of 1"]);
    bench.assert_prints(&format!("experience show {}", of(3)), ["3 book, 1 position, 4 postbook, 1 seen"]);
    let diff = bench.ok(&format!("experience diff {} {}", of(4), of(5)));
    assert!(diff.starts_with("0 differences, 5 equal"), "{diff}");
    bench.ok(&format!("experience merge {} {} -o all.parquet", of(1), of(3)));
    bench.assert_prints("experience show all.parquet", ["set to 75", "own games: 0 won, 0 drawn, 1 lost"]);
}

#[test]
fn a_game_without_a_round_that_taught_before_teaches_no_more() {
    let bench = bench();
    let arguments = "learn games mine.pgn --player Me --table table-2.table --search --rule terra";
    let old = "experience-3.experience.parquet";
    // Its tags are the same, but for the round, which the file does not know.
    bench.ok(&format!("{arguments} --continue {old} -o new.parquet"));
    let diff = bench.ok(&format!("experience diff {old} new.parquet"));
    assert!(diff.starts_with("0 differences, "), "{diff}");
}

#[test]
fn books_of_every_version_are_read() {
    let bench = bench();
    bench.ok("verify book-1.tabia polyglot-1.bin");
    assert_eq!(results_of_e4(&bench, "book-1.tabia"), [5, 1, 2]);
    bench.assert_prints("why book-1.tabia e4", ["mine.pgn"]);
    bench.ok("verify book-2.tabia");
    bench.assert_prints("why book-2.tabia e4", ["mine.pgn", "searched +0.20 at depth 36, 2000000 nodes"]);
    bench.assert_prints("info polyglot-1.bin", ["games counted: 8"]);
    for (text, book) in [("book-1.jsonl", "book-1.tabia"), ("polyglot-1.jsonl", "polyglot-1.bin")] {
        let again = book.replace("-1", "-again");
        bench.ok(&format!("import json {text} -o {again}"));
        for line in ["e4", "e4 c5"] {
            let [mut old, mut new] = [book, &again].map(|book| bench.probe(book, line));
            assert!(old["found"] == Value::Bool(true), "{book} {line}");
            for probe in [&mut old, &mut new] {
                probe["source"].take();
            }
            assert_eq!(old, new, "{text} {line}");
        }
    }
}

#[test]
fn an_export_of_an_older_version_is_known_as_one() {
    let bench = bench();
    bench.ok("export parquet table-1.table -o export-2 --force");
    fs::remove_file(bench.path("export-2/export.json")).unwrap();
    bench.fails("export parquet table-1.table -o export-2 --force", 1);
}

#[test]
fn exports_of_every_version_are_replaced_and_queried() {
    let bench = bench();
    for version in 1..=2 {
        let export = format!("export-{version}");
        bench.assert_prints(&format!("sql {export}"), ["CREATE OR REPLACE VIEW openings AS SELECT"]);
        bench.ok(&format!("export parquet table-1.table -o {export} --force"));
    }
}

/// The version that wrote what only that version reads.
fn is_of_this_version() -> bool {
    env!("CARGO_PKG_VERSION") == "0.1.0"
}

/// Where the record of a count into `repeated.table` is, and its input as it was then.
fn place_record(bench: &Workbench, version: u32) {
    let input = File::options().write(true).open(bench.path("repeated.pgn.zst")).unwrap();
    input.set_modified(UNIX_EPOCH + Duration::from_secs(1_700_000_000)).unwrap();
    let output = bench.path(".").canonicalize().unwrap().join("repeated.table");
    let hash = xxh3_64(output.as_os_str().as_encoded_bytes());
    let record = bench.path(&format!(".repeated.table.tabia-resume-{hash:016x}"));
    fs::remove_dir_all(&record).ok();
    copy_new(&bench.path(&format!("resume-{version}")), &record);
}

fn copy_new(from: &Path, to: &Path) {
    fs::create_dir(to).unwrap();
    copy(from, to);
}

#[test]
fn a_count_goes_on_from_its_records_or_refuses_those_of_another_version() {
    let bench = bench();
    let count = "count repeated.pgn.zst --shards 2 --max-ply 0 --memory 24MiB -j 1 --rejects";
    let resumed = format!("{count} resumed.jsonl -o repeated.table --resume --json -q");
    for version in [1, 2] {
        place_record(&bench, version);
        let refused = bench.fails(&resumed, 1);
        let why =
            format!("its records have version {version}, but this version of tabia reads only version 3");
        assert!(refused.contains(&why) || !is_of_this_version(), "{refused}");
    }
    place_record(&bench, 3);
    if !is_of_this_version() {
        assert!(bench.fails(&resumed, 1).contains("it was started by tabia 0.1.0"));
        return;
    }
    let summary: Value = serde_json::from_str(&bench.ok(&resumed)).unwrap();
    assert_eq!(summary["resumed"]["games"], 4239, "{summary}");
    bench.ok(&format!("{count} plain.jsonl -o plain.table"));
    assert_eq!(bench.part_bytes("repeated.table"), bench.part_bytes("plain.table"));
    assert_eq!(bench.text("resumed.jsonl"), bench.text("plain.jsonl"));
}

#[test]
fn plans_of_earlier_versions_are_refused() {
    let bench = bench();
    let error = bench.fails("cluster map --plan-file cluster-1/plan.jsonl --task 0 --to runs", 2);
    assert!(error.contains("its format is 1, but this version reads only 3: plan again"), "{error}");
}

#[test]
fn games_that_an_older_player_kept_are_learned_once() {
    let bench = bench();
    let uci = "uci book-1.tabia --name Me --learn player-1.experience.parquet";
    for _ in 0..2 {
        bench.ok(uci);
        bench.assert_prints(
            "experience show player-1.experience.parquet",
            ["Me: 1 of 2 records used (games)", "own games: 0 won, 0 drawn, 1 lost"],
        );
        assert_eq!(bench.text("player-1.journal").lines().count(), 1, "it is in the file now");
    }
    bench.ok("learn games player-1.outbox --player Me --table table-2.table --search -o outbox.parquet");
    bench.assert_prints("experience show outbox.parquet", ["own games: 0 won, 0 drawn, 1 lost"]);
}
