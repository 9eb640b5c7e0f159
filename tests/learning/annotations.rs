//! Marks and values set by hand (Terra: marks), priorities (ChessPartner: priority).

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::{game, number, ruy};
use crate::workbench::Workbench;

/// User value, mark and priority by line.
fn set(bench: &Workbench, file: &str) -> BTreeMap<String, (Value, Value, Value)> {
    let known = bench.known(file).into_iter();
    known
        .map(|(line, known)| {
            (line, (known["user_value"].clone(), known["mark"].clone(), known["priority"].clone()))
        })
        .collect()
}

fn annotate(bench: &Workbench, text: &str, options: &str) -> Value {
    bench.write("marks.pgn", text);
    let summary = bench.ok(&format!("learn annotations marks.pgn -o m.parquet --json --force {options}"));
    serde_json::from_str(&summary).unwrap()
}

/// The file of Terra's text with its tags as printed there, and with every tag that it allows.
#[test]
fn the_nag_file_of_terras_text() {
    let bench = Workbench::new();
    for text in [
        "[Event: \"Line 1\"] 1. e4!! c6!? 2.d4!!\n[Event: \"Line 2\"] 1. d4!! Nf6! 2. c4! d6!\n\
         [Event: \"Line 3\"] 1. d4 d5! 2. c4 a6?\n",
        "[Event: \"Line 1\"]\n1. e4!! c6!? 2.d4!!\n[Event: \"Line 2\"]\n1. d4!! Nf6! 2. c4! d6!\n\
         [Event: \"Line 3\"]\n1. d4 d5! 2. c4 a6?\n",
        "[Result 1-0]\n1. e4!! c6!? 2.d4!!\n\n[Date: \"2001-01-01\"]\n1. d4!! Nf6! 2. c4! d6!\n\n\
         [White \"x\"]\n\n1. d4 d5! 2. c4 a6? *\n",
    ] {
        let summary = annotate(&bench, text, "");
        assert_eq!(
            summary["learning"],
            json!({"records": 3, "taught": 3, "idle": {}, "rejected": {}}),
            "{text}"
        );
        let found = set(&bench, "m.parquet");
        for (line, value, mark) in [
            ("e4", 100, "!!"),
            ("e4 c6", 15, "!?"),
            ("e4 c6 d4", 100, "!!"),
            // Line 3 has no mark for it: the earlier one stays.
            ("d4", 100, "!!"),
            ("d4 Nf6", 75, "!"),
            ("d4 Nf6 c4", 75, "!"),
            ("d4 Nf6 c4 d6", 75, "!"),
            ("d4 d5", 75, "!"),
            ("d4 d5 c4 a6", 0, "?"),
        ] {
            assert_eq!((&found[line].0, &found[line].1), (&json!(value), &json!(mark)), "{line} in {text}");
        }
        assert_eq!(found.len(), 9, "2.c4 after 1…d5 has no mark: {text}");
    }
}

#[test]
fn the_last_mark_wins_and_a_move_without_keeps_it() {
    let bench = Workbench::new();
    let line = |moves: &str| game("a", "b", "*", &[], moves);
    annotate(&bench, &(line("1. f4!") + &line("1. f4?") + &line("1. f4 e5?!")), "");
    let found = set(&bench, "m.parquet");
    assert_eq!(found["f4"], (json!(0), json!("?"), json!(0)));
    // Terra's text announces ?! and lists only !?: both are 15 (Terra: marks).
    assert_eq!(found["f4 e5"].0, json!(15));
    // NAGs are marks too, other numbers are not; what was set before stays.
    bench.ok("experience merge m.parquet -o before.parquet");
    annotate(&bench, &line("1. f4 $3 e5 $10 2. Nf3 $13"), "--continue before.parquet");
    let found = set(&bench, "m.parquet");
    assert_eq!(found["f4"], (json!(100), json!("!!"), json!(5)));
    assert_eq!(found["f4 e5"].0, json!(15));
    assert_eq!(found.len(), 2);
}

/// `! ? !! ?? !? ?!` and the NAGs 1 to 6, values by Terra, priorities as the crate's table has them.
#[test]
fn every_mark() {
    let bench = Workbench::new();
    let marks = [("!", 75, 4), ("?", 0, 0), ("!!", 100, 5), ("??", 0, 0), ("!?", 15, 2), ("?!", 15, 1)];
    for (nag, (mark, value, priority)) in (1..).zip(marks) {
        for text in [format!("1. e4{mark} *"), format!("1. e4 ${nag} *"), format!("1. e4 {mark} *")] {
            annotate(&bench, &format!("[Event \"x\"]\n\n{text}\n"), "");
            let found = set(&bench, "m.parquet");
            assert_eq!(found["e4"], (json!(value), json!(mark), json!(priority)), "{text}");
        }
        let mut command = bench.command("learn set --line e4 -o set.parquet --force --value");
        assert!(command.arg(mark).output().unwrap().status.success());
        assert_eq!(set(&bench, "set.parquet")["e4"], (json!(value), json!(mark), json!(priority)), "{mark}");
    }
}

/// Files of lines are read as far as they can be played, each line on its own.
#[test]
fn a_broken_line_counts_up_to_its_break() {
    let bench = Workbench::new();
    let text =
        "[Event \"a\"]\n\n1. e4! e5 *\n\n[Event \"b\"]\n\n1. d4! Ke3 2. c4! *\n\n[Event \"c\"]\n\n1. c4! *\n";
    annotate(&bench, text, "");
    assert_eq!(set(&bench, "m.parquet").into_keys().collect::<Vec<_>>(), ["c4", "d4", "e4"]);
}

/// Terra's `bookeval` for one move.
#[test]
fn a_value_for_one_move() {
    let bench = Workbench::new();
    let run = |line: &str, rest: &str| {
        let mut command = bench.command(&format!("learn set {rest} --line"));
        let output = command.arg(line).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    };
    run("1. e4 c5", "--value 75 -o a.parquet");
    run("e4 c5", "--priority 4 --continue a.parquet -o b.parquet");
    assert_eq!(set(&bench, "b.parquet")["e4 c5"], (json!(75), Value::Null, json!(4)));
    run("e4", "--value !! --priority 3 --continue b.parquet -o c.parquet");
    assert_eq!(
        set(&bench, "c.parquet")["e4"],
        (json!(100), json!("!!"), json!(3)),
        "the priority given wins"
    );
    // A number replaces a mark and the priority that came with it.
    run("e4", "--value 40 --continue c.parquet -o d.parquet");
    assert_eq!(set(&bench, "d.parquet")["e4"], (json!(40), Value::Null, Value::Null));
    run("e4", "--value clear --continue d.parquet -o e.parquet");
    assert_eq!(set(&bench, "e.parquet").into_keys().collect::<Vec<_>>(), ["e4 c5"]);
    // By UCI, and from a position.
    let fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    let mut command = bench.command("learn set --value 100 -o f.parquet --line e1g1 --fen");
    assert!(command.arg(fen).output().unwrap().status.success());
    let mut command = bench.command("experience show f.parquet --json --fen");
    let shown = String::from_utf8(command.arg(fen).output().unwrap().stdout).unwrap();
    assert!(shown.contains("\"user_value\":100"), "{shown}");
}

/// Terra's command files, as a list: one move a line, later lines over earlier ones.
#[test]
fn a_list_of_values() {
    let bench = Workbench::after(["learn set --line d4 --value 75 -o old.parquet"]);
    let list = "# openings\n\ne4 c5: 75\n1. e4 e5: !!, priority 3\nd4 d5: priority 2 # seldom\n\
        e4 c5 : 15\nd4: clear\r\ne4 d5 exd5 c6 dxc6 e5 cxb7 Ke7 bxa8=Q: ?\n";
    bench.write("list.txt", list);
    bench.ok("learn set --from list.txt --continue old.parquet -o set.parquet");
    let found = set(&bench, "set.parquet");
    assert_eq!(found["e4 c5"], (json!(15), Value::Null, Value::Null), "the later line holds");
    assert_eq!(found["e4 e5"], (json!(100), json!("!!"), json!(3)));
    assert_eq!(found["d4 d5"], (Value::Null, Value::Null, json!(2)));
    // No rows lead to the promotion.
    assert!(found.iter().any(|(row, set)| row.ends_with(" b7a8q") && set.0 == json!(0)), "{found:?}");
    assert_eq!(found.len(), 4, "d4 is cleared");
    bench.assert_prints("experience show set.parquet", ["by hand: 7 of 7 records used (set)"]);
    for (list, mentions) in [
        ("e4: 75\ne4 e5 75\n", "list.txt, line 2: write a colon between"),
        ("\n\ne4 Ke7: 75\n", "list.txt, line 3: `Ke7` is not a legal move"),
        ("e4: 101\n", "line 1: expected a number from 0 to 100"),
        ("e4: priority 6\n", "line 1: a priority must be from 0 to 5, not 6"),
        ("e4: priority high\n", "line 1: `high` is not a priority"),
        (": 75\n", "line 1: the line has no move"),
        ("e4:\n", "line 1: expected a number"),
        ("# nothing\n", "list.txt contains no settings"),
    ] {
        bench.write("list.txt", list);
        bench.assert_fails("learn set --from list.txt -o x.parquet", 2, [mentions]);
        assert!(!bench.path("x.parquet").exists());
    }
    bench.fails("learn set --from list.txt --line e4 --value 5 -o x.parquet", 2);
    bench.fails("learn set --from list.txt --force -o list.txt", 2);
    bench.assert_fails("learn set --from none.txt -o x.parquet", 1, ["cannot read none.txt"]);
}

/// `clear` takes a user's value and the own results, and leaves what was learned (Terra: marks).
#[test]
fn clear_takes_own_results_too() {
    let bench = ruy();
    bench.write("a.lrn", super::lesson("a", "O-O", -135));
    bench.write("own.pgn", game("Eng", "Opp", "0-1", &[], "e4 e5 Nf3 Nc6"));
    bench.learn("crafty a.lrn", "a.parquet");
    bench.learn("games own.pgn --player Eng --continue a.parquet", "b.parquet");
    bench.ok("learn set --line e4 --value 75 --continue b.parquet -o c.parquet");
    let known = bench.known("c.parquet");
    assert_eq!((&known["e4"]["own"]["losses"], &known["e4"]["user_value"]), (&json!(1), &json!(75)));
    bench.ok("learn set --line e4 --value clear --continue c.parquet -o d.parquet");
    let known = &bench.known("d.parquet")["e4"];
    assert_eq!((&known["own"], &known["user_value"]), (&Value::Null, &Value::Null));
    assert_eq!(number(&known["learn"]), -1.35 / 3.0 / 2.0);
    let sources: Vec<_> =
        known["sources"].as_array().unwrap().iter().map(|source| &source["value"]).collect();
    assert_eq!(sources, ["learn"]);
}

/// While a value is set, own results are neither stored nor of effect (Terra: user-set values).
#[test]
fn no_results_for_a_move_that_a_user_set() {
    let bench = ruy();
    bench.ok("learn set --line e4 --value 75 -o set.parquet");
    bench.write("own.pgn", game("Eng", "Opp", "0-1", &[], "e4 e5 Nf3 Nc6"));
    bench.learn("games own.pgn --player Eng --continue set.parquet", "b.parquet");
    let known = bench.known("b.parquet");
    assert_eq!((&known["e4"]["own"], &known["e4"]["user_value"]), (&Value::Null, &json!(75)));
    assert_eq!(known["e4 e5 Nf3"]["own"]["losses"], 1);
}

#[test]
fn wrong_values_are_refused_with_what_is_allowed() {
    let bench = Workbench::new();
    for (arguments, mentions) in [
        ("--line e4 --value 101", "0 to 100"),
        ("--line e4 --value -1", "0 to 100"),
        ("--line e4 --value !!!", "`!!`"),
        ("--line e4 --value often", "clear"),
        ("--line e4 --priority 6", "0 to 5"),
        ("--line e5 --value 75", "e5"),
        ("--line e4", "--value"),
        ("--value 75", "--line"),
    ] {
        bench.assert_fails(&format!("learn set {arguments} -o x.parquet"), 2, [mentions]);
        assert_eq!(bench.names(), Vec::<String>::new(), "{arguments}");
    }
    let output = bench.command("learn set --value 75 -o x.parquet --line").arg("").output().unwrap();
    assert_eq!(output.status.code(), Some(2), "a line without a move");
}
