//! Evaluations of positions and moves, as Lichess publishes them.

use std::{collections::BTreeMap, fs, fs::File};

use serde_json::{Value, json};

use super::{game, record, ruy};
use crate::workbench::{Workbench, root};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
const AFTER_E4: &str = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -";
const AFTER_F3_E5_G4: &str = "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq -";

/// A search: its lines of moves with their values, thousands of nodes and depth.
fn search(pvs: &[(&str, &str)], knodes: u64, depth: u32) -> String {
    let pvs: Vec<_> = pvs.iter().map(|(value, line)| format!(r#"{{{value},"line":"{line}"}}"#)).collect();
    format!(r#"{{"pvs":[{}],"knodes":{knodes},"depth":{depth}}}"#, pvs.join(","))
}

fn line(fen: &str, searches: &[String]) -> String {
    format!("{{\"fen\":\"{fen}\",\"evals\":[{}]}}\n", searches.join(","))
}

/// Three positions: the start, after 1.e4, and a mate in one.
fn lists() -> String {
    line(
        START,
        &[
            search(&[("\"cp\":20", "e2e4 e7e5"), ("\"cp\":18", "d2d4 d7d5")], 100, 40),
            search(&[("\"cp\":25", "g1f3")], 900, 50),
            search(&[("\"cp\":-5", "e2e4")], 100, 39),
        ],
    ) + &line(AFTER_E4, &[search(&[("\"cp\":31", "e7e5 g1f3"), ("\"cp\":40", "c7c5")], 7, 30)])
        + &line(AFTER_F3_E5_G4, &[search(&[("\"mate\":-1", "d8h4")], 1, 99)])
}

impl Workbench {
    fn learn_evals(&self, what: &str, output: &str) -> Value {
        let summary = self.ok(&format!("learn evals {what} -o {output} --json --force"));
        serde_json::from_str(&summary).unwrap()
    }

    /// The evaluations of a file: value or mate, depth, nodes and source by line and move.
    pub(super) fn evaluations(&self, file: &str) -> BTreeMap<String, Value> {
        let rows = self.ok(&format!("experience show {file} --json"));
        let rows = rows.lines().map(|row| serde_json::from_str::<Value>(row).unwrap());
        rows.filter(|row| row["known"]["kind"] == "evaluation")
            .map(|row| {
                let known = &row["known"];
                let value = if known["mate"].is_null() { &known["eval"] } else { &known["mate"] };
                let named = format!(
                    "{} {}",
                    row["line"].as_str().unwrap_or("?"),
                    row["san"].as_str().unwrap_or("--")
                );
                (named, json!([value, known["depth"], known["nodes"], known["sources"][0]["source"]]))
            })
            .collect()
    }
}

#[test]
fn the_deeper_search_of_a_position_and_of_each_move_is_kept() {
    let bench = Workbench::with("a.jsonl", lists());
    let summary = bench.learn_evals("a.jsonl", "e.parquet");
    assert_eq!(summary["learning"], json!({"records": 3, "taught": 3, "idle": {}, "rejected": {}}));
    let found = bench.evaluations("e.parquet");
    let of = |cp: f64, depth: u32, knodes: u64| json!([cp, depth, knodes * 1000, "a.jsonl"]);
    assert_eq!(found[" --"], of(0.25, 50, 900));
    assert_eq!(found[" e4"], of(0.2, 40, 100));
    assert_eq!(found[" d4"], of(0.18, 40, 100));
    assert_eq!(found[" Nf3"], of(0.25, 50, 900));
    // Black's view is the other one.
    assert_eq!(found["e4 --"], of(-0.31, 30, 7));
    assert_eq!(found["e4 c5"], of(-0.4, 30, 7));
    bench.assert_prints(
        "experience show e.parquet",
        ["9 evaluation", "searched +0.25 at depth 50, 900000 nodes", "3 of 3 records used (evals)"],
    );
    let mate = "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR_b_KQkq_-_0_2".replace('_', " ");
    let output = bench.command("experience show e.parquet --fen").arg(&mate).output().unwrap();
    assert!(
        String::from_utf8_lossy(&output.stdout).contains("searched mate in 1 at depth 99, 1000 nodes"),
        "{output:?}"
    );
    bench.ok("verify e.parquet");
    bench.assert_prints("info e.parquet", ["evaluations        9"]);
    bench.assert_prints("probe e.parquet --line e4", ["c5 [evaluation] searched -0.40 at depth 30"]);
}

/// EPD and CSV have the mover's view, and all forms may be in one folder.
#[test]
fn epd_and_csv_say_the_same() {
    let bench = Workbench::new();
    fs::create_dir(bench.path("lists")).unwrap();
    bench.write("lists/a.jsonl", line(AFTER_E4, &[search(&[("\"cp\":31", "c7c5")], 2, 30)]));
    bench.write("b.epd", format!("{AFTER_E4} ce -31; acd 30; acn 2000; bm c5;\n"));
    let rows = format!("fen,uci,cp,depth,nodes\n{AFTER_E4},c7c5,-31,30,2000\n{AFTER_E4},,-31,30,2000\n");
    bench.write("c", &rows);
    let values = |list: &str| {
        bench.learn_evals(list, "e.parquet");
        let found = bench.evaluations("e.parquet");
        found
            .into_iter()
            .map(|(mv, known)| (mv, known[0].clone(), known[1].clone(), known[2].clone()))
            .collect::<Vec<_>>()
    };
    let of_lichess = values("lists");
    assert_eq!(of_lichess.len(), 2);
    assert_eq!(values("b.epd"), of_lichess);
    assert_eq!(values("c"), of_lichess);
    bench.write("lists/b", bench.read("b.epd"));
    bench.write("lists/c.txt.zst", zstd::encode_all(rows.as_bytes(), 1).unwrap());
    let summary = bench.learn_evals("lists", "e.parquet");
    assert_eq!((&summary["learning"]["records"], &summary["learning"]["taught"]), (&json!(4), &json!(4)));
}

#[test]
fn order_threads_memory_and_packing_change_no_byte() {
    let bench = Workbench::new();
    let lines: Vec<String> = (0..4000)
        .map(|number: u32| {
            let mv = ["e2e4", "d2d4", "g1f3", "c2c4", "b1c3"][(number % 5) as usize];
            let value = format!("\"cp\":{}", number % 7);
            line(START, &[search(&[(&value, mv)], u64::from(number * 31 % 97), number * 17 % 41)])
        })
        .collect();
    bench.write("a.jsonl", lines[..1500].concat());
    bench.write("b.jsonl", lines[1500..].concat());
    bench.write("c.jsonl", lines[1500..].iter().rev().map(String::as_str).collect::<String>());
    bench.learn_evals("a.jsonl b.jsonl", "one.parquet");
    for (number, how) in
        ["b.jsonl a.jsonl -j 1", "b.jsonl a.jsonl -j 7 --memory 80MiB", "."].into_iter().enumerate()
    {
        if how == "." {
            fs::remove_file(bench.path("c.jsonl")).unwrap();
        }
        bench.learn_evals(how, &format!("{number}.parquet"));
        assert_eq!(bench.read(&format!("{number}.parquet")), bench.read("one.parquet"), "{how}");
    }
    // Learning a list at a time, in any order, gives the same.
    bench.learn_evals("b.jsonl", "b.parquet");
    bench.learn_evals("a.jsonl --continue b.parquet", "continued.parquet");
    bench.learn_evals("a.jsonl", "a.parquet");
    bench.ok("experience merge a.parquet b.parquet -o ab.parquet");
    bench.ok("experience merge b.parquet a.parquet -o ba.parquet");
    bench.ok("experience merge a.parquet b.parquet a.parquet -o aba.parquet");
    for file in ["continued.parquet", "ab.parquet", "ba.parquet"] {
        assert_eq!(bench.read(file), bench.read("one.parquet"), "{file}");
    }
    assert_eq!(bench.evaluations("aba.parquet"), bench.evaluations("one.parquet"));
    bench.assert_prints("experience diff ab.parquet aba.parquet", ["0 differences, 6 equal"]);
    // Compressed lists teach the same.
    let packed = zstd::encode_all(&bench.read("a.jsonl")[..], 3).unwrap();
    bench.write("packed", packed);
    bench.learn_evals("packed", "packed.parquet");
    let unnamed = |file| bench.evaluations(file).into_values().map(|row| row[0].clone()).collect::<Vec<_>>();
    assert_eq!(unnamed("packed.parquet"), unnamed("a.parquet"));
}

#[test]
fn books_and_policies_are_those_without_evaluations() {
    let bench = ruy();
    bench.write("a.jsonl", lists());
    bench.learn_evals("a.jsonl", "e.parquet");
    bench.ok("compact ruy.table -o without.tabia --min-games 1");
    bench.ok("compact ruy.table --experience e.parquet -o with.tabia --min-games 1");
    assert_eq!(bench.read("with.tabia"), bench.read("without.tabia"));
    for book in ["with", "without"] {
        bench.ok(&format!("export polyglot {book}.tabia -o {book}.bin --policy crafty"));
    }
    assert_eq!(bench.read("with.bin"), bench.read("without.bin"));
    // Next to learned values, evaluations change no byte of what is exported, and stay in merges.
    bench.write("a.lrn", record("Crafty 15.17", "x", "e4 e5 Nf3", "-40 5 0"));
    bench.ok("learn crafty a.lrn --table ruy.table --min-games 1 -o l.parquet");
    bench.ok("experience merge l.parquet e.parquet -o both.parquet");
    bench.ok("learn export crafty l.parquet -o l.lrn");
    bench.ok("learn export crafty both.parquet -o both.lrn");
    assert_eq!(bench.read("l.lrn"), bench.read("both.lrn"));
    let pick = |experience: &str| {
        bench.ok(&format!(
            "compact ruy.table --experience {experience} -o picked.tabia --min-games 1 --force"
        ));
        bench.ok("probe picked.tabia --policy crafty --explain --json")
    };
    assert_eq!(pick("l.parquet"), pick("both.parquet"));
    bench.ok("experience age both.parquet --factor 0.5 -o aged.parquet");
    assert_eq!(bench.evaluations("aged.parquet"), bench.evaluations("e.parquet"));
    bench.ok("experience clear both.parquet --kind evaluation -o cleared.parquet");
    bench.assert_prints("experience diff cleared.parquet l.parquet", ["0 differences"]);
    bench.ok("experience clear both.parquet --source a.jsonl -o cleared.parquet --force");
    assert!(bench.evaluations("cleared.parquet").is_empty());
}

/// Rows of every kind go through text and come back, byte for byte.
#[test]
fn csv_of_any_experience_comes_back_the_same() {
    let bench = ruy();
    bench.write("a.jsonl", lists());
    bench.learn_evals("a.jsonl", "e.parquet");
    bench.write("a.lrn", record("Crafty 15.17", "x", "e4 e5 Nf3", "-40 5 0"));
    bench.ok("learn crafty a.lrn --table ruy.table --min-games 1 -o l.parquet");
    bench.ok_at("learn set --value !? --priority 4 --continue l.parquet -o s.parquet", "e4 c5");
    bench.ok("experience merge s.parquet e.parquet -o all.parquet");
    let own = root().join("tests/formats/experience-3.experience.parquet");
    fs::copy(own, bench.path("own.parquet")).unwrap();
    bench.ok("experience merge own.parquet -o own-again.parquet");
    for file in ["e", "l", "s", "all", "own-again"] {
        bench.ok(&format!("export csv {file}.parquet -o {file}.csv"));
        bench.ok(&format!("import csv {file}.csv -o back.parquet --force"));
        assert_eq!(bench.read("back.parquet"), bench.read(&format!("{file}.parquet")), "{file}");
    }
    let text = bench.text("all.csv");
    assert!(
        text.lines().any(
            |row| row.contains(",evaluation,") && row.contains(",mate,") || row.ends_with("0 search 1 0")
        )
    );
    // A value that is changed in an editor is the value of the file.
    bench.write("changed.csv", text.replacen(",0.25,,50,900000,", ",0.5,,50,900000,", 1));
    bench.ok("import csv changed.csv -o changed.parquet");
    assert_eq!(bench.evaluations("changed.parquet")[" --"][0], json!(0.5));
    let row = text.lines().nth(2).unwrap();
    for (broken, line) in [
        (text.replacen("# {", "{", 1), "line 1: expected `#` and the header"),
        (text.replacen("key,move", "key,moves", 1), "line 2: expected the columns key,move"),
        (text.replacen(row, &row.replace(',', ";"), 1), "line 3: expected sixteen columns"),
        (text.replacen(row, &format!("{row}\n{row}"), 1), "line 4: expected rows in ascending order"),
        (text.replacen(row, &row[1..], 1), "line 3: expected `key`, sixteen hexadecimal digits"),
    ] {
        bench.write("broken.csv", broken);
        bench.assert_fails("import csv broken.csv -o broken.parquet", 1, [line]);
        assert!(!bench.path("broken.parquet").exists());
    }
}

#[test]
fn only_positions_of_a_table_or_a_book_are_kept() {
    let bench = ruy();
    bench.write("games.pgn", game("a", "b", "1-0", &[], "e4 e5"));
    bench.ok("count games.pgn -o games.table");
    bench.ok("compact games.table -o games.tabia --min-games 1");
    bench.write("a.jsonl", lists());
    for only in ["--table games.table", "--book games.tabia"] {
        bench.learn_evals(&format!("a.jsonl {only}"), "only.parquet");
        let found = bench.evaluations("only.parquet");
        assert_eq!(found.len(), 7, "{only}: {found:?}");
        assert!(found.contains_key("e4 c5"), "a move out of book is kept: {found:?}");
    }
    bench.write("mate.epd", "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - dm 1;\n");
    let elsewhere = "learn evals mate.epd --book games.tabia -o none.parquet";
    bench.assert_fails(elsewhere, 1, ["none of the evaluated positions is in", "--allow-empty"]);
    bench.ok(&format!("{elsewhere} --allow-empty"));
}

#[test]
fn lines_that_are_not_understood_are_listed() {
    let bench = Workbench::new();
    let good = lists();
    let bad = good.lines().next().unwrap().replace("e2e4 e7e5", "e2e5");
    bench.write("a.jsonl", format!("{good}\n  \n{bad}\n{{\"fen\":3}}\n"));
    let summary = bench.learn_evals("a.jsonl --rejects r.jsonl", "e.parquet");
    assert_eq!(summary["learning"]["rejected"], json!({"bad-text": 1, "illegal-move": 1}));
    let listed: Vec<Value> =
        bench.text("r.jsonl").lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((&listed[0]["reason"], &listed[0]["text"]), (&json!("illegal-move"), &json!("e2e5")));
    assert_eq!(listed[0]["offset"], json!(good.len() + 4));
    assert_eq!(listed.len(), 2);
    bench.fails("learn evals a.jsonl -o strict.parquet --strict", 1);
    assert!(!bench.path("strict.parquet").exists());
}

#[test]
fn mistakes_have_one_clear_message() {
    let bench = Workbench::with("a.jsonl", lists());
    File::create(bench.path("empty.jsonl")).unwrap();
    bench.write("games.pgn", game("a", "b", "1-0", &[], "e4 e5"));
    bench.write("bad.jsonl", "{\"fen\":3}\n");
    bench.write("a.csv", "fen,cp\n");
    bench.write("engine.exp", "SugaR Experience version 2");
    bench.write("binary.exp", vec![0; 24]);
    bench.write("book.bin", vec![0; 32]);
    bench.learn_evals("a.jsonl", "known.parquet");
    bench.ok("learn set --line e4 --value 75 -o hand.parquet");
    bench.ok("count games.pgn -o games.table");
    for (command, code, text) in [
        ("learn evals a.jsonl", 2, "--output"),
        ("learn evals empty.jsonl -o e.parquet", 1, "empty"),
        (
            "learn evals games.pgn -o e.parquet",
            1,
            "games.pgn is not a list of evaluated positions: it begins with `[Event \"test\"]`",
        ),
        (
            "learn evals a.csv -o e.parquet",
            1,
            "a.csv is not a list of evaluated positions: it has no column `depth`",
        ),
        ("learn evals engine.exp -o e.parquet", 1, "`tabia learn exp`"),
        ("learn evals binary.exp -o e.parquet", 1, "`tabia learn exp`"),
        (
            "learn evals book.bin -o e.parquet",
            1,
            "book.bin is not a list of evaluated positions: its first 32",
        ),
        ("learn evals known.parquet -o e.parquet", 1, "its column `learn` has the type FLOAT"),
        ("learn export exp hand.parquet -o e.exp", 1, "no evaluation of a move"),
        ("compact games.table --evaluations -o e.tabia", 2, "--evaluations: needs experience files"),
        ("learn evals a.jsonl -o e.tabia", 2, "experience"),
        (
            "export csv known.parquet -o e.parquet --line e4",
            2,
            "--line chooses lines, but known.parquet is an experience file",
        ),
        ("learn evals none.jsonl -o e.parquet", 1, "none.jsonl: no such file"),
        ("learn evals bad.jsonl -o e.parquet", 1, "the only record does not count"),
        ("learn evals a.jsonl -o e.parquet --table t --book b", 2, "cannot be used with"),
    ] {
        let said = bench.fails(command, code);
        assert!(said.contains(text), "{command}: {said}");
        assert!(!bench.path("e.parquet").exists(), "{command}");
    }
}

#[test]
fn a_book_has_evaluations_if_asked_and_goes_by_them_if_asked() {
    let bench = Workbench::new();
    let games = ["e4 e5", "e4 e5", "d4 d5"].map(|moves| game("a", "b", "1/2-1/2", &[], moves));
    bench.write("games.pgn", games.concat());
    bench.ok("count games.pgn -o games.table");
    let evaluated = [search(&[("\"cp\":20", "d2d4")], 7, 30)];
    bench.write(
        "a.jsonl",
        line(START, &evaluated) + &line(AFTER_E4, &[search(&[("\"mate\":-3", "e7e5")], 1, 9)]),
    );
    bench.learn_evals("a.jsonl", "e.parquet");
    let compact = "compact games.table --experience e.parquet --min-games 1";
    bench.ok(&format!("{compact} -o without.tabia"));
    bench.ok("compact games.table --min-games 1 -o plain.tabia");
    let bytes = |name| fs::read(bench.path(name)).unwrap();
    assert_eq!(bytes("without.tabia"), bytes("plain.tabia"), "unasked, the book has none");
    bench.ok(&format!("{compact} --evaluations -o book.tabia"));
    bench.ok("verify book.tabia");
    bench.assert_prints("why book.tabia d4", ["searched +0.20 at depth 30, 7000 nodes", "1 of a.jsonl"]);

    let chances = |settings: &str| {
        let shown = bench.ok(&format!("probe book.tabia --explain --policy postmodernist{settings} --json"));
        let shown: Value = serde_json::from_str(&shown).unwrap();
        let moves = shown["choice"]["moves"].as_array().cloned().unwrap_or_else(|| panic!("{shown}"));
        moves
            .into_iter()
            .map(|one| (one["san"].as_str().unwrap().to_owned(), one["probability"].as_f64().unwrap()))
            .collect::<BTreeMap<_, _>>()
    };
    assert_eq!(chances("")["e4"], 2.0 / 3.0);
    // The position after 1.e4 is evaluated as a mate for Black.
    assert_eq!(chances(" --set search=veto")["d4"], 1.0);
    assert!(chances(" --set search=mix")["e4"] < 1e-100);

    bench.ok("export json book.tabia -o book.jsonl");
    bench.ok("import json book.jsonl -o again.tabia");
    assert_eq!(bytes("again.tabia"), bytes("book.tabia"));
    bench.ok("export polyglot book.tabia -o book.bin --policy postmodernist --set search=veto");
    assert_eq!(bench.probe("book.bin", "")["moves"].as_array().map(Vec::len), Some(1));
}
