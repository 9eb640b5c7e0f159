//! Inputs, plans and parts that are changed between the steps of a shared count.

use std::{fs, fs::File, time::SystemTime};

use serde_json::Value;

use super::{Mapped, Planned, error_of, same_table, with_games};
use crate::workbench::Workbench;

#[test]
fn a_file_that_changes_after_the_plan_is_refused() {
    let bench = with_games();
    let planned = Planned::new(&bench, "a.pgn --chunk 700KiB");
    bench.write("a.pgn", "[Event \"x\"]\n\n1. e4 1-0\n");
    let error = error_of(&planned.map(&bench, &planned.chunks[0]), 1);
    assert!(
        error.contains("had 2009804 bytes when the count was planned, but now has 23: plan again"),
        "{error}"
    );
}

fn plan(bench: &Workbench, more: &str) -> Planned {
    Planned::new(bench, &format!("a.pgn --chunk 700KiB --shards 4 -o games.table {more}"))
}

#[test]
fn a_file_that_is_rewritten_with_the_same_length_is_refused() {
    let bench = with_games();
    let (planned, games) = (plan(&bench, ""), bench.text("a.pgn"));
    bench.write("a.pgn", games.replace("[Result \"1-0\"]", "[Result \"0-1\"]"));
    let error = error_of(&planned.map(&bench, &planned.chunks[1]), 1);
    assert!(
        error.contains("a.pgn was rewritten after the count was planned (chunk 1 had the checksum"),
        "{error}"
    );
    assert!(error.contains("plan again"), "{error}");
    // As a network file system may have it: the same bytes at another time.
    bench.write("a.pgn", &games);
    File::options()
        .write(true)
        .open(bench.path("a.pgn"))
        .unwrap()
        .set_modified(SystemTime::UNIX_EPOCH)
        .unwrap();
    error_of(&planned.map(&bench, &planned.chunks[1]), 0);
    assert_ne!(plan(&bench, "").name(), planned.name(), "another time is another plan");
}

#[test]
fn every_byte_is_compared_on_request() {
    let bench = with_games();
    let games = bench.read("a.pgn");
    let time = bench.path("a.pgn").metadata().unwrap().modified().unwrap();
    let (ends, full) = (plan(&bench, ""), plan(&bench, "--check-inputs full"));
    assert!(
        ends.map(&bench, &ends.chunks[1]).stdout == full.map(&bench, &full.chunks[1]).stdout
            || ends.name() != full.name()
    );
    // A date in the middle of a chunk, at the same time.
    let middle = games.len() / 2 + 1000;
    let at = middle + games[middle..].windows(7).position(|text| text == b"[Date \"").unwrap() + 7;
    let mut changed = games.clone();
    changed[at] = b'9';
    bench.write("a.pgn", changed);
    File::options().write(true).open(bench.path("a.pgn")).unwrap().set_modified(time).unwrap();
    error_of(&ends.map(&bench, &ends.chunks[1]), 0);
    let error = error_of(&full.map(&bench, &full.chunks[1]), 1);
    assert!(error.contains("chunk 1 had the checksum"), "{error}");
}

#[test]
fn a_plan_that_is_edited_is_refused_by_the_number_of_its_chunk() {
    let bench = with_games();
    let planned = plan(&bench, "");
    let refused = |key: &str, value: Value| {
        let mut chunk = planned.chunks[2].clone();
        chunk[key] = value;
        error_of(&planned.map(&bench, &chunk), 2)
    };
    for (key, value) in [("end", 1_500_000.into()), ("start", 0.into()), ("version", "1.5".into())] {
        let error = refused(key, value);
        assert!(
            error.contains("chunk 2 was changed or belongs to another plan: plan again"),
            "{key}: {error}"
        );
    }
    let other = Planned::new(&bench, "a.pgn --chunk 700KiB --shards 4 --check-inputs full");
    let error = error_of(&other.map(&bench, &planned.chunks[1]), 2);
    assert!(error.contains("chunk 1 was changed or belongs to another plan"), "{error}");

    let mapped = Mapped::new(&bench, "a.pgn --chunk 700KiB --shards 4");
    let of_other = Mapped::new(&bench, "a.pgn --chunk 700KiB --shards 4 --check-inputs full");
    let mut streams = mapped.streams.clone();
    streams[1].clone_from(&of_other.streams[1]);
    let error = error_of(&mapped.reduce("a", streams.concat()), 1);
    assert!(error.contains("chunk 1"), "{error}");
    let lines = mapped.lines();
    let edited = lines.replacen("\"digest\":", "\"digest\":1,\"was\":", 1);
    assert_ne!(edited, lines);
    let error = error_of(&mapped.commit("", &edited), 1);
    assert!(
        error.contains("the inputs listed in the line of shard 0 differ from those of the plan"),
        "{error}"
    );
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
