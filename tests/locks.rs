//! Commands at the same time: writers of one table one after another, readers beside them.

use std::{
    fs,
    io::{BufRead as _, BufReader, Read as _},
    process::Child,
    sync::atomic::{AtomicBool, Ordering::Relaxed},
    thread,
    time::Duration,
};

use output::{OutputLock, Waiting};

use crate::{
    processes::send,
    workbench::{Workbench, sample},
};

static NEVER: AtomicBool = AtomicBool::new(false);

/// A folder with the sample cut into `parts` files, `0.pgn` and so on, and a table of each, `0.table` and
/// so on.
fn cut_sample(parts: usize) -> Workbench {
    let bench = Workbench::new();
    let text = fs::read_to_string(sample()).unwrap();
    let starts: Vec<_> = text.match_indices("[Event ").map(|(at, _)| at).collect();
    let start = |part: usize| starts.get(starts.len() * part / parts).copied().unwrap_or(text.len());
    for part in 0..parts {
        bench.write(&format!("{part}.pgn"), &text[start(part)..start(part + 1)]);
        bench.ok(&format!("count {part}.pgn -o {part}.table -q"));
    }
    bench
}

/// Waits for the end of a command: its exit code, and what it printed to stderr from now on.
fn end(mut child: Child) -> (Option<i32>, String) {
    let mut error = String::new();
    drop(child.stdin.take());
    if let Some(mut stderr) = child.stderr.take() {
        stderr.read_to_string(&mut error).unwrap();
    }
    (child.wait().unwrap().code(), error)
}

fn lock(bench: &Workbench, output: &str) -> OutputLock {
    OutputLock::take(&bench.path(output), Waiting::Refuse, &NEVER).unwrap()
}

fn games(bench: &Workbench, table: &str) -> String {
    let info = bench.ok(&format!("info {table}"));
    info.lines().find(|line| line.trim_start().starts_with("games counted")).unwrap().to_owned()
}

#[test]
fn adds_and_subtracts_at_once_lose_no_game() {
    let bench = cut_sample(5);
    bench.ok("merge 0.table 1.table 2.table 3.table 4.table -o all.table -q");
    bench.ok("merge 0.table 1.table 2.table -o less.table -q");
    for round in 0..3 {
        bench.ok("count 0.pgn -o t.table --force -q");
        let adds: Vec<_> =
            (1..5).map(|part| bench.start_tabia(&format!("add t.table {part}.pgn -q"))).collect();
        for add in adds {
            let (code, error) = end(add);
            assert_eq!(code, Some(0), "round {round}: {error}");
        }
        assert_eq!(games(&bench, "t.table"), games(&bench, "all.table"), "round {round}");
        assert_eq!(bench.part_bytes("t.table"), bench.part_bytes("all.table"), "round {round}");
        bench.ok("subtract t.table 2.pgn -q");
        let changes = ["add t.table 2.pgn -q", "subtract t.table 3.table -q", "subtract t.table 4.pgn -q"];
        for change in changes.map(|arguments| bench.start_tabia(arguments)) {
            let (code, error) = end(change);
            assert_eq!(code, Some(0), "round {round}: {error}");
        }
        assert_eq!(bench.part_bytes("t.table"), bench.part_bytes("less.table"), "round {round}");
    }
    assert!(!bench.names().iter().any(|name| name.starts_with('.')), "{:?}", bench.names());
}

/// A command that found the table locked reads it afterwards: the games of the writer before are in the
/// result.
#[test]
fn a_writer_that_waited_reads_what_the_one_before_wrote() {
    for change in ["add t.table 2.pgn -q", "merge t.table 2.table -o t.table --force -q"] {
        let bench = cut_sample(3);
        bench.ok("merge 0.table 1.table 2.table -o all.table -q");
        bench.ok("count 0.pgn -o t.table -q");
        let lock = lock(&bench, "t.table");
        let mut child = bench.start_tabia(change);
        let mut said = String::new();
        BufReader::new(child.stderr.as_mut().unwrap()).read_line(&mut said).unwrap();
        assert!(said.contains("t.table: another command is writing to it; waiting"), "{said}");
        // What another writer does meanwhile.
        bench.ok("merge 0.table 1.table -o next.table -q");
        fs::rename(bench.path("t.table"), bench.path("old.table")).unwrap();
        fs::rename(bench.path("next.table"), bench.path("t.table")).unwrap();
        drop(lock);
        assert_eq!(end(child), (Some(0), String::new()), "{change}");
        assert_eq!(bench.part_bytes("t.table"), bench.part_bytes("all.table"), "{change}");
    }
}

#[test]
fn a_writer_that_does_not_wait_fails_and_changes_nothing() {
    let bench = cut_sample(2);
    bench.ok("merge 0.table 1.table -o t.table -q");
    bench.ok("learn set --line e4 --value ! -o x.experience -q");
    let (before, known) = (bench.part_bytes("t.table"), bench.read("x.experience"));
    let locks = [lock(&bench, "t.table"), lock(&bench, "x.experience")];
    for (command, output) in [
        ("add t.table 1.pgn --force", "t.table"),
        ("add t.table 1.table --force", "t.table"),
        ("subtract t.table 0.pgn", "t.table"),
        ("count 0.pgn -o t.table --force", "t.table"),
        ("build 0.pgn -o book.tabia --table t.table --force", "t.table"),
        ("merge t.table 0.table -o t.table --force", "t.table"),
        ("learn set --line d4 --value ! -o x.experience --continue x.experience --force", "x.experience"),
        ("learn annotations 0.pgn -o x.experience --force", "x.experience"),
    ] {
        let error = bench.fails(&format!("{command} --no-wait"), 1);
        let expected = format!(
            "tabia: {output}: another command is writing to it; without --no-wait, this command waits for it\n"
        );
        assert_eq!(error, expected, "{command}");
    }
    assert_eq!(bench.part_bytes("t.table"), before);
    assert_eq!(bench.read("x.experience"), known);
    // Another output is not locked, and neither is what is only read.
    for command in [
        "count 0.pgn -o u.table --no-wait -q",
        "build 0.pgn -o book.tabia --table v.table --no-wait -q",
        "merge t.table -o w.table --no-wait -q",
        "add u.table t.table --force --no-wait -q",
        "compact t.table --experience x.experience -o other.tabia -q",
        "verify t.table x.experience",
    ] {
        bench.ok(command);
    }
    drop(locks);
    bench.ok("subtract t.table 0.pgn --no-wait -q");
    bench.ok("learn set --line d4 --value ! -o x.experience --continue x.experience --force --no-wait -q");
}

#[test]
fn an_interrupt_ends_the_waiting() {
    let bench = cut_sample(2);
    let _lock = lock(&bench, "0.table");
    let names = bench.names();
    let mut child = bench.start_tabia("add 0.table 1.pgn");
    BufReader::new(child.stderr.as_mut().unwrap()).read_line(&mut String::new()).unwrap();
    send(&child, "-INT");
    assert_eq!(end(child), (Some(130), "tabia: interrupted; no output was written\n".into()));
    assert_eq!(bench.names(), names);
}

#[test]
fn the_lock_of_a_killed_writer_vanishes_with_it() {
    let bench = cut_sample(2);
    bench.ok("merge 0.table 1.table -o all.table -q");
    // It reads games from a pipe that stays open.
    let mut child = bench.start_tabia("add 0.table - -q");
    while !bench.path(".0.table.tabia-lock").exists() {
        thread::sleep(Duration::from_millis(5));
    }
    while OutputLock::take(&bench.path("0.table"), Waiting::Refuse, &NEVER).is_ok() {
        thread::sleep(Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(bench.path(".0.table.tabia-lock").exists());
    bench.ok("add 0.table 1.pgn --no-wait -q");
    assert_eq!(bench.part_bytes("0.table"), bench.part_bytes("all.table"));
    assert!(!bench.path(".0.table.tabia-lock").exists());
}

/// What a reader makes of a table: its stdout, or the file that it wrote.
fn answer(bench: &Workbench, reader: &str, table: &str) -> Vec<u8> {
    let arguments = reader.replace("TABLE", table);
    let answer = bench.ok(&arguments);
    match arguments.split_once(" -o ") {
        None => answer.replace(table, "TABLE").into_bytes(),
        Some((_, written)) if bench.path(written).join("moves").exists() => {
            bench.part_bytes(&format!("{written}/moves"))
        }
        Some((_, written)) if bench.path(written).is_dir() => bench.part_bytes(written),
        Some((_, written)) => bench.read(written),
    }
}

/// A table is counted anew and added to, again and again; every reader meets one of the two versions, whole.
#[test]
fn readers_meet_one_of_two_versions() {
    let bench = cut_sample(2);
    bench.ok("merge 0.table 1.table -o 01.table -q");
    let readers = [
        "info TABLE",
        "probe TABLE",
        "pick TABLE --policy wilson --seed 7 --json",
        "verify TABLE",
        "export parquet TABLE --force -q -o out.parquet",
        "report TABLE --force -q -o out.html",
        "compact TABLE --force -q -o out.tabia",
        "merge TABLE --force -q -o out.table",
    ];
    let expected =
        readers.map(|reader| [answer(&bench, reader, "0.table"), answer(&bench, reader, "01.table")]);
    assert!(expected.iter().all(|[one, other]| one != other));
    bench.ok("count 0.pgn -o t.table -q");
    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Relaxed) {
                bench.ok("add t.table 1.pgn -q");
                bench.ok("count 0.pgn -o t.table --force -q");
            }
        });
        // Set however the readers end: the writer is waited for.
        let _done = SetAtEnd(&done);
        for _ in 0..4 {
            for (reader, expected) in readers.iter().zip(&expected) {
                let got = answer(&bench, reader, "t.table");
                assert!(expected.contains(&got), "{reader}: neither version");
            }
        }
    });
}

/// Sets a flag when it is dropped.
struct SetAtEnd<'f>(&'f AtomicBool);

impl Drop for SetAtEnd<'_> {
    fn drop(&mut self) {
        self.0.store(true, Relaxed);
    }
}
