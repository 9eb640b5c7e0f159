//! Parts of a shared count outlive the driver and a commit that fails.

use std::{
    fs,
    io::{BufRead as _, BufReader, Read as _},
    path::{Path, PathBuf},
    process::{Child, ChildStdout},
};

use serde_json::Value;

use super::{Mapped, Planned, error_of, same_table, with_games};
use crate::workbench::Workbench;

/// A process that holds a folder of parts.
struct Holding {
    process: Child,
    out: BufReader<ChildStdout>,
    folder: Value,
}

impl Holding {
    fn start(mapped: &Mapped<'_>, more: &str) -> Self {
        let flags: Vec<_> = mapped.plan.flags("hold").iter().map(|word| format!("'{word}'")).collect();
        let name = mapped.plan.name();
        let script = format!("exec \"$TABIA\" cluster hold --plan {name} {} {more}", flags.join(" "));
        let mut process = mapped.bench.start(&script);
        let (mut out, mut line) = (BufReader::new(process.stdout.take().unwrap()), String::new());
        out.read_line(&mut line).unwrap();
        Self { process, out, folder: serde_json::from_str(&line).unwrap() }
    }

    fn parts(&self) -> PathBuf {
        self.folder["parts"].as_str().unwrap().into()
    }

    fn done(&self) -> usize {
        self.folder["done"].as_array().unwrap().len()
    }

    /// Ends its input; what it says then.
    fn end(mut self) -> String {
        drop(self.process.stdin.take());
        let mut said = String::new();
        self.process.stderr.take().unwrap().read_to_string(&mut said).unwrap();
        assert!(self.process.wait().unwrap().success(), "{said}");
        assert_eq!(self.out.lines().count(), 0);
        said
    }

    fn kill(mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }
}

fn reduce_into(mapped: &Mapped<'_>, parts: &Path, attempt: &str) {
    let mut command =
        mapped.bench.command(&format!("cluster reduce --temp-dir . --attempt {attempt} --plan"));
    command.arg(mapped.plan.name()).args(mapped.plan.flags("reduce"));
    error_of(&command.arg("--parts").arg(parts).write_stdin(mapped.streams.concat()).output().unwrap(), 0);
}

/// Removes the parts of all shards but one.
fn lose_shards(parts: &Path) {
    for shard in 1..4 {
        fs::remove_file(parts.join(format!("part-{shard:05}.a.json"))).unwrap();
    }
}

fn small(bench: &Workbench) -> Mapped<'_> {
    bench.ok("count a.pgn --shards 4 -o whole.table -q");
    Mapped::new(bench, "a.pgn --chunk 700KiB --shards 4")
}

#[test]
fn a_commit_that_fails_is_made_up_for_without_its_lines() {
    let bench = with_games();
    let mapped = small(&bench);
    let lines = mapped.lines();
    fs::create_dir(bench.path("games.table")).unwrap();
    let error = error_of(&mapped.commit("", &lines), 2);
    assert!(error.contains("games.table already exists"), "{error}");
    let folder = bench.names().into_iter().find(|name| name.contains(".parts")).unwrap();
    bench.ok(&format!("cluster commit --parts {folder} -o other.table -q"));
    same_table(&bench, "other.table", "whole.table");
    fs::remove_dir(bench.path("games.table")).unwrap();

    mapped.lines();
    error_of(&mapped.reduce("second", mapped.streams.concat()), 0);
    let part = bench.path(&folder).join("part-00002.first.parquet");
    fs::write(&part, &fs::read(&part).unwrap()[1..]).unwrap();
    fs::remove_file(bench.path(&folder).join("part-00001.first.json")).unwrap();
    bench.ok(&format!("cluster commit --parts {folder} -q"));
    same_table(&bench, "games.table", "whole.table");
    assert_eq!(mapped.parts(), [""; 0]);
}

#[test]
fn parts_are_put_together_where_they_were_moved_to() {
    let bench = with_games();
    let mapped = small(&bench);
    mapped.lines();
    let folder = bench.names().into_iter().find(|name| name.contains(".parts")).unwrap();
    fs::rename(bench.path(&folder), bench.path("moved")).unwrap();
    let error = bench.fails("cluster commit --parts moved", 2);
    assert!(error.contains("give the table with -o"), "{error}");
    let line = bench.path("moved/part-00003.first.json");
    let text = fs::read(&line).unwrap();
    fs::remove_file(&line).unwrap();
    let error = bench.fails("cluster commit --parts moved -o games.table", 1);
    assert!(error.contains("shard 3 of 4 is missing"), "{error}");
    fs::write(&line, &text[..text.len() / 2]).unwrap();
    let error = bench.fails("cluster commit --parts moved -o games.table", 1);
    assert!(error.contains("part-00003.first.json: "), "{error}");
    fs::write(&line, text).unwrap();
    bench.ok("cluster commit --parts moved -o games.table -q");
    same_table(&bench, "games.table", "whole.table");
}

#[test]
fn a_run_goes_on_where_a_lost_driver_left_it() {
    let bench = with_games();
    let mapped = small(&bench);
    let first = Holding::start(&mapped, "");
    let parts = first.parts();
    reduce_into(&mapped, &parts, "a");
    lose_shards(&parts);
    let other = Holding::start(&mapped, "--resume");
    assert!(other.parts() != parts && other.done() == 0, "the folder is held: {}", other.folder);
    assert_eq!(other.end(), "", "a folder without parts goes");
    first.kill();
    let resumed = Holding::start(&mapped, "--resume");
    assert_eq!((resumed.parts(), resumed.done()), (parts.clone(), 1));
    let said = resumed.end();
    assert!(said.contains("1 of 4 shards are done") && said.contains("--resume to continue"), "{said}");
    let last = Holding::start(&mapped, "--resume");
    reduce_into(&mapped, &parts, "b");
    bench.ok(&format!("cluster commit --parts {} -q", parts.display()));
    same_table(&bench, "games.table", "whole.table");
    assert_eq!(last.end(), "");
    assert_eq!(mapped.parts(), [""; 0]);
}

#[test]
fn copies_that_were_found_wait_for_the_run_that_goes_on() {
    let bench = with_games();
    let plan = Planned::new(&bench, "a.pgn --dedup-games exact --chunk 700KiB --shards 4 -o games.table");
    let find = |chunk: &Value| {
        let mut command = bench.command("cluster map --find-copies --temp-dir . --chunk");
        let output = command.arg(chunk.to_string()).args(plan.flags("map")).output().unwrap();
        error_of(&output, 0);
        output.stdout
    };
    let streams = plan.chunks.iter().map(find).collect();
    let mapped = Mapped { bench: &bench, plan, streams };
    let holding = Holding::start(&mapped, "");
    let parts = holding.parts();
    assert_eq!(holding.folder["copies"], 0);
    reduce_into(&mapped, &parts, "a --find-copies");
    let said = holding.end();
    assert!(said.contains("the copies of games that were found are kept in"), "{said}");
    let again = Holding::start(&mapped, "--resume");
    assert_eq!((again.parts(), &again.folder["copies"]), (parts.clone(), &Value::from(4)));
    fs::remove_file(parts.join("copies-00001")).unwrap();
    assert_eq!(again.end(), "", "not all of them are there");
    assert!(!parts.exists());
}

#[test]
fn a_task_that_does_not_see_the_drivers_folder_fails_before_it_counts() {
    let bench = with_games();
    let mapped = small(&bench);
    let held = Holding::start(&mapped, "");
    let map = |parts: &Path, token: &str| {
        let mut command = bench.command("cluster map --temp-dir . --chunk");
        command.arg(mapped.plan.chunks[0].to_string()).args(mapped.plan.flags("map"));
        command.arg("--parts").arg(parts).args(["--token", token]).output().unwrap()
    };
    let token = held.folder["token"].as_str().unwrap();
    error_of(&map(&held.parts(), token), 0);
    let error = error_of(&map(&held.parts(), "another"), 1);
    assert!(error.contains("it has the token of another run"), "{error}");
    let error = error_of(&map(Path::new("/nowhere/.games.table.parts"), token), 1);
    assert!(
        error.contains("is not the folder that the driver made") && error.contains("No such file"),
        "{error}"
    );
    held.end();
}

#[test]
fn what_other_runs_left_is_named_by_the_plan_and_removed_by_the_commit() {
    let bench = with_games();
    let old = Mapped::new(&bench, "a.pgn --chunk 1MiB --shards 4");
    let held = Holding::start(&old, "");
    let (living, dead) = (held.parts(), bench.path(".games.table.0a1b2c3d.parts"));
    fs::create_dir(&dead).unwrap();
    fs::write(dead.join("part-00000.a.parquet"), "1234").unwrap();
    let said = bench.said("cluster plan a.pgn -o games.table");
    assert!(said.contains("another run left 4 bytes in "), "{said}");
    assert!(said.contains(".games.table.0a1b2c3d.parts: if it belongs"), "{said}");
    assert!(!said.contains(living.to_str().unwrap()), "{said}");
    std::thread::sleep(std::time::Duration::from_millis(20));
    let mapped = small(&bench);
    let lines = mapped.lines();
    let young = bench.path(".games.table.11111111.parts");
    fs::create_dir(&young).unwrap();
    let said = error_of(&mapped.commit("", &lines), 0);
    assert!(said.contains(".games.table.0a1b2c3d.parts: 4 bytes left behind by another run"), "{said}");
    assert!(!dead.exists() && living.exists() && young.exists(), "{said}");
    held.end();
}
