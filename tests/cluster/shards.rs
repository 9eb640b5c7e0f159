//! What machines make of a table, shard by shard: the bytes of one machine.

use std::{collections::BTreeMap, fs, path::Path};

use serde_json::Value;

use crate::workbench::{Workbench, game, sample};

const SHARDS: usize = 4;

fn with_table() -> Workbench {
    let bench = Workbench::new();
    let games = sample();
    bench.ok(&format!("count {} -o games.table --shards {SHARDS} --by month --max-ply 20", games.display()));
    bench
}

/// The files of a folder and of those below it, by their paths there.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        if path.is_dir() {
            found.extend(files(&path).into_iter().map(|(below, bytes)| (format!("{name}/{below}"), bytes)));
        } else {
            found.insert(name, fs::read(&path).unwrap());
        }
    }
    found
}

#[test]
fn a_book_needs_no_rare_positions() {
    let bench = with_table();
    let shard = |shard| {
        bench.ok(&format!(
            "cluster merge games.table --shard {shard} --attempt a -o often.table --min-visits 3"
        ))
    };
    let lines: String = (0..SHARDS).map(shard).collect();
    let committed =
        bench.command("cluster commit -o often.table --spent 2.5 --json").write_stdin(lines).output();
    let report: Value = serde_json::from_slice(&committed.unwrap().stdout).unwrap();
    assert_eq!(report["seconds"]["tasks"], 2.5);
    bench.ok("verify often.table");
    assert!(4 * bench.part_bytes("often.table").len() < bench.part_bytes("games.table").len());
    for (name, flags) in [
        ("few", "--min-games 3"),
        ("white", "--min-games white=3,black=4 --min-share 0.1 --color white"),
        ("old", "--min-games 3 --half-life 3y --as-of 2026-01"),
    ] {
        for table in ["games", "often"] {
            bench.ok(&format!("compact {table}.table -o {table}-{name}.tabia {flags}"));
        }
        assert!(
            bench.read(&format!("games-{name}.tabia")) == bench.read(&format!("often-{name}.tabia")),
            "{name}"
        );
    }
}

#[test]
fn exports_of_shards_are_gathered() {
    let bench = with_table();
    let only = "--only moves --without san --min-games 2";
    bench.ok(&format!("export parquet games.table -o whole {only}"));
    bench.ok(&format!("export parquet games.table -o months {only} --month-folders"));
    let export = |shard: usize, flags: &str| {
        bench.ok(&format!("export parquet games.table -o shards/{shard} --shard {shard} {flags} --force"));
    };
    fs::create_dir(bench.path("shards")).unwrap();
    bench.assert_fails(
        "cluster gather shards -o made",
        1,
        ["do not make up one complete table: no shard was found"],
    );
    (0..SHARDS - 1).for_each(|shard| export(shard, only));
    bench.assert_fails(
        "cluster gather shards -o made",
        1,
        ["do not make up one complete table: found only 3 of 4 shards"],
    );
    export(SHARDS - 1, "--only moves --without san,score");
    bench.assert_fails(
        "cluster gather shards -o made",
        1,
        ["was exported from another table or with other settings"],
    );
    bench.write("one.pgn", game("1. e4 e5", "1-0"));
    bench.ok(&format!("count one.pgn -o other.table --shards {SHARDS} --by month --max-ply 20"));
    bench.ok(&format!("export parquet other.table -o shards/3 --shard 3 {only} --force"));
    bench.assert_fails(
        "cluster gather shards -o made",
        1,
        ["was exported from another table or with other settings"],
    );
    export(SHARDS - 1, only);
    // What a task that died has left.
    fs::create_dir(bench.path("shards/.3.left")).unwrap();
    bench.ok("cluster gather shards -o made");
    let exported = |name: &str| files(&bench.path(name));
    assert!(exported("made") == exported("whole"));
    bench.assert_fails("cluster gather shards -o made", 2, ["made already exists"]);
    (0..SHARDS).for_each(|shard| export(shard, &format!("{only} --month-folders")));
    bench.ok("cluster gather shards -o made --force");
    assert!(exported("made") == exported("months"));
    for flags in ["", "--only moves", "--only moves --without san --max-ply 3"] {
        let command = format!("export parquet games.table -o x --shard 0 {flags}");
        bench.assert_fails(&command, 2, ["--shard: needs a table, --only moves and --without san"]);
    }
    let beyond = format!("export parquet games.table -o x --shard 4 {only}");
    bench.assert_fails(&beyond, 2, ["below 4 (the table has 4 shards)"]);
}
