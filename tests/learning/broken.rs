//! Records that are not as they should be: learned if their meaning is plain, otherwise rejected, and the
//! others are still read.

use serde_json::{Value, json};

use super::{CRAFTY, RUY, lesson, record, rejects, ruy};
use crate::workbench::Workbench;

/// A record with the line that all of these have, and text of its own between tags and numbers.
fn tagged(black: &str, rest: &str) -> String {
    format!("[White \"{CRAFTY}\"]\n[Black \"{black}\"]\n[Date \"1998.09.01\"]\n{rest}")
}

/// Learns `text` with a good record after it; what the summary reports of `text` alone, and the rejections.
fn learn(bench: &Workbench, text: &str) -> (Value, Vec<Value>) {
    bench.write("broken.lrn", format!("{text}{}", lesson("the good one after it", "d3", -77)));
    let mut learning = bench.learn("crafty broken.lrn --rejects r.jsonl", "x.parquet");
    let after = bench.learned("x.parquet", &format!("{RUY} d3"));
    assert_eq!(after, -0.77, "{text}");
    for count in ["records", "taught"] {
        learning[count] = (learning[count].as_u64().unwrap() - 1).into();
    }
    (learning, rejects(bench, "r.jsonl"))
}

#[test]
fn what_is_plain_is_learned() {
    let bench = ruy();
    let moves = format!("{RUY} O-O");
    for text in [
        // A name of five hundred characters.
        record(CRAFTY, &"x".repeat(500), &moves, "-50 5 0"),
        // A fourth tag, and more.
        tagged("opp", &format!("[Site \"here\"]\n[Result \"*\"]\n {moves} {{-50 5 0}}\n")),
        // CRLF, and blank lines in every place.
        record(CRAFTY, "opp", &moves, "-50 5 0").replace('\n', "\r\n"),
        record(CRAFTY, "opp", &moves, "-50 5 0").replace('\n', "\n\n\n"),
        // Lines broken anywhere, numbers on a line of their own, move numbers.
        record(CRAFTY, "opp", &moves.replace(' ', "\n"), "-50\n5\n0"),
        tagged("opp", " 1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Nc3 axb5 5. Nxb5 Nf6 6. O-O {-50 5 0}\n"),
        // Tags in another order, no date.
        format!("[Black \"opp\"]\n[White \"{CRAFTY}\"]\n {moves} {{-50 5 0}}\n"),
        // The closing brace is missing, but the line ends there.
        tagged("opp", &format!(" {moves} {{-50 5 0\n")),
        // A byte order mark, and a name that is no UTF-8 in its file is tested in crate pgn.
        format!("\u{feff}{}", record(CRAFTY, "opp", &moves, "-50 5 0")),
    ] {
        let (learning, rejected) = learn(&bench, &text);
        assert_eq!(learning, json!({"records": 1, "taught": 1, "idle": {}, "rejected": {}}), "{text}");
        assert_eq!(rejected, Vec::<Value>::new(), "{text}");
        assert_eq!(bench.learned("x.parquet", &moves), -0.5, "{text}");
    }
}

#[test]
fn what_is_not_is_listed_with_its_place() {
    let bench = ruy();
    let head = tagged("opp", "");
    for (text, ply, reason, shown) in [
        (tagged("opp", " e4 e5 Ke3 Nc6 {-10 5 0}\n"), json!(3), "illegal-move", "Ke3"),
        (tagged("opp", " e4 e5 Nf3 Nf6 Nc3 Nc6 Ng1 Ng8 Ne2 {-10 5 0}\n"), json!(9), "ambiguous-move", "Ne2"),
        (tagged("opp", " e4 e5 Nf3 what Bb5 {-10 5 0}\n"), Value::Null, "bad-token", "what"),
        (tagged("opp", " {-10 5 0}\n"), Value::Null, "no-moves", &head),
        (tagged("opp", " e4 e5 {-10 5}\n"), Value::Null, "bad-numbers", "{-10 5}"),
        (tagged("opp", " e4 e5 {-1x 5 0}\n"), Value::Null, "bad-numbers", "{-1x 5 0}"),
        (tagged("opp", " e4 e5 {99999999999 5 0}\n"), Value::Null, "bad-numbers", "{99999999999 5 0}"),
        // Both braces and all numbers are missing.
        (tagged("opp", " e4 e5 Nf3 Nc6\n"), Value::Null, "bad-numbers", &head),
        (
            format!("[White \"{CRAFTY}\"]\n[Black opp]\n e4 e5 {{1 5 0}}\n"),
            Value::Null,
            "invalid-tags",
            "[Black opp]",
        ),
        ("no record at all\n".to_owned(), Value::Null, "fragment", "no record at all"),
        // A number that fits, but that no Crafty can have learned; it would teach millions of pawns.
        (tagged("opp", " e4 {2147483647 5 0}\n"), Value::Null, "value-out-of-range", CRAFTY),
    ] {
        let (learning, rejected) = learn(&bench, &text);
        assert_eq!((&learning["records"], &learning["taught"]), (&json!(1), &json!(0)), "{text}");
        assert_eq!(learning["rejected"], json!({reason: 1}), "{text}");
        let [line] = &rejected[..] else { panic!("{rejected:?}") };
        let place = ["input", "offset", "record", "ply", "reason"].map(|name| line[name].clone());
        assert_eq!(place, [json!("broken.lrn"), json!(0), json!(1), json!(ply), json!(reason)], "{text}");
        let listed = line["text"].as_str().unwrap();
        assert!(shown.starts_with(listed) || listed.starts_with(shown), "{listed} for {text}");
    }
}

/// The record itself is plain: it teaches, and the text after it is rejected.
#[test]
fn text_after_a_record_is_rejected_apart_from_it() {
    let bench = ruy();
    let text = lesson("opp", "O-O", -50) + "what is this\n";
    let (learning, rejected) = learn(&bench, &text);
    assert_eq!((&learning["taught"], &learning["rejected"]), (&json!(1), &json!({"stray-text": 1})));
    assert_eq!(rejected[0]["offset"], json!(text.find("what").unwrap()));
    assert_eq!(rejected[0]["text"], json!("what is this"));
}

#[test]
fn a_file_cut_in_mid_line_keeps_what_is_whole() {
    let bench = ruy();
    let whole = lesson("first", "O-O", -50) + &lesson("second", "O-O", -70);
    let first = lesson("first", "O-O", -50).len();
    for end in first + 1..whole.len() - 2 {
        bench.write("cut.lrn", &whole[..end]);
        let learning = bench.learn("crafty cut.lrn --rejects r.jsonl", "x.parquet");
        assert_eq!(learning["taught"], 1, "{}", &whole[first..end]);
        let rejected: u64 =
            learning["rejected"].as_object().unwrap().values().filter_map(Value::as_u64).sum();
        assert_eq!(rejected, 1, "{}", &whole[first..end]);
    }
}

/// Offsets and numbers are those in the whole input, in its order, also for records that the learner itself
/// refuses.
#[test]
fn the_list_is_in_input_order() {
    let bench = ruy();
    let parts = [
        lesson("a", "O-O", -50),
        tagged("b", " e4 e5 Ke3 {1 5 0}\n"),
        record("Ann", "Bob", RUY, "1 5 0"),
        lesson("c", "O-O", -60),
        tagged("d", " e4 e5 {1 5}\n"),
    ];
    bench.write("a.lrn", parts.concat());
    bench.write("b.lrn", &parts[1]);
    bench.ok("learn crafty a.lrn b.lrn --table ruy.table -o x.parquet --rejects r.jsonl");
    let listed = rejects(&bench, "r.jsonl");
    let listed: Vec<_> = listed
        .iter()
        .map(|line| [&line["input"], &line["offset"], &line["record"], &line["reason"]])
        .collect();
    let offset = |part: usize| json!(parts[..part].concat().len());
    let expected = [
        [json!("a.lrn"), offset(1), json!(2), json!("illegal-move")],
        [json!("a.lrn"), offset(2), json!(3), json!("unknown-own-side")],
        [json!("a.lrn"), offset(4), json!(5), json!("bad-numbers")],
        [json!("b.lrn"), json!(0), json!(1), json!("illegal-move")],
    ];
    assert_eq!(listed, expected.iter().map(<[Value; 4]>::each_ref).collect::<Vec<_>>());
}

#[test]
fn strict_fails_on_rejected_records_only() {
    let bench = ruy();
    bench.write("good.lrn", lesson("a", "O-O", -50).repeat(2) + &record(CRAFTY, "b", "d4 d5", "1 5 0"));
    bench.ok("learn crafty good.lrn --table ruy.table -o good.parquet --strict");
    bench.write("bad.lrn", lesson("a", "O-O", -50) + "what\n");
    let error = bench.fails("learn crafty bad.lrn --table ruy.table -o bad.parquet --strict", 1);
    assert!(
        error.contains("--strict") && error.contains("--rejects FILE lists the rejected ones"),
        "{error}"
    );
}

#[test]
fn a_file_of_another_book_is_warned_of() {
    let bench = ruy();
    bench
        .write("strange.lrn", record(CRAFTY, "a", "d4 d5 c4", "1 5 0") + &record(CRAFTY, "b", "c4", "2 5 0"));
    bench.write("ours.lrn", record(CRAFTY, "a", "d4 d5 c4", "3 5 0") + &lesson("b", "O-O", -50));
    let summary = bench.learn_with("crafty strange.lrn ours.lrn", "x.parquet");
    assert_eq!(summary["warnings"], json!(["strange.lrn: none of its lines is in the book"]));
    assert_eq!(summary["learning"]["idle"], json!({"no-book-move": 3}));
}

/// Nothing appears that is not whole, and what was there stays as it was.
#[test]
fn a_failure_leaves_no_file() {
    let bench = ruy();
    bench.write("a.lrn", lesson("a", "O-O", -50));
    bench.write("precious.parquet", "precious");
    let left = ["a.lrn", "precious.parquet", "ruy.pgn", "ruy.table"];
    for (arguments, code, mentions) in [
        ("a.lrn --table ruy.table -o no/x.parquet", 1, "no"),
        ("a.lrn --table no.table -o x.parquet", 1, "no.table"),
        ("a.lrn --table ruy.pgn -o x.parquet", 1, "ruy.pgn"),
        ("no.lrn --table ruy.table -o x.parquet", 1, "no.lrn"),
        ("ruy.table --table ruy.table -o x.parquet", 1, "ruy.table"),
        ("a.lrn --table ruy.table --continue ruy.pgn -o x.parquet", 1, "ruy.pgn"),
        ("a.lrn --table ruy.table --continue no.parquet -o x.parquet", 1, "no.parquet"),
        ("a.lrn --table ruy.table -o precious.parquet", 2, "precious.parquet already exists"),
        ("a.lrn --table ruy.table -o a.lrn --force", 2, "a.lrn is both read and written"),
        ("a.lrn --table ruy.table -o x.parquet --rejects no/r.jsonl", 1, "no"),
        (
            "a.lrn --table ruy.table -o x.parquet --rejects precious.parquet",
            2,
            "the ending .parquet is that of",
        ),
    ] {
        let error = bench.fails(&format!("learn crafty {arguments}"), code);
        assert_eq!(error.lines().count(), 1, "{arguments}: {error}");
        assert!(error.starts_with("tabia: ") && error.contains(mentions), "{arguments}: {error}");
        assert_eq!(bench.names(), left, "{arguments}");
    }
    let error = bench.fails("learn crafty a.lrn --table ruy.table -o x.parquet --min-games two", 2);
    assert!(error.contains("--min-games") && error.contains("whole number"), "{error}");
    assert_eq!(bench.names(), left);
    assert_eq!(bench.read("precious.parquet"), b"precious");
}
