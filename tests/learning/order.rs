//! One order of lessons: the files as given, then their records, for any number of threads, any packing, file
//! or standard input.

use std::{fs, io::Write as _};

use super::{CRAFTY, lesson, record, ruy};
use crate::workbench::Workbench;

/// Versions of every way to back up that needs no own side.
const VERSIONS: [&str; 5] = ["15.17", "16.19", "12.6", "18.15", "20.14"];

/// Records by these versions, no two alike.
fn many(count: usize, versions: &[&str]) -> String {
    let lasts = ["O-O", "d3", "Nc3", "Nc3 Bb4"];
    let one = |n: usize| {
        let moves = match n % 3 {
            0 => "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6".to_owned(),
            _ => format!("{} {}", super::RUY, lasts[n % lasts.len()]),
        };
        let value = (n * 7919 % 601).cast_signed() - 300;
        record(
            &format!("Crafty {}", versions[n % versions.len()]),
            &format!("opp{n}"),
            &moves,
            &format!("{value} 5 0"),
        )
    };
    (0..count).map(one).collect()
}

#[test]
fn threads_and_chunks_cannot_show() {
    let bench = ruy();
    let text = many(24_000, &VERSIONS);
    assert!(text.len() > 2 << 20, "several chunks");
    bench.write("many.lrn", text);
    let bytes = |options: &str| {
        let learning = bench.learn(&format!("crafty many.lrn {options}"), "x.experience.parquet");
        // The others had no choice: most moves were unplayable by then.
        assert!(
            learning["taught"].as_u64().unwrap() > 20_000 && learning["rejected"] == serde_json::json!({})
        );
        bench.read("x.experience.parquet")
    };
    let one = bytes("--threads 1");
    for options in ["--threads 2", "--threads 5", "--threads 3 --memory 64MiB"] {
        assert!(bytes(options) == one, "{options}");
    }
}

#[test]
fn packed_files_and_standard_input_teach_the_same() {
    let bench = ruy();
    let text = lesson("a", "O-O", -135) + &lesson("b", "d3", -139);
    bench.write("plain.lrn", &text);
    bench.write("packed.lrn.zst", zstd::encode_all(text.as_bytes(), 3).unwrap());
    bench.learn("crafty plain.lrn", "plain.parquet");
    bench.learn("crafty packed.lrn.zst", "packed.parquet");
    let mut command = bench.command("learn crafty - --table ruy.table -o piped.parquet");
    assert!(command.write_stdin(text).output().unwrap().status.success());
    for other in ["packed.parquet", "piped.parquet"] {
        assert!(bench.agree("plain.parquet", other), "{other}");
    }
}

#[test]
fn folders_and_globs_come_in_byte_order_and_hold_learned_files_only() {
    let bench = ruy();
    fs::create_dir_all(bench.path("all/deep")).unwrap();
    // In byte order: B, a10, a9, deep/c.
    let files = [("all/a9.lrn", -30), ("all/B.lrn", -10), ("all/deep/c.lrn", -40), ("all/a10.lrn", -20)];
    for (name, value) in files {
        bench.write(name, lesson(name, "O-O", value));
    }
    bench.write("all/games.pgn", super::game("a", "b", "1-0", &[], "e4 e5"));
    bench.write("all/notes.txt", "nothing to learn\n");
    bench.learn("crafty all/B.lrn all/a10.lrn all/a9.lrn all/deep/c.lrn", "in_order.parquet");
    bench.learn("crafty all", "folder.parquet");
    assert!(bench.agree("in_order.parquet", "folder.parquet"));
    bench.learn("crafty all/B.lrn all/a10.lrn all/a9.lrn", "three.parquet");
    bench.learn("crafty all/*.lrn", "glob.parquet");
    assert!(bench.agree("three.parquet", "glob.parquet"));
    bench.learn("crafty all/deep/c.lrn all/a9.lrn all/a10.lrn all/B.lrn", "backwards.parquet");
    assert!(!bench.agree("in_order.parquet", "backwards.parquet"), "the last lesson weighs most");
}

#[test]
fn a_file_named_twice_is_read_once_and_said_so() {
    let bench = ruy();
    bench.write("a.lrn", lesson("a", "O-O", -135));
    let summary = bench.learn_with("crafty a.lrn ./a.lrn --dedup off", "x.parquet");
    assert_eq!(summary["learning"]["records"], 1);
    assert!(summary["warnings"][0].as_str().unwrap().contains("given more than once"), "{summary}");
}

/// The date and depth of a record change from copy to copy, and a name is cut to 31 bytes.
#[test]
fn copies_teach_once() {
    let bench = ruy();
    let name = "an opponent with a name that is long";
    let moves = format!("{} O-O", super::RUY);
    let mut text = record(CRAFTY, name, &moves, "-40 5 0");
    text += &record(CRAFTY, &name[..31], &moves, "-40 9 0").replace("1998.09.01", "1999.01.01");
    text += &record(CRAFTY, name, &moves, "-40 5 1");
    text += &record(CRAFTY, name, &moves, "-41 5 0");
    text += &record(CRAFTY, &name[..30], &moves, "-40 5 0");
    text += &record(CRAFTY, name, &format!("{} d3", super::RUY), "-40 5 0");
    bench.write("copies.lrn", text);
    let on = bench.learn("crafty copies.lrn", "on.parquet");
    assert_eq!((&on["records"], &on["taught"], &on["idle"]["duplicate"]), (&6.into(), &5.into(), &1.into()));
    let off = bench.learn("crafty copies.lrn --dedup off", "off.parquet");
    assert_eq!((&off["taught"], &off["idle"]), (&6.into(), &serde_json::json!({})));
    assert!(!bench.agree("on.parquet", "off.parquet"));
}

#[test]
fn going_on_is_learning_in_one_go() {
    let bench = ruy();
    let text = many(200, &VERSIONS);
    let records: Vec<_> = text.split_inclusive("}\n").collect();
    bench.write("first.lrn", records[..100].concat());
    // Thirty records of the first file again, before and among new ones.
    bench.write("second.lrn", [&records[70..150], &records[..20], &records[150..200]].concat().concat());
    let whole = bench.learn("crafty first.lrn second.lrn", "whole.parquet");
    let first = bench.learn("crafty first.lrn", "first.parquet");
    let rest = bench.learn("crafty second.lrn --continue first.parquet", "both.parquet");
    // A ramp may find no choice now and one later: the copy of such a record is still a copy.
    assert!(whole["idle"]["no-branch"].as_u64().unwrap() > 0, "{whole}");
    let count = |learning: &serde_json::Value, name: &str| learning[name].as_u64().unwrap();
    assert_eq!(count(&whole, "taught"), count(&first, "taught") + count(&rest, "taught"));
    assert_eq!((&whole["idle"]["duplicate"], &rest["idle"]["duplicate"]), (&50.into(), &50.into()));
    assert!(bench.agree("whole.parquet", "both.parquet"));
    assert_eq!(bench.known("whole.parquet"), bench.known("both.parquet"), "sources and counts too");
    let again = bench.learn("crafty second.lrn first.lrn --continue both.parquet", "again.parquet");
    assert_eq!((&again["taught"], &again["idle"]["duplicate"]), (&0.into(), &250.into()));
    assert!(bench.agree("both.parquet", "again.parquet"));
}

/// A packed file cut short is an error of the file, not a shorter file.
#[test]
fn a_packed_file_cut_short_fails() {
    let bench = ruy();
    let mut packed = zstd::Encoder::new(Vec::new(), 3).unwrap();
    packed.write_all(many(24_000, &VERSIONS).as_bytes()).unwrap();
    let packed = packed.finish().unwrap();
    bench.write("cut.lrn.zst", &packed[..packed.len() / 2]);
    bench.assert_fails("learn crafty cut.lrn.zst --table ruy.table -o x.parquet", 1, ["cut.lrn.zst"]);
    assert_eq!(names_of_experience(&bench), Vec::<String>::new());
}

fn names_of_experience(bench: &Workbench) -> Vec<String> {
    bench.names().into_iter().filter(|name| name.ends_with(".parquet")).collect()
}
