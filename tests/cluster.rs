//! A count that machines share, its steps run by hand through files: the same table as on one machine, or a
//! clear error and no table.

mod by_hand;
mod changed;
mod kept;
mod shards;

use std::{fs, path::PathBuf, process::Output};

use serde_json::Value;

use crate::roots::rooted_games;
use crate::workbench::{Workbench, frames, sample};

/// A plan: its first line, and its chunks.
struct Planned {
    head: Value,
    chunks: Vec<Value>,
}

/// A plan, and what each of its chunks gave.
struct Mapped<'b> {
    bench: &'b Workbench,
    plan: Planned,
    streams: Vec<Vec<u8>>,
}

impl Planned {
    fn new(bench: &Workbench, arguments: &str) -> Self {
        let lines = bench.ok(&format!("cluster plan {arguments}"));
        let mut lines = lines.lines().map(|line| serde_json::from_str(line).unwrap());
        Self { head: lines.next().unwrap(), chunks: lines.collect() }
    }

    /// The name of the plan.
    fn name(&self) -> &str {
        self.head["plan"].as_str().unwrap()
    }

    fn flags(&self, step: &str) -> Vec<String> {
        words(&self.head["flags"][step])
    }

    fn map(&self, bench: &Workbench, chunk: &Value) -> Output {
        let mut command = bench.command("cluster map --temp-dir . --chunk");
        command.arg(chunk.to_string()).args(self.flags("map")).output().unwrap()
    }
}

fn words(list: &Value) -> Vec<String> {
    list.as_array().unwrap().iter().map(|word| word.as_str().unwrap().to_owned()).collect()
}

fn error_of(output: &Output, code: i32) -> String {
    let error = String::from_utf8(output.stderr.clone()).unwrap();
    assert_eq!(output.status.code(), Some(code), "{error}");
    error
}

impl<'b> Mapped<'b> {
    /// Plans a count into `games.table`, and counts each chunk.
    fn new(bench: &'b Workbench, arguments: &str) -> Self {
        Self::of(bench, Planned::new(bench, &format!("{arguments} -o games.table")))
    }

    fn of(bench: &'b Workbench, plan: Planned) -> Self {
        let streams = plan.chunks.iter().map(|chunk| Self::map(bench, &plan, chunk)).collect();
        Self { bench, plan, streams }
    }

    fn map(bench: &Workbench, plan: &Planned, chunk: &Value) -> Vec<u8> {
        let output = plan.map(bench, chunk);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        output.stdout
    }

    fn reduce(&self, attempt: &str, input: Vec<u8>) -> Output {
        let mut command = self.bench.command("cluster reduce --temp-dir . --plan");
        command.arg(self.plan.name()).args(["--attempt", attempt]);
        command.args(self.plan.flags("reduce")).write_stdin(input).output().unwrap()
    }

    /// The lines of all shards.
    fn lines(&self) -> String {
        let reduced = self.reduce("first", self.streams.concat());
        error_of(&reduced, 0);
        String::from_utf8(reduced.stdout).unwrap()
    }

    fn commit(&self, more: &str, lines: &str) -> Output {
        let mut command = self.bench.command(&format!("cluster commit {more}"));
        command.args(self.plan.flags("commit")).write_stdin(lines).output().unwrap()
    }

    /// What stays in the folder of parts.
    fn parts(&self) -> Vec<String> {
        let names = self.bench.names();
        let folder = names.iter().find(|name| name.contains(".parts"));
        folder.map_or_else(Vec::new, |folder| {
            let entries = fs::read_dir(self.bench.path(folder)).unwrap();
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
        })
    }
}

fn same_table(bench: &Workbench, one: &str, other: &str) {
    let manifest = |table: &str| fs::read_to_string(bench.path(table).join("_manifest.json")).unwrap();
    assert_eq!(manifest(one), manifest(other));
    assert!(bench.part_bytes(one) == bench.part_bytes(other), "{one} and {other}");
}

/// Counts in chunks of that many bytes and at once; how many chunks there were.
fn check(bench: &Workbench, chunk: &str, arguments: &str) -> usize {
    let mapped = Mapped::new(bench, &format!("{arguments} --chunk {chunk}"));
    let done = mapped.commit("--json", &mapped.lines());
    error_of(&done, 0);
    let report: Value = serde_json::from_slice(&done.stdout).unwrap();
    let expected = bench.json(&format!("count {arguments} -j 1 -o whole.table"));
    for key in ["games", "accepted", "filtered", "rejected", "cut", "observations", "edges"] {
        assert_eq!(report[key], expected[key], "{key}");
    }
    same_table(bench, "games.table", "whole.table");
    bench.ok("verify games.table");
    assert_eq!(mapped.parts(), [""; 0], "nothing is left");
    fs::remove_dir_all(bench.path("games.table")).unwrap();
    fs::remove_dir_all(bench.path("whole.table")).unwrap();
    mapped.plan.chunks.len()
}

/// The sample as a plain file, gzip, and a pzstd file.
fn with_games() -> Workbench {
    let bench = Workbench::new();
    let games = fs::read(sample()).unwrap();
    bench.write("a.pgn", &games);
    bench.write("b.pgn.zst", frames(&games.repeat(4), 1_500_001));
    bench.write("c.pgn.zst", zstd::encode_all(&games[..300_000], 1).unwrap());
    bench
}

#[test]
fn shared_counts_are_the_same_bytes() {
    let bench = with_games();
    assert_eq!(check(&bench, "200KiB", "a.pgn"), 10);
    assert!(check(&bench, "1MiB", "a.pgn b.pgn.zst c.pgn.zst --shards 4 --max-ply 0") >= 5);
    let filtered = "a.pgn c.pgn.zst --result 1-0 --ratings --by month,rating-band --shards 32";
    assert_eq!(check(&bench, "700KiB", filtered), 4);
    assert_eq!(check(&bench, "1GiB", "c.pgn.zst --line e4 --memory 24MiB").min(1), 1);
    bench.write("d.pgn", rooted_games(500));
    assert!(check(&bench, "200KiB", "d.pgn --from-position") > 1);
}

#[test]
fn lines_that_cannot_be_read_are_an_error_with_its_cause() {
    let bench = Workbench::new();
    let (code, error) = bench.ended("exec \"$TABIA\" cluster commit -o games.table < .");
    assert_eq!(code, Some(1), "{error}");
    assert_eq!(error, "tabia: cannot read standard input: Is a directory (os error 21)\n");
}

#[test]
fn what_happens_to_records_on_their_way_shows() {
    let bench = with_games();
    let mapped = Mapped::new(&bench, "a.pgn --chunk 700KiB --shards 4");
    assert_eq!(mapped.streams.len(), 3);
    let refused = |streams: &[&[u8]]| {
        let error = error_of(&mapped.reduce("a", streams.concat()), 1);
        assert_eq!(mapped.parts(), [""; 0], "no part of a shard that fails");
        error
    };
    let [first, second, third] = [0, 1, 2].map(|chunk| &mapped.streams[chunk][..]);
    let dropped = refused(&[first, third]);
    assert!(dropped.contains("the report of chunk 1 is missing"), "{dropped}");
    let doubled = refused(&[first, second, third, second]);
    assert!(doubled.contains("of chunk 1 arrived twice"), "{doubled}");
    let mut flipped = second.to_vec();
    let at = flipped.len() / 2;
    flipped[at] ^= 1;
    let error = refused(&[first, &flipped, third]);
    assert!(error.contains("chunk 1 is damaged") || error.contains("not a stream of runs"), "{error}");
    let error = refused(&[first, third, &second[..second.len() / 2]]);
    assert!(error.contains("not a stream of runs"), "{error}");
    assert!(refused(&[b"no stream"]).contains("not a stream of runs"));
    assert!(refused(&[b""]).contains("not a stream of runs"));
    // Another count, by its settings, is another job.
    let other = Mapped::new(&bench, "a.pgn --chunk 700KiB --shards 4 --max-ply 3 --force");
    let error = refused(&[first, &other.streams[1], third]);
    assert!(error.contains("of another count, source or bucket, or of other settings"), "{error}");
}

#[test]
fn tasks_may_run_twice_and_die() {
    let bench = with_games();
    let mapped = Mapped::new(&bench, "a.pgn --chunk 700KiB --shards 4");
    let again: Vec<Vec<u8>> =
        mapped.plan.chunks.iter().map(|chunk| Mapped::map(&bench, &mapped.plan, chunk)).collect();
    assert!(again == mapped.streams, "a chunk gives the same records each time");
    let lines = mapped.lines();
    error_of(&mapped.reduce("second", again.concat()), 0);
    assert_eq!(mapped.parts().len(), 16, "each attempt has a part and a line of its own");
    let same_name = error_of(&mapped.reduce("second", again.concat()), 1);
    assert!(same_name.contains("another attempt has this name"), "{same_name}");
    error_of(&mapped.commit("", &lines), 0);
    assert_eq!(mapped.parts(), [""; 0]);
    bench.ok("count a.pgn --shards 4 -o whole.table");
    same_table(&bench, "games.table", "whole.table");
}

#[test]
fn a_table_appears_only_with_all_its_shards() {
    let bench = with_games();
    let mapped = Mapped::new(&bench, "a.pgn --chunk 700KiB --shards 4");
    let lines = mapped.lines();
    let list: Vec<&str> = lines.lines().collect();
    let refused = |lines: &[&str]| {
        let error = error_of(&mapped.commit("", &lines.join("\n")), 1);
        assert!(!bench.path("games.table").exists(), "no table");
        error
    };
    assert!(refused(&list[..3]).contains("shard 3 of 4 is missing"));
    assert!(refused(&list[1..]).contains("shard 0 of 4 is missing"));
    assert!(refused(&[&list[..], &list[2..3]].concat()).contains("shard 2 occurs twice"));
    assert!(refused(&[]).contains("shard 0 of 1 is missing"));
    assert!(refused(&["{}"]).contains("line 1: missing field"));
    let fewer = list[0].replacen("\"chunks\":3", "\"chunks\":2", 1);
    assert_ne!(fewer, list[0], "the inputs are in the line");
    assert!(refused(&[&fewer, list[1], list[2], list[3]]).contains("shard 0 differ from those of the plan"));
    let changed = |key: &str, value: &str| {
        let mut line: Value = serde_json::from_str(list[2]).unwrap();
        *line.pointer_mut(key).unwrap() = value.into();
        let line = line.to_string();
        refused(&[list[0], list[1], &line, list[3]])
    };
    let stranger = bench.path("stranger.parquet");
    fs::write(&stranger, b"of another").unwrap();
    let other: Value = serde_json::from_str(list[3]).unwrap();
    for path in [stranger.to_str().unwrap(), "../../etc/passwd", "s3://bucket/part-00002.a.parquet"] {
        assert!(changed("/path", path).contains(&format!("{path} is not a part of shard 2")));
    }
    assert!(changed("/path", other["path"].as_str().unwrap()).contains("is not a part of shard 2"));
    for name in ["../../stranger.parquet", "part-00003.parquet", "_manifest.json"] {
        assert!(changed("/part/part", name).contains("the file of shard 2 must be named "), "{name}");
    }
    let job = lines.replace("\"job\":\"", "\"job\":\"/../");
    assert!(refused(&job.lines().collect::<Vec<_>>()).contains("is not the name of a count"));
    assert_eq!(fs::read(&stranger).unwrap(), b"of another", "it is not moved away");
    let part = PathBuf::from(serde_json::from_str::<Value>(list[2]).unwrap()["path"].as_str().unwrap());
    let bytes = fs::read(&part).unwrap();
    fs::write(&part, &bytes[..bytes.len() - 1]).unwrap();
    assert!(refused(&list).contains("bytes"), "a part that is cut");
    fs::write(&part, bytes).unwrap();
    error_of(&mapped.commit("", &lines), 0);
    bench.ok("verify games.table");
}

#[test]
fn a_count_of_nothing_and_a_strict_one_end_as_on_one_machine() {
    let bench = with_games();
    let nothing = Mapped::new(&bench, "a.pgn --chunk 1MiB --min-elo 3900");
    let error = error_of(&nothing.commit("", &nothing.lines()), 1);
    let alone = bench.fails("count a.pgn --min-elo 3900 -o whole.table", 1);
    assert!(error.contains("games counts: filtered (min-elo"), "{error}");
    assert!(alone.contains(error.split(';').next().unwrap()), "{alone} {error}");
    let folder = bench.names().into_iter().find(|name| name.contains(".parts")).unwrap();
    bench.ok(&format!("cluster commit --parts {folder} --allow-empty"));
    assert_eq!(nothing.parts(), [""; 0]);
    bench.write("broken.pgn", "[Event \"a\"]\n\n1. e4 e5 1-0\n\n[Event \"b\"]\n\n1. e5 1-0\n");
    let strict = Mapped::new(&bench, "broken.pgn --strict --force");
    let error = error_of(&strict.commit("", &strict.lines()), 1);
    assert!(error.contains("1 games or records were rejected"), "{error}");
}

#[test]
fn what_needs_one_machine_is_refused_by_name() {
    let bench = with_games();
    let why = |arguments: &str| bench.fails(&format!("cluster plan {arguments}"), 2);
    for (flag, name) in [("--dedup-games truncated", "--dedup-games"), ("--limit 5", "--limit")] {
        let error = why(&format!("a.pgn {flag}"));
        assert!(error.contains(&format!("{name}: needs one machine")), "{error}");
    }
    assert!(why("-").contains("several machines cannot share standard input"));
    assert!(why("a.pgn --shards 3").contains("--shards: must be a power of two"));
    assert!(why("a.pgn -o a.pgn").contains("a.pgn"));
    bench.ok("count a.pgn -o games.table -q");
    assert!(why("a.pgn -o games.table").contains("games.table already exists"));
    let map = "cluster map --plan 0011223344556677-1 --chunk {}";
    assert!(bench.fails(map, 2).contains("not a valid line from a plan"));
    let mapped = Mapped::new(&bench, "c.pgn.zst --force");
    let error = error_of(&mapped.reduce("a/b", mapped.streams.concat()), 2);
    assert!(error.contains("`a/b` is not the name of an attempt"), "{error}");
}

#[test]
fn tables_are_added_up_shard_by_shard() {
    let bench = with_games();
    bench.write("d.pgn", rooted_games(5));
    bench.ok("count a.pgn d.pgn --from-position -o one.table --shards 4 -q");
    bench.ok("count c.pgn.zst --from-position -o two.table --shards 2 -q");
    bench.ok("merge one.table two.table -o whole.table -q");
    let merge =
        |shard: u32| format!("cluster merge --shard {shard} --attempt a one.table two.table -o sum.table");
    let lines: String = (0..4).map(|shard| bench.ok(&merge(shard))).collect();
    let done = bench.command("cluster commit -o sum.table").write_stdin(lines).output().unwrap();
    error_of(&done, 0);
    same_table(&bench, "sum.table", "whole.table");
    bench.ok("verify sum.table");
    assert!(bench.fails(&merge(4), 2).contains("--shard: must be below 4"));
    let twice = "cluster merge --shard 0 --attempt a one.table one.table -o x.table";
    assert!(bench.fails(twice, 1).contains("--force counts it again"));
}

#[test]
fn one_recipe_is_for_one_machine_or_many() {
    let bench = with_games();
    bench.write(
        "book.toml",
        "[pipeline]\nformat = 1\n[cluster]\nmaster = 'spark://host:7077'\nshards = 4\nchunk = '700KiB'\n\
         [stage.games]\nkind = 'read-games'\npaths = ['a.pgn']\n\
         [stage.replay]\nkind = 'replay'\ninputs = ['games']\nmax_ply = 20\n\
         [stage.tally]\nkind = 'sort-merge'\ninputs = ['replay']\noutput = 'games.table'\nshards = 4\n\
         [stage.book]\nkind = 'compact'\ninputs = ['tally']\noutput = 'many.tabia'\n",
    );
    let plan = Planned::new(&bench, "--recipe book.toml");
    assert_eq!((plan.chunks.len(), plan.head["master"].as_str()), (3, Some("spark://host:7077")));
    let mapped = Mapped::of(&bench, plan);
    error_of(&mapped.commit("", &mapped.lines()), 0);
    bench.ok(&words(&mapped.plan.head["then"]).join(" "));
    fs::rename(bench.path("games.table"), bench.path("of-many.table")).unwrap();
    fs::rename(bench.path("many.tabia"), bench.path("of-many.tabia")).unwrap();
    let alone = bench.run("run book.toml");
    let said = error_of(&alone, 0);
    assert!(said.contains("[cluster] is for tabia-spark: this machine counts alone"), "{said}");
    same_table(&bench, "games.table", "of-many.table");
    assert!(bench.read("many.tabia") == bench.read("of-many.tabia"));
    bench.assert_fails("cluster plan --recipe book.toml --max-ply 3", 2, ["change the settings there"]);
    bench
        .write("none.toml", "[pipeline]\nformat = 1\n[stage.t]\nkind = 'open-table'\npath = 'games.table'\n");
    bench.assert_fails("cluster plan --recipe none.toml", 2, ["the recipe has none"]);
}

#[test]
fn real_games_come_out_the_same() {
    let bench = Workbench::new();
    let (Some(twic), Some(tcec)) = (testing::corpus("twic-a.pgn.zst"), testing::corpus("tcec-a.pgn.zst"))
    else {
        return;
    };
    let text = zstd::decode_all(&*fs::read(twic).unwrap()).unwrap();
    bench.write("twic.pgn", text);
    let files = format!("twic.pgn {}", tcec.display());
    assert_eq!(check(&bench, "900KiB", &format!("{files} --from-position --by speed")), 10);
}
