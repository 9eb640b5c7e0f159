//! A count that no engine of a cluster starts: tasks by their numbers, and a folder that all machines see.

use std::fs;

use super::{same_table, with_games};
use crate::workbench::Workbench;

const REDUCE: &str = "cluster reduce --plan-file plan.jsonl --from runs";

/// A plan of four chunks in four shards, and the same count at once.
fn planned() -> Workbench {
    let bench = with_games();
    let plan = bench.ok("cluster plan a.pgn c.pgn.zst --ratings --chunk 700KiB --shards 4 -o games.table");
    assert_eq!(plan.lines().count(), 1 + 4);
    bench.write("plan.jsonl", plan);
    bench.ok("count a.pgn c.pgn.zst --ratings --shards 4 -o whole.table -q");
    bench
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
    assert!(error.contains("games.table exists"), "{error}");
}

#[test]
fn what_is_missing_or_of_another_count_is_named() {
    let bench = planned();
    let error = bench.fails("cluster map --plan-file plan.jsonl --task 4 --to runs", 2);
    assert!(error.contains("plan.jsonl has the tasks 0 to 3, and no task 4"), "{error}");
    let error = bench.fails("cluster map --plan-file a.pgn --task 0 --to runs", 2);
    assert!(error.contains("a.pgn: no plan of `tabia cluster plan`"), "{error}");
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
