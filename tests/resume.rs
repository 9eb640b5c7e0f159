//! A count that is killed and goes on: the same bytes as one that was not, and nothing left over.

use std::{fs, io::Read as _, path::PathBuf, process::Command, thread, time::Duration};

use serde_json::Value;

use crate::workbench::{Workbench, assert_has, frames, sample};

/// The least memory for one thread, so that little is counted between two records.
const SETTINGS: &str = "--memory 24MiB -j 1 --max-ply 0 -q --json";

/// Copies of the sample: enough to spill more than once.
const COPIES: usize = 24;

/// The sample many times, in a plain file, a compressed one and an archive of runs of frames.
fn inputs(bench: &Workbench) -> &'static str {
    let games = fs::read(sample()).unwrap();
    bench.write("a.pgn", games.repeat(COPIES / 2));
    bench.write("b.pgn.zst", zstd::encode_all(&*games.repeat(COPIES / 4), 1).unwrap());
    bench.write("c.pgn.zst", frames(&games.repeat(COPIES / 4), 3_000_001));
    "a.pgn b.pgn.zst c.pgn.zst"
}

/// The folder of the record, if there is one.
fn record(bench: &Workbench) -> Option<PathBuf> {
    let names = bench.names();
    names.iter().find(|name| name.contains(".tabia-resume-")).map(|name| bench.path(name))
}

/// Runs until runs are recorded that were not before, and sends `signal`; what it wrote to standard error.
/// `None` if it came to its end first.
fn stop(bench: &Workbench, arguments: &str, signal: &str) -> Option<String> {
    let recorded =
        || record(bench).map_or(0, |folder| fs::metadata(folder.join("ledger")).map_or(0, |file| file.len()));
    let before = recorded();
    let mut child = bench.start_tabia(arguments);
    // The first record of all is the job, of less than 2,000 bytes; those of groups come after it.
    while recorded() < before.max(2_000) + 100 && child.try_wait().unwrap().is_none() {
        thread::sleep(Duration::from_millis(1));
    }
    let sent = Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
    let status = child.wait().unwrap();
    let mut error = String::new();
    child.stderr.take().unwrap().read_to_string(&mut error).unwrap();
    (sent.success() && !status.success()).then_some(error)
}

/// As [`stop`], with kill -9, until it came in the middle.
fn kill(bench: &Workbench, arguments: &str, outputs: &[&str]) {
    for _ in 0..20 {
        if stop(bench, arguments, "-9").is_some() {
            return;
        }
        for output in outputs.iter().map(|name| bench.path(name)) {
            drop(fs::remove_file(&output).or_else(|_| fs::remove_dir_all(&output)));
        }
    }
    panic!("it always came to its end before it was killed");
}

/// A summary without what may differ.
fn comparable(summary: &str) -> Value {
    let mut summary: Value = serde_json::from_str(summary).unwrap();
    let keys = summary.as_object_mut().unwrap();
    for key in ["seconds", "runs", "bytes_spilled", "peak_rss_bytes", "outputs", "resumed", "books"] {
        keys.remove(key);
    }
    summary
}

fn resumed_games(summary: &str) -> u64 {
    let summary: Value = serde_json::from_str(summary).unwrap();
    summary["resumed"]["games"].as_u64().unwrap_or(0)
}

#[test]
fn a_build_that_was_killed_goes_on_and_gives_the_same_bytes() {
    let bench = Workbench::new();
    let inputs = inputs(&bench);
    let plain = bench.ok(&format!(
        "build {inputs} -o plain.tabia --table plain.table --rejects plain.jsonl --min-elo 1500 {SETTINGS}"
    ));
    let command = format!(
        "build {inputs} -o book.tabia --table games.table --rejects games.jsonl --min-elo 1500 --resume {SETTINGS}"
    );
    let outputs = ["book.tabia", "games.table", "games.jsonl"];
    kill(&bench, &command, &outputs);
    kill(&bench, &command.replace("-j 1", "-j 2").replace("24MiB", "32MiB"), &outputs);
    let gone_on = bench.ok(&command);
    assert!(resumed_games(&gone_on) > 0, "{gone_on}");
    assert_eq!(comparable(&gone_on), comparable(&plain));
    for (name, expected) in [("book.tabia", "plain.tabia"), ("games.jsonl", "plain.jsonl")] {
        assert!(bench.read(name) == bench.read(expected), "{name}");
    }
    assert!(bench.part_bytes("games.table") == bench.part_bytes("plain.table"));
    let manifest = |table: &str| fs::read_to_string(bench.path(table).join("_manifest.json")).unwrap();
    assert_eq!(manifest("games.table"), manifest("plain.table"));
    assert_eq!(record(&bench), None, "the record goes when all is done");
}

/// Marks are not recorded: a run that goes on reads those of all games, also of games whose counts it has.
#[test]
fn marks_before_a_kill_are_in_the_book() {
    let bench = Workbench::new();
    let games = fs::read_to_string(sample()).unwrap().repeat(COPIES);
    bench.write("r.pgn", format!("[Event \"a\"]\n\n1. a3?? e5 *\n\n{games}"));
    bench.ok(&format!("build r.pgn --repertoire -o plain.tabia {SETTINGS}"));
    assert!(bench.ok("info plain.tabia").contains("experience         1 rows"));
    let command = format!("build r.pgn --repertoire -o book.tabia --resume {SETTINGS}");
    kill(&bench, &command, &["book.tabia"]);
    assert!(resumed_games(&bench.ok(&command)) > 0);
    assert!(bench.read("book.tabia") == bench.read("plain.tabia"));
}

#[test]
fn what_is_not_the_same_job_is_refused_with_the_reason() {
    let bench = Workbench::new();
    let inputs = inputs(&bench);
    let command = format!("count {inputs} -o games.table --resume {SETTINGS}");
    kill(&bench, &command, &["games.table"]);
    let folder = record(&bench).unwrap();
    let refused = |arguments: &str, why: &str| {
        let error = bench.fails(arguments, 1);
        assert_has(&error, [why, folder.to_str().unwrap().rsplit('/').next().unwrap()]);
        assert!(error.contains("remove it to start over"), "{error}");
    };
    refused(&format!("{command} --min-elo 2000"), "it was started with `min_elo` = null, but now it is 2000");
    refused(&format!("{command} --shards 4"), "it was started with `shards` = 16, but now it is 4");
    let strict = "it was started with `strict_san` = false, but now it is true";
    refused(&format!("{command} --strict-san"), strict);
    refused(&command.replace("c.pgn.zst", ""), "it was started with 3 inputs, but now there are 2");
    let locked = fs::File::open(folder.join("ledger")).unwrap();
    locked.lock().unwrap();
    refused(&command, "another process works with it");
    drop(locked);
    bench.assert_says(&command.replace("--resume", ""), ["holds what an interrupted run counted"]);
    assert!(folder.exists(), "a run that does not go on leaves the record");
    let run = folder.read_dir().unwrap().map(|entry| entry.unwrap().path());
    let run = run.filter(|path| path.extension().is_some_and(|extension| extension == "run")).min().unwrap();
    let bytes = fs::read(&run).unwrap();
    fs::write(&run, &bytes[..bytes.len() - 1]).unwrap();
    refused(&format!("{command} --force"), "the run is damaged");
    fs::write(&run, bytes).unwrap();
    let expected = bench.part_bytes("games.table");
    assert!(resumed_games(&bench.ok(&format!("{command} --force"))) > 0);
    assert!(bench.part_bytes("games.table") == expected);
    assert_eq!(record(&bench), None);
}

/// Each byte of the list of rejected games is looked at before the list is relied on.
#[test]
fn a_damaged_list_of_rejected_games_is_refused() {
    let bench = Workbench::new();
    let inputs = inputs(&bench);
    let settings = format!("--rejects-filtered --min-elo 2200 {SETTINGS}");
    bench.ok(&format!("count {inputs} -o plain.table --rejects plain.jsonl {settings}"));
    let command = format!("count {inputs} -o games.table --rejects games.jsonl --resume {settings}");
    kill(&bench, &command, &["games.table", "games.jsonl"]);
    let folder = record(&bench).unwrap();
    let list = || {
        let paths = folder.read_dir().unwrap().map(|entry| entry.unwrap().path());
        paths.filter(|path| path.extension().is_some_and(|extension| extension == "rejects")).min().unwrap()
    };
    let whole = fs::read(list()).unwrap();
    // A record of the ledger may name less than the file has, and what it does not name is not relied on.
    let recorded = recorded_bytes(&fs::read(folder.join("ledger")).unwrap());
    assert!(recorded > 1000 && recorded <= whole.len(), "{recorded} of {} bytes", whole.len());
    for at in [0, 47, 48, recorded / 3, recorded / 2, recorded - 1] {
        let mut flipped = whole.clone();
        flipped[at] ^= 1 << (at % 8);
        fs::write(list(), flipped).unwrap();
        let error = bench.fails(&command, 1);
        assert_has(
            &error,
            ["000000.rejects: its checksum is not the recorded one", "remove it to start over"],
        );
    }
    fs::write(list(), &whole[..recorded - 1]).unwrap();
    assert!(bench.fails(&command, 1).contains("000000.rejects"));
    fs::remove_file(list()).unwrap();
    assert!(bench.fails(&command, 1).contains("000000.rejects"));
    fs::write(folder.join("000000.rejects"), &whole).unwrap();
    kill(&bench, &command, &["games.table", "games.jsonl"]);
    assert!(list().ends_with("000001.rejects"), "a run that goes on makes a list of what is done with");
    assert!(resumed_games(&bench.ok(&command)) > 0);
    assert!(bench.read("games.jsonl") == bench.read("plain.jsonl"));
    assert_eq!(record(&bench), None);
}

/// The most bytes of a list of rejected games that the records of a ledger name.
fn recorded_bytes(ledger: &[u8]) -> usize {
    let (mut rest, mut most) = (ledger, 0);
    while let Some((length, after)) = rest.split_first_chunk::<4>() {
        let Some((text, after)) = after[8..].split_at_checked(u32::from_le_bytes(*length) as usize) else {
            break;
        };
        let record: Value = serde_json::from_slice(text).unwrap();
        most = most.max(record["group"]["list"]["bytes"].as_u64().unwrap_or(0));
        rest = after;
    }
    most as usize
}

#[test]
fn a_changed_input_is_refused() {
    let bench = Workbench::new();
    let inputs = inputs(&bench);
    let command = format!("count {inputs} -o games.table --resume {SETTINGS}");
    kill(&bench, &command, &["games.table"]);
    let games = bench.read("a.pgn");
    bench.write("a.pgn", &games[..games.len() - 1]);
    let error = bench.fails(&command, 1);
    assert_has(&error, [&format!("a.pgn had {} bytes, but now has {}", games.len(), games.len() - 1)]);
    bench.write("a.pgn", &games);
    bench.assert_fails(&command, 1, ["a.pgn was changed after the run was started"]);
}

#[test]
fn an_interrupt_keeps_the_record_and_says_how_to_go_on() {
    let bench = Workbench::new();
    let inputs = inputs(&bench);
    let command = format!("count {inputs} -o games.table --resume {SETTINGS}");
    let error = (0..20).find_map(|_| {
        let stopped = stop(&bench, &command, "-INT");
        if stopped.is_none() {
            fs::remove_dir_all(bench.path("games.table")).unwrap();
        }
        stopped
    });
    let error = error.expect("it was interrupted in the middle");
    let folder = record(&bench).unwrap();
    assert!(
        error.starts_with("tabia: interrupted; no output was written; the work done so far is kept in "),
        "{error}"
    );
    assert!(error.ends_with("run the same command with --resume to continue from there\n"), "{error}");
    assert!(error.contains(folder.file_name().unwrap().to_str().unwrap()), "{error}");
    assert!(resumed_games(&bench.ok(&command)) > 0);
}

#[test]
fn what_cannot_be_read_twice_is_refused() {
    let bench = Workbench::new();
    let games = sample();
    bench.assert_fails("build - -o book.tabia --resume", 2, ["- is not a file, so it can be read only once"]);
    let error = bench.fails(&format!("build {} -o book.tabia --resume --limit 5", games.display()), 2);
    assert!(error.contains("a limit takes games in the order of the input"), "{error}");
    assert_eq!(bench.names(), Vec::<String>::new());
}

#[test]
fn a_count_that_fits_in_memory_leaves_nothing() {
    let bench = Workbench::new();
    let summary = bench.ok("count SAMPLE -o games.table --resume -q --json");
    assert_eq!(resumed_games(&summary), 0);
    assert_eq!(bench.names(), ["games.table"]);
}
