//! Inputs, plans and parts that are changed between the steps of a shared count.

use std::{fs, fs::File, process::Output, time::SystemTime};

use serde_json::Value;

use super::{Mapped, error_of, same_table, with_games, words};
use crate::workbench::Workbench;

#[test]
fn a_file_that_changes_after_the_plan_is_refused() {
    let bench = with_games();
    let lines = bench.ok("cluster plan a.pgn --chunk 700KiB");
    bench.write("a.pgn", "[Event \"x\"]\n\n1. e4 1-0\n");
    let mut command = bench.command("cluster map --chunk");
    let error = error_of(&command.arg(lines.lines().next().unwrap()).output().unwrap(), 1);
    assert!(error.contains("had 2009804 bytes when it was planned, and has 23: plan again"), "{error}");
}

/// Maps a chunk as a plan has it.
fn map(bench: &Workbench, chunk: &Value) -> Output {
    let mut command = bench.command("cluster map --temp-dir . --chunk");
    command.arg(chunk.to_string()).args(words(&chunk["flags"]["map"])).output().unwrap()
}

fn plan(bench: &Workbench, more: &str) -> Vec<Value> {
    let lines = bench.ok(&format!("cluster plan a.pgn --chunk 700KiB --shards 4 -o games.table {more}"));
    lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn a_file_that_is_rewritten_with_the_same_length_is_refused() {
    let bench = with_games();
    let (planned, games) = (plan(&bench, ""), bench.text("a.pgn"));
    bench.write("a.pgn", games.replace("[Result \"1-0\"]", "[Result \"0-1\"]"));
    let error = error_of(&map(&bench, &planned[1]), 1);
    assert!(error.contains("a.pgn was rewritten after it was planned: chunk 1 had the checksum"), "{error}");
    assert!(error.contains("plan again"), "{error}");
    // As a network file system may have it: the same bytes at another time.
    bench.write("a.pgn", &games);
    File::options()
        .write(true)
        .open(bench.path("a.pgn"))
        .unwrap()
        .set_modified(SystemTime::UNIX_EPOCH)
        .unwrap();
    error_of(&map(&bench, &planned[1]), 0);
    assert_ne!(plan(&bench, "")[0]["plan"], planned[0]["plan"], "another time is another plan");
}

#[test]
fn every_byte_is_compared_on_request() {
    let bench = with_games();
    let games = bench.read("a.pgn");
    let time = bench.path("a.pgn").metadata().unwrap().modified().unwrap();
    let (ends, full) = (plan(&bench, ""), plan(&bench, "--check-inputs full"));
    assert!(
        map(&bench, &ends[1]).stdout == map(&bench, &full[1]).stdout || ends[0]["plan"] != full[0]["plan"]
    );
    // A date in the middle of a chunk, at the same time.
    let middle = games.len() / 2 + 1000;
    let at = middle + games[middle..].windows(7).position(|text| text == b"[Date \"").unwrap() + 7;
    let mut changed = games.clone();
    changed[at] = b'9';
    bench.write("a.pgn", changed);
    File::options().write(true).open(bench.path("a.pgn")).unwrap().set_modified(time).unwrap();
    error_of(&map(&bench, &ends[1]), 0);
    let error = error_of(&map(&bench, &full[1]), 1);
    assert!(error.contains("chunk 1 had the checksum"), "{error}");
}

#[test]
fn a_plan_that_is_edited_is_refused_by_the_number_of_its_chunk() {
    let bench = with_games();
    let planned = plan(&bench, "");
    let refused = |key: &str, value: Value| {
        let mut chunk = planned[2].clone();
        chunk[key] = value;
        error_of(&map(&bench, &chunk), 2)
    };
    for (key, value) in [("end", 1_500_000.into()), ("start", 0.into()), ("version", "1.5".into())] {
        let error = refused(key, value);
        assert!(error.contains("chunk 2 was changed: plan again"), "{key}: {error}");
    }
    assert!(refused("format", 1.into()).contains("chunk 2 was changed"));
    assert!(refused("format", 3.into()).contains("its format is 3, and this version reads up to 2"));

    let mapped = Mapped::new(&bench, "a.pgn --chunk 700KiB --shards 4");
    let lines = mapped.lines();
    let edited = lines.replacen("\"start\":716800", "\"start\":716801", 1);
    assert_ne!(edited, lines);
    let error = error_of(&mapped.commit("", &edited), 1);
    assert!(error.contains("chunk 1 is not that of the plan: it was changed"), "{error}");
}

#[test]
fn parts_that_are_damaged_are_found_by_footers_or_checksums() {
    let bench = with_games();
    bench.write("d.pgn", crate::roots::rooted_games(50));
    let mapped = Mapped::new(&bench, "a.pgn d.pgn --from-position --chunk 700KiB --shards 4");
    let lines = mapped.lines();
    let line: Value = serde_json::from_str(lines.lines().nth(2).unwrap()).unwrap();
    let part = std::path::PathBuf::from(line["path"].as_str().unwrap());
    let bytes = fs::read(&part).unwrap();
    let flipped = |at: usize| {
        let mut bytes = bytes.clone();
        bytes[at] ^= 1;
        fs::write(&part, bytes).unwrap();
    };
    flipped(bytes.len() - 2);
    let error = error_of(&mapped.commit("", &lines), 1);
    assert!(error.contains("part-00002"), "{error}");
    flipped(bytes.len() / 2);
    let error = error_of(&mapped.commit("--check", &lines), 1);
    assert!(error.contains("part-00002") && error.contains("checksum"), "{error}");
    fs::write(&part, &bytes).unwrap();
    let other = lines.replacen(&format!("\"rows\":{}", line["part"]["rows"]), "\"rows\":7", 1);
    assert_ne!(other, lines);
    let error = error_of(&mapped.commit("", &other), 1);
    assert!(error.contains("rows in its footer"), "{error}");
    let roots: Vec<_> =
        mapped.parts().into_iter().filter(|name| name.contains("00002") && name.contains("roots")).collect();
    assert_eq!(roots.len(), 1);
    let roots = part.with_file_name(&roots[0]);
    let sound = fs::read(&roots).unwrap();
    fs::write(&roots, [&[sound[0] ^ 1], &sound[1..]].concat()).unwrap();
    let error = error_of(&mapped.commit("--check", &lines), 1);
    assert!(error.contains("00002") && error.contains("checksum"), "{error}");
    fs::write(&roots, sound).unwrap();
    error_of(&mapped.commit("--check", &lines), 0);
    bench.ok("count a.pgn d.pgn --from-position --shards 4 -o whole.table");
    same_table(&bench, "games.table", "whole.table");
}
