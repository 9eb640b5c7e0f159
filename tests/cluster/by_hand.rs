//! A count that no engine of a cluster starts: tasks by their numbers, and a folder that all machines see.

use std::fs;

use super::{same_table, with_games};
use crate::workbench::Workbench;

const REDUCE: &str = "cluster reduce --plan-file plan.jsonl --from runs";

/// A plan of four chunks in four shards, and the same count at once.
fn planned() -> Workbench {
    let bench = with_games();
    assert_eq!(plan(&bench, "a.pgn c.pgn.zst --ratings --chunk 700KiB"), 4);
    bench.ok("count a.pgn c.pgn.zst --ratings --shards 4 -o whole.table -q");
    bench
}

/// Writes a plan; how many chunks it has.
fn plan(bench: &Workbench, arguments: &str) -> usize {
    let plan = bench.ok(&format!("cluster plan {arguments} --shards 4 -o games.table"));
    bench.write("plan.jsonl", &plan);
    plan.lines().count() - 1
}

fn map(bench: &Workbench, tasks: impl IntoIterator<Item = usize>) {
    for task in tasks {
        let said = bench.ok(&format!("cluster map --plan-file plan.jsonl --task {task} --to runs"));
        assert_eq!(said, "");
    }
}

#[test]
fn tasks_in_any_order_and_twice_make_the_same_table() {
    let bench = planned();
    map(&bench, [3, 0, 2, 1, 2]);
    let names: Vec<_> =
        fs::read_dir(bench.path("runs")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names.len(), 4, "{names:?}");
    for (shard, attempt) in [(2, "a"), (0, "a"), (3, "a"), (1, "a"), (0, "b")] {
        bench.ok(&format!("{REDUCE} --shard {shard} --attempt {attempt}"));
    }
    bench.ok("cluster commit --plan-file plan.jsonl -q");
    same_table(&bench, "games.table", "whole.table");
    assert!(!bench.names().iter().any(|name| name.contains(".parts")), "{:?}", bench.names());
    let error = bench.fails("cluster commit --plan-file plan.jsonl -q", 2);
    assert!(error.contains("games.table already exists"), "{error}");
}

#[test]
fn what_is_missing_or_of_another_count_is_named() {
    let bench = planned();
    let error = bench.fails("cluster map --plan-file plan.jsonl --task 4 --to runs", 2);
    assert!(error.contains("plan.jsonl has tasks 0 to 3, but no task 4"), "{error}");
    let error = bench.fails("cluster map --plan-file a.pgn --task 0 --to runs", 2);
    assert!(error.contains("a.pgn is not a plan that `tabia cluster plan` wrote"), "{error}");
    let error = bench.fails(&format!("{REDUCE} --shard 0 --attempt a"), 1);
    assert!(error.contains("cannot read runs/00000"), "{error}");
    map(&bench, [0, 1, 3]);
    let error = bench.fails(&format!("{REDUCE} --shard 1 --attempt a"), 1);
    assert!(error.contains("the run of chunk 2 is missing"), "{error}");
    map(&bench, [2]);
    let of_other = bench.ok("cluster plan a.pgn --shards 4 --max-ply 7 -o other.table");
    bench.write("other.jsonl", of_other);
    let error = bench.fails("cluster reduce --plan-file other.jsonl --from runs --shard 1 --attempt a", 1);
    assert!(error.contains("is of another"), "{error}");
    for shard in 0..3 {
        bench.ok(&format!("{REDUCE} --shard {shard} --attempt a"));
    }
    let error = bench.fails("cluster commit --plan-file plan.jsonl", 1);
    assert!(error.contains("shard 3 of 4 is missing"), "{error}");
}

/// A bench with one more file: it has games of the others, one that is cut off, and some that are rejected.
/// With it come the names of all inputs as lists have them.
fn with_copies() -> (Workbench, String) {
    let bench = with_games();
    let games = fs::read(bench.path("a.pgn")).unwrap();
    let spoiled = String::from_utf8_lossy(&games[..400_000]).replace(" 5. ", " 5. Qa9 ");
    bench.write("d.pgn", [&games[100_000..700_001], spoiled.as_bytes()].concat());
    let inputs = ["a.pgn", "b.pgn.zst", "d.pgn"].map(|name| bench.path(name).display().to_string()).join(" ");
    (bench, inputs)
}

/// Counts by hand, with all chunks read for copies before; the list of rejected games if there is one.
fn count_by_hand(bench: &Workbench, chunks: usize, find: bool) {
    for what in ["--find-copies", ""].into_iter().skip(usize::from(!find)) {
        for task in (0..chunks).rev() {
            bench.ok(&format!("cluster map --plan-file plan.jsonl --task {task} --to runs {what}"));
        }
        for shard in 0..4 {
            let said = bench.ok(&format!("{REDUCE} --shard {shard} --attempt a {what}"));
            assert_eq!(said.lines().count(), usize::from(what.is_empty()), "{said}");
        }
    }
}

#[test]
fn rejected_games_are_listed_as_on_one_machine() {
    let (bench, inputs) = with_copies();
    let list = "--rejects list.jsonl --rejects-filtered --result 1-0";
    let chunks = plan(&bench, &format!("{inputs} {list} --chunk 400KiB"));
    assert!(chunks > 8, "{chunks}");
    count_by_hand(&bench, chunks, false);
    bench.ok("cluster commit --plan-file plan.jsonl -q");
    bench.ok(&format!(
        "count {inputs} --shards 4 -o whole.table --rejects whole.jsonl --rejects-filtered --result 1-0 -q"
    ));
    same_table(&bench, "games.table", "whole.table");
    let list = fs::read_to_string(bench.path("list.jsonl")).unwrap();
    assert!(list == fs::read_to_string(bench.path("whole.jsonl")).unwrap());
    assert!(
        list.lines().count() > 1000 && list.contains("illegal") | list.contains("bad-token"),
        "{list:.500}"
    );
    let error = bench.fails(&format!("cluster plan {inputs} --rejects list.jsonl -o other.table"), 2);
    assert!(error.contains("list.jsonl already exists"), "{error}");
    let error = bench.fails(&format!("cluster plan {inputs} --rejects - -o other.table"), 2);
    assert!(error.contains("expected a file, not `-`"), "{error}");
}

#[test]
fn copies_are_left_out_as_on_one_machine() {
    let (bench, inputs) = with_copies();
    let how = "--dedup-games exact --rejects-filtered";
    let chunks = plan(&bench, &format!("{inputs} {how} --rejects list.jsonl --chunk 400KiB"));
    let error = bench.fails("cluster map --plan-file plan.jsonl --task 0 --to runs", 1);
    assert!(error.contains("copies-00000"), "{error}");
    count_by_hand(&bench, chunks, true);
    let report = bench.json("cluster commit --plan-file plan.jsonl");
    let expected =
        bench.json(&format!("count {inputs} {how} --rejects whole.jsonl --shards 4 -o whole.table -j 1"));
    for key in ["games", "accepted", "copies", "rejected", "edges"] {
        assert_eq!(report[key], expected[key], "{key}");
    }
    assert!(report["copies"].as_u64().unwrap() > 1000, "{report}");
    same_table(&bench, "games.table", "whole.table");
    let read = |name: &str| fs::read(bench.path(name)).unwrap();
    assert!(read("games.table/_fingerprints") == read("whole.table/_fingerprints"));
    assert!(read("list.jsonl") == read("whole.jsonl"));
    bench.ok("verify games.table");
}

#[test]
fn copies_that_are_lost_or_changed_are_an_error() {
    let (bench, _) = with_copies();
    let chunks = plan(&bench, "a.pgn d.pgn --dedup-games exact --chunk 700KiB");
    count_by_hand(&bench, chunks, true);
    let parts = bench.names().into_iter().find(|name| name.contains(".parts")).unwrap();
    let found = bench.path(&format!("{parts}/copies-00002"));
    let sound = fs::read(&found).unwrap();
    let refused = |command: &str, bytes: &[u8]| {
        fs::write(&found, bytes).unwrap();
        let error = bench.fails(command, 1);
        assert!(error.contains("copies-00002"), "{error}");
        fs::write(&found, &sound).unwrap();
    };
    let (copies, stayed) = (16 * chunks, sound.len() - 17);
    for at in [0, 8, copies, stayed, sound.len() - 1] {
        let mut bytes = sound.clone();
        bytes[at] ^= 1;
        let is_of_map = at < stayed;
        let command = if is_of_map {
            "cluster map --plan-file plan.jsonl --task 0 --to again"
        } else {
            "cluster commit --plan-file plan.jsonl"
        };
        refused(command, &bytes);
    }
    refused("cluster commit --plan-file plan.jsonl", &sound[..10]);
    fs::remove_file(&found).unwrap();
    let error = bench.fails("cluster commit --plan-file plan.jsonl", 1);
    assert!(error.contains("3 of the 4 files that list copies of games exist"), "{error}");
    fs::write(&found, &sound).unwrap();
    bench.ok("cluster commit --plan-file plan.jsonl");
    plan(&bench, "a.pgn --force");
    let error = bench.fails("cluster map --plan-file plan.jsonl --task 0 --to again --find-copies", 2);
    assert!(error.contains("--dedup-games: is off"), "{error}");
    let error = bench.fails("cluster plan a.pgn --dedup-games truncated -o other.table", 2);
    assert!(error.contains("needs one machine"), "{error}");
}
