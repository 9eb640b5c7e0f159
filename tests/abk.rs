//! Books of Arena: into tables and books, and back.

mod layout;
mod once;

use std::{collections::BTreeMap, fs};

use serde_json::Value;
use testing::corpus;

use self::layout::{Written, abk, played};
use crate::workbench::{Workbench, tallies};

/// Ten games: 1. e4 e5 and 1. e4 c5, and by two ways 1. d4 d5 2. Nf3, of which one goes on.
fn games() -> Vec<Written> {
    vec![
        played("e2e4", 9, [6, 3, 2], Some(1), Some(3)),
        played("e7e5", 5, [2, 2, 0], None, Some(2)),
        played("c7c5", 7, [3, 0, 2], None, None),
        played("d2d4", 4, [3, 1, 1], Some(4), Some(6)),
        played("d7d5", 5, [3, 1, 1], Some(5), None),
        played("g1f3", 5, [2, 1, 0], None, None),
        played("g1f3", 2, [1, 0, 0], Some(7), None),
        played("d7d5", 5, [1, 0, 0], Some(8), None),
        played("d2d4", 5, [1, 0, 0], Some(9), None),
        played("g8f6", 0, [1, 0, 0], None, None),
    ]
}

/// Positions with their tallies, moves and values, by key.
fn positions(bench: &Workbench, book: &str) -> BTreeMap<String, (Value, Value, Vec<Value>)> {
    let text = bench.ok(&format!("export json {book}"));
    let lines = text.lines().skip(1).map(|line| serde_json::from_str::<Value>(line).unwrap());
    let values = |line: &Value| {
        let rows = line["experience"].as_array().cloned().unwrap_or_default();
        rows.iter().map(|row| row["user_value"].clone()).collect()
    };
    let of = |line: Value| {
        let of = (line["tally"].clone(), line["moves"].clone(), values(&line));
        (line["key"].as_str().unwrap().to_owned(), of)
    };
    lines.map(of).collect()
}

#[test]
fn results_become_a_table_and_lines_to_one_position_join() {
    let bench = Workbench::with("a.abk", abk(&games()));
    let said = bench.json("import abk a.abk -o a.table");
    bench.ok("verify a.table");
    assert_eq!((&said["accepted"], &said["imported"]["moves"]), (&10.into(), &10.into()));
    let start = tallies(&bench.probe("a.table", ""), "uci");
    let named = |name: &str, tally| (name.to_owned(), tally);
    let expected = [named("e2e4", [3, 1, 2]), named("d2d4", [1, 1, 1]), named("g1f3", [0, 1, 0])];
    assert_eq!(start, expected);
    let joined = bench.probe("a.table", "d4 d5 Nf3");
    assert_eq!(tallies(&joined, "uci"), [named("g8f6", [0, 1, 0])]);
    let visits = ["white", "draws", "black"].map(|what| joined["tally"][what].as_u64());
    assert_eq!(visits, [Some(1), Some(2), Some(0)], "both lines lead there: {joined}");
    bench.ok("import abk a.abk -o b.table");
    assert_eq!(bench.part_bytes("a.table"), bench.part_bytes("b.table"));
    let error = bench.fails("merge a.table b.table -o c.table", 1);
    assert!(error.contains("a.abk"), "the same games are not counted twice: {error}");
}

#[test]
fn priorities_become_values_of_a_book() {
    let bench = Workbench::with("a.abk", abk(&games()));
    let output = bench.run("import abk a.abk -o a.tabia");
    assert!(output.status.success());
    bench.ok("verify a.tabia");
    let start = &positions(&bench, "a.tabia")["463b96181691fc9c"];
    assert_eq!(start.0, serde_json::json!([4, 3, 3]));
    let moves: Vec<_> = start.1.as_array().unwrap().iter().map(|mv| mv["move"].clone()).collect();
    assert_eq!(
        (moves, start.2.clone()),
        (vec!["g1f3".into(), "d2d4".into(), "e2e4".into()], vec![22.into(), 44.into(), 100.into()])
    );
    let unplayable = bench.probe("a.tabia", "d4 d5 Nf3");
    assert_eq!(unplayable["moves"][0]["known"]["playable"], false, "{unplayable}");
}

#[test]
fn what_is_left_out_is_counted_and_named() {
    let bench = Workbench::new();
    let mut records = games();
    records[1].flags = 0x0100_00fa;
    records[4] = Written { from: "d7", to: "d4", ..records[4] };
    records[6].games = [0, 0, 0];
    records[8].games = [1, 1, 1];
    records.push(played("h2h4", 5, [1, 0, 0], None, None));
    bench.write("a.abk", abk(&records));
    let output = bench.run("import abk a.abk -o a.table --json");
    let said: Value = serde_json::from_slice(&output.stdout).unwrap();
    let imported = serde_json::json!({
        "records": 11, "moves": 6, "positions left by more games than reached them": 3, "deleted moves left out": 1, "illegal moves left out": 1,
        "records that no line leads to": 2, "moves without games": 1, "moves with more results than games": 1,
    });
    assert_eq!(said["imported"], imported);
    let error = String::from_utf8(output.stderr).unwrap();
    let named = "record 904, d7d4 in rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq -";
    assert!(
        error.contains(named) && error.contains("left out, along with everything that follows them"),
        "{error}"
    );
    bench.ok("verify a.table");
}

#[test]
fn games_without_results_are_no_table_and_draws_of_a_book() {
    let bench = Workbench::new();
    let mut records = games();
    for record in &mut records {
        record.games = [record.games[0], 0, 0];
    }
    records[9].games = [0, 0, 0];
    bench.write("a.abk", abk(&records));
    bench.assert_fails("import abk a.abk -o a.table", 1, ["has no results", "-o NAME.tabia"]);
    assert_eq!(bench.names(), ["a.abk"]);
    bench.assert_says("import abk a.abk -o a.tabia", ["so the book counts each of its games as a draw"]);
    let start = tallies(&bench.probe("a.tabia", ""), "uci");
    assert_eq!(start.iter().map(|(_, tally)| tally[1]).collect::<Vec<_>>(), [6, 3, 1]);
    assert_eq!(tallies(&bench.probe("a.tabia", "Nf3 d5 d4"), "uci")[0].1, [0, 0, 0], "it has no game");
    bench.ok("verify a.tabia");
}

/// What was added by hand has no games, and stays with its priority; a table counts games.
#[test]
fn moves_without_games_are_kept_in_a_book_and_have_none() {
    let bench = Workbench::new();
    let mut records = games();
    records[2].games = [0, 0, 0];
    bench.write("a.abk", abk(&records));
    let said = bench.json("import abk a.abk -o a.tabia");
    assert_eq!(
        (&said["imported"]["moves"], &said["imported"]["moves without games"]),
        (&10.into(), &1.into())
    );
    let moves = bench.probe("a.tabia", "e4")["moves"].clone();
    assert_eq!((&moves[1]["uci"], &moves[1]["known"]["user_value"]), (&"c7c5".into(), &78.into()));
    assert_eq!(tallies(&bench.probe("a.tabia", "e4"), "uci")[1].1, [0, 0, 0]);
    bench.ok("verify a.tabia");
    let said = bench.json("import abk a.abk -o a.table");
    assert_eq!(
        (&said["imported"]["moves"], &said["imported"]["moves without games"]),
        (&9.into(), &1.into())
    );
    assert_eq!(tallies(&bench.probe("a.table", "e4"), "uci").len(), 1);
}

/// Their kind, their beginning and their size are looked at first.
#[test]
fn files_of_another_kind_and_huge_ones_are_not_read() {
    let bench = Workbench::new();
    let sparse = |name: &str, head: &[u8], bytes: u64| {
        bench.write(name, head);
        fs::File::options().write(true).open(bench.path(name)).unwrap().set_len(bytes).unwrap();
    };
    sparse("games.pgn", &b"[Event \"x\"]\n".repeat(10_000), 1 << 30);
    sparse("huge.abk", b"\x03ABK", 1 << 42);
    sparse("huge.ctg", b"", 1 << 42);
    fs::create_dir(bench.path("folder")).unwrap();
    let left = bench.names();
    for (arguments, why) in [
        ("abk games.pgn", "games.pgn is PGN; build a book of it"),
        ("ctg games.pgn", "games.pgn is PGN; build a book of it"),
        ("abk huge.abk", "huge.abk has 4398046511104 bytes, but this machine can import at most"),
        ("ctg huge.ctg", "huge.ctg has 4398046511104 bytes, but this machine can import at most"),
        ("abk folder", "folder"),
        ("ctg /dev/zero", "/dev/zero is neither a file nor a folder"),
    ] {
        // Less memory than the file of games takes.
        let command = format!("ulimit -v 800000; exec \"$TABIA\" import {arguments} -o x.tabia");
        let (code, error) = bench.ended(&command);
        assert_eq!((code, error.lines().count()), (Some(1), 1), "{arguments}: {error}");
        assert!(error.contains(why), "{arguments}: {error}");
        assert_eq!(bench.names(), left);
    }
}

#[test]
fn damaged_files_are_refused_by_record() {
    let bench = Workbench::new();
    let good = abk(&games());
    let changed = |record: usize, change: fn(&mut Written)| {
        let mut records = games();
        change(&mut records[record]);
        abk(&records)
    };
    let wrong = [
        (good[..20_000].to_vec(), "damaged at record 714 (byte 19992): the file ends within its header"),
        (
            good[..good.len() - 1].to_vec(),
            "damaged at record 909 (byte 25452): the file ends within this record",
        ),
        (b"\x03PGN".to_vec(), "is not an Arena book (ABK)"),
        (
            changed(2, |record| record.sibling = Some(1)),
            "record 901 (byte 25228): two links lead to this record",
        ),
        (
            changed(9, |record| record.next = Some(0)),
            "record 900 (byte 25200): two links lead to this record",
        ),
        (changed(3, |record| record.sibling = Some(40)), "record 903 (byte 25284): a link leads to a record"),
        (changed(5, |record| record.next = Some(-300)), "record 600 (byte 16800): a link leads to a record"),
        (changed(5, |record| record.games[1] = -1), "record 905 (byte 25340): a number of games is negative"),
        (good[..25_200].to_vec(), "no move is kept: a.abk contains no move that can be played"),
    ];
    for (bytes, why) in wrong {
        bench.write("a.abk", bytes);
        for output in ["a.table", "a.tabia"] {
            let error = bench.fails(&format!("import abk a.abk -o {output}"), 1);
            assert!(error.contains(why), "{why}:\n{error}");
        }
        assert_eq!(bench.names(), ["a.abk"]);
    }
}

#[test]
fn other_files_and_formats_are_named() {
    let bench = Workbench::after(["build SAMPLE -o s.tabia --polyglot s.bin --min-games 3"]);
    bench.write("e.exp", "\0\x01\x02");
    for (arguments, code, why) in [
        ("import abk s.bin -o x.tabia", 2, "s.bin is a Polyglot book, which needs no import"),
        ("import abk s.tabia -o x.table", 2, "s.tabia is a book, which needs no import"),
        ("import abk e.exp -o x.tabia", 1, "e.exp is an experience file of BrainLearn"),
        ("import exp e.exp -o x.tabia", 2, "`tabia learn exp experience.exp -o"),
        ("import bin s.bin -o x.tabia", 2, "a Polyglot book (BIN) needs no import"),
        ("import akb s.bin -o x.tabia", 2, "`akb` is not a format that can be imported"),
        ("import pgn lines.pgn -o x.tabia", 2, "from the lines of a repertoire with `--repertoire` added"),
        ("import abk s.bin -o x.book", 2, "expected NAME.table (a table of counts)"),
        ("import abk s.bin -o -", 2, "cannot be written to standard output"),
        ("import abk missing.abk -o x.tabia", 1, "missing.abk: No such file"),
        ("import abk s.bin -o s.tabia", 2, "s.tabia already exists"),
        ("export abk s.bin -o x.abk", 2, "has weights but no counts"),
        ("export abk s.tabia -o -", 2, "cannot be written to standard output"),
        ("export abk s.tabia -o s.bin", 2, "the ending .bin is that of a Polyglot book"),
        ("export abk s.tabia -o e.exp", 2, "the ending .exp is that of what an engine learned"),
        ("export abk s.tabia -o x.abk --min-games 9999", 1, "no move is kept"),
        ("export abk s.tabia -o x.abk --max-records 0", 2, "0 is not in 1.."),
    ] {
        bench.assert_fails(arguments, code, [why]);
    }
    assert!(!bench.names().iter().any(|name| name.starts_with('x')));
}

#[test]
fn a_book_comes_back_with_its_values() {
    let bench = Workbench::after(["count SAMPLE -o a.table"]);
    bench.write("v.txt", "e4: 78\ne4 c5: 0\nd4 d5: 33\n");
    bench.ok("learn set --from v.txt -o v.parquet");
    bench.ok("compact a.table --min-games 3 --experience v.parquet -o a.tabia");
    let said: Value = bench.json("export abk a.tabia -o a.abk --max-ply 60");
    bench.ok("export abk a.tabia -o again.abk --max-ply 60");
    assert_eq!(bench.read("a.abk"), bench.read("again.abk"));
    bench.ok("import abk a.abk -o b.tabia");
    let (before, after) = (positions(&bench, "a.tabia"), positions(&bench, "b.tabia"));
    let moves = |of: &BTreeMap<String, (Value, Value, Vec<Value>)>| {
        let with_moves = of.iter().filter(|(_, (_, moves, _))| moves.is_array());
        with_moves.map(|(key, (_, moves, _))| (key.clone(), without_san(moves))).collect::<BTreeMap<_, _>>()
    };
    let (before, after) = (moves(&before), moves(&after));
    assert!(after.len() > 100 && after.iter().all(|(key, moves)| before.get(key) == Some(moves)));
    let count = |of: &BTreeMap<String, Vec<(Value, Value)>>| of.values().map(Vec::len).sum::<usize>();
    let unreached = &said["exported"]["moves at positions that no line leads to"];
    assert_eq!(unreached, count(&before) - count(&after), "a filter left them out");
    let values = |line: &str| bench.probe("b.tabia", line)["moves"].clone();
    let set = |line: &str, name: &str| {
        let moves = values(line);
        let mv = moves.as_array().unwrap().iter().find(|mv| mv["uci"] == name).cloned().unwrap();
        mv["known"]["user_value"].clone()
    };
    assert_eq!([set("", "e2e4"), set("e4", "c7c5"), set("d4", "d7d5")], [78, 0, 33].map(Value::from));
    assert_eq!(set("", "d2d4"), 56, "nothing was set");
}

fn without_san(moves: &Value) -> Vec<(Value, Value)> {
    moves.as_array().unwrap().iter().map(|mv| (mv["move"].clone(), mv["tally"].clone())).collect()
}

/// What a table counts, as a book that keeps all of it.
fn rows(bench: &Workbench, table: &str) -> BTreeMap<String, (Value, Value, Vec<Value>)> {
    bench.ok(&format!("compact {table} -o all.tabia --force"));
    positions(bench, "all.tabia")
}

/// Of a table that is written whole, rows and visits come back.
#[test]
fn a_table_comes_back_row_by_row() {
    let bench = Workbench::after(["count SAMPLE -o a.table --max-ply 12"]);
    let said = bench.json("export abk a.table -o a.abk");
    let left_out = said["exported"]
        .as_object()
        .unwrap()
        .keys()
        .filter(|what| what.contains("not") || what.contains("out"));
    assert_eq!(left_out.count(), 0, "{said}");
    bench.ok("import abk a.abk -o b.table");
    bench.ok("verify b.table");
    assert_eq!(rows(&bench, "a.table"), rows(&bench, "b.table"));
}

#[test]
fn limits_are_kept_and_what_they_leave_out_is_said() {
    let bench = Workbench::after(["count SAMPLE -o a.table"]);
    let exported = |flags: &str| -> Value {
        let text = bench.ok(&format!("export abk a.table -o a.abk --force --json {flags}"));
        serde_json::from_str::<Value>(&text).unwrap()["exported"].clone()
    };
    let records = || (fs::metadata(bench.path("a.abk")).unwrap().len() - 25_200) / 28;
    let few = exported("--max-records 500");
    assert_eq!((records(), &few["records"]), (500, &500.into()));
    assert!(few["moves that had no room left out"].as_u64().unwrap() > 0, "{few}");
    let short = exported("--max-ply 3 --min-games 20");
    assert!(short["moves after the last ply left out"].as_u64().unwrap() > 0, "{short}");
    assert!(short["moves with too few games left out"].as_u64().unwrap() > 0, "{short}");
    bench.ok("import abk a.abk -o a.tabia");
    let names = |line: &str| tallies(&bench.probe("a.tabia", line), "uci").len();
    assert!(names("e4 e5") > 0 && names("e4 e5 Nf3") == 0);
}

/// The parts of the line that begins so in what a command says.
fn parts(bench: &Workbench, arguments: &str, begin: &str) -> Vec<(u64, String)> {
    let said = String::from_utf8(bench.command(arguments).output().unwrap().stderr).unwrap();
    let line = said.lines().find_map(|line| line.strip_prefix(begin)).unwrap_or_else(|| panic!("{said}"));
    let part = |part: &str| {
        let (number, what) = part.split_once(' ').unwrap();
        (number.replace(',', "").parse().unwrap(), what.to_owned())
    };
    line.split(", ").map(part).collect()
}

#[test]
fn a_summary_begins_with_what_was_written() {
    let bench = Workbench::after(["count SAMPLE -o a.table"]);
    let exported = parts(&bench, "export abk a.table -o a.abk --max-ply 6 --min-games 2", "exported ");
    let (written, rest) = exported.split_at(2);
    assert_eq!([written[0].1.as_str(), &written[1].1], ["moves", "records"], "{exported:?}");
    assert!(rest.len() > 2 && rest[0].0 > written[0].0, "more was left out: {exported:?}");
    assert!(rest.is_sorted_by(|one, next| one.0 >= next.0), "{exported:?}");
    let lines = parts(&bench, "export pgn a.table -o a.pgn --min-games 20", "exported ");
    let names: Vec<_> = lines.iter().map(|(_, what)| what.as_str()).collect();
    assert_eq!(names, ["moves", "positions", "lines", "moves of these positions left out"]);
    assert!(lines[3].0 > lines[0].0, "more was left out: {lines:?}");
    let output = bench.command("export pgn a.table -o b.pgn --min-games 20").output().unwrap();
    assert!(!String::from_utf8_lossy(&output.stderr).contains("Polyglot"));
    let imported = parts(&bench, "import abk a.abk -o b.table", "imported ");
    assert!(["records", "moves"].contains(&imported[0].1.as_str()), "{imported:?}");
}

/// The Arena book and the Polyglot book of one author: what each has alone is counted in docs/material.md.
#[test]
fn a_real_book_has_the_moves_of_its_polyglot_book() {
    let (Some(abk), Some(bin)) = (corpus("books/Perfect2021.abk"), corpus("books/Perfect2021.bin")) else {
        return;
    };
    let bench = Workbench::new();
    bench.assert_fails(&format!("import abk {} -o p.table", abk.display()), 1, ["has no results"]);
    bench.ok(&format!("import abk {} -o p.tabia", abk.display()));
    bench.ok("verify p.tabia");
    let mut ours = BTreeMap::new();
    for (key, (_, moves, values)) in positions(&bench, "p.tabia") {
        let moves = moves.as_array().cloned().unwrap_or_default();
        for (mv, value) in moves.iter().zip(values) {
            ours.insert((key.clone(), mv["move"].as_str().unwrap().to_owned()), value);
        }
    }
    let theirs = polyglot_moves(&fs::read(bin).unwrap());
    let both = ours.keys().filter(|mv| theirs.contains(mv)).count();
    assert_eq!((ours.len(), theirs.len(), both), (5470, 5387, 5351));
    let alone = ours.iter().filter(|(mv, _)| !theirs.contains(mv));
    assert_eq!(alone.filter(|(_, value)| **value == 0).count(), 10, "moves of priority 0");
}

/// The moves of a Polyglot book, by key.
fn polyglot_moves(bytes: &[u8]) -> Vec<(String, String)> {
    let square = |bits: u16| {
        let [file, rank] = [bits & 7, bits >> 3 & 7].map(|at| u8::try_from(at).unwrap());
        format!("{}{}", char::from(b'a' + file), rank + 1)
    };
    let entry = |entry: &[u8]| {
        let key = format!("{:016x}", u64::from_be_bytes(entry[..8].try_into().unwrap()));
        let mv = u16::from_be_bytes([entry[8], entry[9]]);
        (key, format!("{}{}", square(mv >> 6), square(mv)))
    };
    bytes.chunks(16).map(entry).collect()
}
