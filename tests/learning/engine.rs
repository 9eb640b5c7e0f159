//! `tabia learn engine`: what a scripted engine finds of a book's positions, and what becomes of one that
//! fails.

use std::{
    fs::{self, Permissions},
    io::Read as _,
    os::unix::fs::PermissionsExt as _,
    path::Path,
    process::Command,
    thread,
    time::Duration,
};

use serde_json::{Value, json};

use super::rejects;
use crate::workbench::{Workbench, assert_has, game};

/// What the engine finds: first a bound, which counts for nothing, then a value that depends on the position.
const SEARCH: &str = r#"
case "$rest" in
  *searchmoves*) n=0
    for m in ${rest#*searchmoves }; do
      n=$((n + 1)); echo "info depth 7 multipv $n score cp $((value + n)) nodes 70 pv $m"
    done
    echo "bestmove $m" ;;
  *) echo "info depth 8 multipv 1 score cp $value nodes 80 pv $mv"
     echo "info depth 9 multipv 1 score cp 999 lowerbound nodes 90 pv $mv"
     echo "info depth 8 multipv 2 score cp -999 nodes 90 pv $mv"
     echo "bestmove $mv" ;;
esac"#;

/// Nine positions: the start, 1.e4 with two replies, of which one has a reply of its own, 1.d4 d5 2.c4, and
/// 1.f3 e5 2.g4 Qh4, where the game is over.
fn book() -> Workbench {
    let games = [
        game("1. e4 e5 2. Nf3", "1-0"),
        game("1. e4 e5", "0-1"),
        game("1. e4 c5", "1-0"),
        game("1. f3 e5 2. g4 Qh4#", "0-1"),
    ];
    let bench = Workbench::with("games.pgn", games.concat());
    bench.ok("build games.pgn -o b.tabia");
    write_engine(&bench, SEARCH);
    bench
}

/// Positions of the book that can be searched.
const POSITIONS: usize = 8;

/// Writes `engine`, which answers `go` by `answer`: its words are in `$rest`, a move in `$mv`, a value in
/// `$value`.
fn write_engine(bench: &Workbench, answer: &str) {
    let script = format!(
        r#"#!/bin/sh
echo $$ >> pids
while read -r word rest; do
  echo "$word $rest" >> heard
  case "$word" in
    uci) echo "id name Scripted 1"; echo "option name Threads type spin default 4 min 1 max 9"
         echo "option name MultiPV type spin default 1 min 1 max 99"; echo uciok ;;
    isready) echo readyok ;;
    position) fen="${{rest#fen }}"; value=$(echo "$fen" | cksum | cut -c 1-3)
      case "$fen" in *" w "*) mv=a2a3 ;; *) mv=a7a6 ;; esac ;;
    go) {answer} ;;
    quit) exit 0 ;;
  esac
done
"#
    );
    let path = bench.write("engine", script);
    fs::set_permissions(path, Permissions::from_mode(0o755)).unwrap();
}

const LEARN: &str = "learn engine b.tabia --engine ./engine --nodes 2k";

/// Lines that engines heard and that begin with `word`, which are forgotten then.
fn take_heard(bench: &Workbench, word: &str) -> Vec<String> {
    let text = fs::read_to_string(bench.path("heard")).unwrap_or_default();
    drop(fs::remove_file(bench.path("heard")));
    text.lines().filter(|line| line.split(' ').next() == Some(word)).map(str::to_owned).collect()
}

fn learning(bench: &Workbench, arguments: &str) -> Value {
    bench.json(arguments)["learning"].clone()
}

/// Expects that no engine runs any more.
fn assert_engines_ended(bench: &Workbench) {
    for id in bench.text("pids").split_whitespace() {
        assert!(!Path::new("/proc").join(id).exists(), "engine {id} is left");
    }
}

#[test]
fn every_position_of_a_book_is_searched_once() {
    let bench = book();
    let found = learning(&bench, &format!("{LEARN} --jobs 1 -o e.parquet"));
    assert_eq!(found, json!({"records": 9, "taught": 8, "idle": {"game-over": 1}, "rejected": {}}));
    let heard = bench.text("heard");
    assert_has(&heard, ["setoption name Threads value 1", "ucinewgame", "go nodes 2000"]);
    let positions = take_heard(&bench, "position");
    assert_eq!(positions.len(), POSITIONS);
    assert_eq!(positions[0], "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    let rows = bench.evaluations("e.parquet");
    assert_eq!(rows.len(), POSITIONS);
    for (line, row) in &rows {
        assert!(line.ends_with(" --"), "{line}");
        assert_eq!(
            row.as_array().unwrap()[1..],
            json!([8, 80, "Scripted 1 at 2000 nodes"]).as_array().unwrap()[..]
        );
    }
    bench.ok("verify e.parquet");
    assert_engines_ended(&bench);
    assert!(!bench.names().iter().any(|name| name.contains("searches")), "{:?}", bench.names());
}

#[test]
fn jobs_and_order_change_no_byte() {
    let bench = book();
    bench.ok(&format!("{LEARN} -o one.parquet --jobs 1 --moves"));
    take_heard(&bench, "go");
    for how in ["--jobs 3", "--jobs 1 --leaves-first"] {
        bench.ok(&format!("{LEARN} -o other.parquet --force --moves {how}"));
        assert_eq!(bench.read("other.parquet"), bench.read("one.parquet"), "{how}");
    }
    take_heard(&bench, "go");
    bench.ok(&format!("{LEARN} -o leaves.parquet --leaves-first --jobs 1"));
    let positions = take_heard(&bench, "position");
    let start = positions.iter().position(|fen| fen.contains("/8/8/8/8/")).unwrap();
    assert_eq!(start, 2, "two leaves before it: {positions:#?}");
}

#[test]
fn kept_moves_have_values_of_their_own() {
    let bench = book();
    bench.ok(&format!("{LEARN} -o e.parquet --moves --jobs 1"));
    let heard = bench.text("heard");
    assert_has(&heard, ["setoption name MultiPV value 2", "go nodes 2000 searchmoves e2e4 f2f3"]);
    let rows = bench.evaluations("e.parquet");
    assert_eq!(rows.len(), POSITIONS + 8, "and eight moves");
    let pawns = |name: &str| (rows[name][0].as_f64().unwrap() * 100.0).round();
    assert_eq!((pawns(" e4") - pawns(" --"), pawns(" f3") - pawns(" --")), (1.0, 2.0));
    assert_eq!(rows[" e4"][1], 7);
}

#[test]
fn positions_are_chosen() {
    let bench = book();
    let searched = |how: &str| {
        learning(&bench, &format!("{LEARN} -o e.parquet --force {how}"));
        take_heard(&bench, "go").len()
    };
    assert_eq!(searched("--min-games 2"), 3);
    assert_eq!(searched("--plies 1"), 2);
    assert_eq!(searched("--plies 0..1"), 3);
    assert_eq!(searched("--plies 2..9"), 5);
    bench.ok(&format!("{LEARN} -o known.parquet --plies 1"));
    take_heard(&bench, "go");
    let left = "--unknown-only --experience known.parquet";
    assert_eq!(searched(left), POSITIONS - 2);
    assert_eq!(searched(&format!("{left} --moves --plies 1")), 4, "their moves have no values");
    let found = learning(&bench, &format!("{LEARN} -o all.parquet --unknown-only --continue known.parquet"));
    assert_eq!(found["idle"], json!({"game-over": 1, "known": 2}));
    assert_eq!(bench.evaluations("all.parquet").len(), POSITIONS);
    let nothing = format!("{LEARN} -o none.parquet --unknown-only --experience all.parquet");
    bench.assert_fails(&nothing, 1, ["b.tabia has no position to search: game-over 1, known 8"]);
    bench.ok(&format!("{nothing} --allow-empty"));
}

/// How many searches are recorded.
fn recorded(bench: &Workbench) -> usize {
    let text = fs::read_to_string(bench.path(".e.parquet.searches")).unwrap_or_default();
    text.lines().count().saturating_sub(1)
}

/// Runs until a few searches are recorded, while the engine waits in those after 1.f3, and sends `signal`;
/// the exit code and what it said.
fn stop(bench: &Workbench, arguments: &str, signal: &str) -> (Option<i32>, String) {
    write_engine(bench, &format!("case \"$fen\" in */5P2/*) read -r _ ;; esac\n{SEARCH}"));
    let mut child = bench.start_tabia(arguments);
    while recorded(bench) < 3 {
        assert_eq!(child.try_wait().unwrap(), None, "it ended");
        thread::sleep(Duration::from_millis(5));
    }
    assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
    let status = child.wait().unwrap();
    let mut error = String::new();
    child.stderr.take().unwrap().read_to_string(&mut error).unwrap();
    write_engine(bench, SEARCH);
    (status.code(), error)
}

#[test]
fn a_killed_run_goes_on_and_searches_nothing_twice() {
    let bench = book();
    let learn = format!("{LEARN} -o e.parquet --jobs 1");
    stop(&bench, &learn, "-9");
    let done = recorded(&bench);
    assert!((done..=done + 1).contains(&take_heard(&bench, "go").len()), "one may have begun");
    let record = bench.path(".e.parquet.searches");
    let left = bench.fails(&learn, 2);
    let has = format!(
        ".e.parquet.searches contains {done} searches left over from an interrupted run; use --resume"
    );
    assert_has(&left, [has]);
    let other = bench.fails(&format!("{learn} --resume --hash 8"), 1);
    assert_has(&other, ["it was started with `hash` = 16, but now it is 8", "remove it to start over"]);
    bench.assert_fails(&format!("{learn} --resume --moves"), 1, ["`moves` = false, but now it is true"]);
    take_heard(&bench, "go");
    // As a power cut leaves it.
    let text = fs::read_to_string(&record).unwrap();
    fs::write(&record, format!("{text}[1234567,[[0,1")).unwrap();
    let found = learning(&bench, &format!("{learn} --resume"));
    assert_eq!((&found["taught"], &found["recorded"]), (&json!(8), &json!(done)));
    assert_eq!(take_heard(&bench, "go").len(), POSITIONS - done);
    assert!(!record.exists());
    bench.ok(&format!("{LEARN} -o plain.parquet"));
    assert_eq!(bench.read("e.parquet"), bench.read("plain.parquet"));
    fs::write(&record, text.replace("[[", "[(")).unwrap();
    bench.assert_fails(&format!("{learn} --force --resume"), 1, [": line 2 cannot be read"]);
}

#[test]
fn a_recipe_goes_on_with_the_searches_that_it_has() {
    let bench = book();
    let stages = |count: &str| {
        format!(
            "[pipeline]\nformat = 1\nsummary = 'Games to evaluations'\n\
             [stage.games]\nkind = 'read-games'\npaths = ['games.pgn']\n\
             [stage.replay]\nkind = 'replay'\ninputs = ['games']\n\
             [stage.tally]\nkind = 'sort-merge'\ninputs = ['replay']\n{count}\
             [stage.book]\nkind = 'compact'\ninputs = ['tally']\n\
             [stage.searches]\nkind = 'learn-engine'\ninputs = ['book']\nengine = './engine'\nnodes = '2k'\n\
             jobs = 1\noutput = 'e.parquet'\n"
        )
    };
    bench.write("r.toml", stages(""));
    stop(&bench, "run r.toml", "-9");
    let done = recorded(&bench);
    let left = bench.fails("run r.toml", 2);
    assert_has(&left, [format!("contains {done} searches left over from an interrupted run; use --resume")]);
    take_heard(&bench, "go");
    let found = learning(&bench, "run r.toml --resume");
    assert_eq!((&found["taught"], &found["recorded"]), (&json!(8), &json!(done)));
    assert_eq!(take_heard(&bench, "go").len(), POSITIONS - done);
    bench.ok(&format!("{LEARN} -o plain.parquet"));
    assert_eq!(bench.read("e.parquet"), bench.read("plain.parquet"));
    assert!(!bench.names().iter().any(|name| name.contains("searches") || name.contains("resume")));
    bench.write(
        "two.toml",
        stages("[stage.again]\nkind = 'sort-merge'\ninputs = ['replay']\noutput = 'two.table'\n"),
    );
    bench.assert_fails("run two.toml --resume --force", 2, ["the recipe has more than one count"]);
}

#[test]
fn an_interrupt_ends_the_engines_and_says_how_to_go_on() {
    let bench = book();
    let learn = format!("{LEARN} -o e.parquet --jobs 2");
    let (code, error) = stop(&bench, &learn, "-INT");
    assert_eq!(code, Some(130), "{error}");
    assert_has(
        &error,
        [
            "tabia: interrupted; no output was written; the work done so far is kept in ",
            ".e.parquet.searches; run the same command with --resume to continue from there\n",
        ],
    );
    assert_engines_ended(&bench);
    assert_eq!(learning(&bench, &format!("{learn} --resume"))["taught"], 8);
}

/// Fails in every position after 1.e4 e5, in the way of `failure`.
fn failing(failure: &str) -> String {
    format!("case \"$fen\" in */4p3/4P3/*) {failure} ;; *) {SEARCH} ;; esac")
}

#[test]
fn a_position_at_which_the_engine_fails_twice_is_rejected() {
    let bench = book();
    for (failure, reason, text) in [
        ("exit 3", "died", "ended (exit status: 3) before it answered"),
        ("sleep 600", "hung", "did not print `bestmove` within 1 s"),
        ("echo bestmove h1h8", "illegal-move", "answered `bestmove h1h8`, which is not a legal move in "),
        ("echo bestmove $mv", "no-value", ", but reported no evaluation"),
        (
            "echo 'info depth 9 score cp 20 upperbound'; echo bestmove $mv",
            "no-value",
            ", but reported no evaluation",
        ),
        ("echo 'info depth 9 score mate 0'; echo bestmove $mv", "no-value", ", but reported no evaluation"),
        ("head -c 2000000 /dev/zero", "bad-text", "a line has more than 1048576 bytes"),
    ] {
        write_engine(&bench, &failing(failure));
        let learn = format!("{LEARN} -o e.parquet --force --engine-timeout 1 --rejects r.jsonl");
        let found = learning(&bench, &learn);
        assert_eq!((&found["taught"], &found["rejected"]), (&json!(6), &json!({ reason: 2 })), "{failure}");
        let listed = rejects(&bench, "r.jsonl");
        assert_eq!(listed.len(), 2);
        for line in listed {
            assert_eq!(line["reason"], reason);
            assert_has(line["text"].as_str().unwrap(), [text]);
            assert_has(line["fen"].as_str().unwrap(), ["/4p3/4P3/"]);
        }
        let tries = take_heard(&bench, "position").iter().filter(|fen| fen.contains("/4p3/4P3/")).count();
        assert_eq!(tries, 4, "{failure}");
        assert_engines_ended(&bench);
    }
}

#[test]
fn an_engine_that_fails_everywhere_ends_the_run() {
    let bench = book();
    write_engine(&bench, "exit 3");
    let learn = format!("{LEARN} -o e.parquet");
    let error = bench.fails(&learn, 1);
    assert_has(&error, ["the engine failed on 8 positions in a row; the last failure: the engine"]);
    let more: Vec<_> =
        ["a6", "b6", "c6", "d6", "e6", "f6"].map(|mv| game(&format!("1. e4 {mv}"), "1-0")).into();
    bench.write("games.pgn", more.concat());
    bench.ok("build games.pgn -o b.tabia --force");
    write_engine(&bench, &failing("exit 3").replace("*/4p3/4P3/*", "*/4P3/*"));
    assert_eq!(learning(&bench, &learn)["taught"], 1);
    let more: Vec<_> = ["a5", "b5", "c5", "d5", "e5", "f5", "g5", "h5", "Nc6", "Nf6", "a6", "b6"]
        .map(|mv| game(&format!("1. e4 {mv}"), "1-0"))
        .into();
    bench.write("games.pgn", more.concat());
    bench.ok("build games.pgn -o b.tabia --force");
    let error = bench.fails(&format!("{learn} --force --jobs 1"), 1);
    assert_has(&error, ["failed on 10 positions in a row", "the work done so far is kept in ", "--resume"]);
}

#[test]
fn mistakes_are_named() {
    let bench = book();
    bench.ok("count games.pgn -o games.table");
    let learn = "learn engine b.tabia -o e.parquet --engine";
    for (arguments, code, said) in [
        (format!("{learn} ./engine"), 2, "--nodes: must be given: nodes or a depth for each position"),
        (format!("{learn} ./engine --nodes 1k --depth 9"), 2, "cannot be used with"),
        (
            format!("{learn} ./engine --nodes many"),
            2,
            "`many` is not a number of nodes: expected a number such as 1000000, 1M or 50k",
        ),
        (format!("{learn} ./engine --depth 0"), 2, "--depth: must be at least 1"),
        (format!("{learn} ./engine --nodes 1k --jobs 0"), 2, "--jobs: must be at least 1"),
        (format!("{learn} ' --nodes 1k"), 2, "--engine: `'` is not a command"),
        (format!("{learn} nonesuch --nodes 1k"), 1, "the engine `nonesuch` cannot be started"),
        (format!("{learn} cat --nodes 1k --engine-timeout 1"), 1, "did not print `uciok` within 6 s"),
        (format!("{learn} ./engine --nodes 1k --option Contempt=9"), 2, "has no option `Contempt`"),
        (format!("{learn} ./engine --nodes 1k --option Contempt"), 2, "write a setting as name=value"),
        (format!("{learn} ./engine --nodes 1k --unknown-only"), 2, "--experience"),
        (format!("{learn} ./engine --nodes 1k --experience x.parquet"), 2, "--unknown-only"),
        (
            "learn engine games.table -o e.parquet --engine ./engine --nodes 1k".into(),
            2,
            "games.table is a table, not a tabia book",
        ),
        ("learn engine none.tabia -o e.parquet --engine ./engine --nodes 1k".into(), 1, "no such file"),
        ("learn engine b.tabia -o - --engine ./engine --nodes 1k".into(), 2, "cannot be standard output"),
    ] {
        bench.assert_fails(&arguments, code, [said]);
    }
    let engine = bench.text("engine").replace("MultiPV", "Lines");
    bench.write("engine", engine);
    bench.assert_fails(&format!("{learn} ./engine --nodes 1k --moves"), 2, ["has no option `MultiPV`"]);
    let names = bench.names();
    assert!(!names.iter().any(|name| name.contains("searches") || name == "e.parquet"), "{names:?}");
}

/// A suite has an engine evaluate what passes everything else, and keeps what it found.
#[test]
fn a_suite_is_chosen_by_what_an_engine_finds() {
    let bench = book();
    let suite = "suite b.tabia -o s.epd --plies 1 --min-games 1 --apart 0 --eval -20..20 --force";
    let evaluate = "--engine ./engine --nodes 2k --evals e.experience.parquet";
    let json = bench.json(&format!("{suite} {evaluate} --turn black"));
    assert_eq!(json["learning"]["taught"], 2, "1.e4 and 1.f3: {json}");
    assert_eq!(take_heard(&bench, "go").len(), 2);
    let text = bench.text("s.epd");
    assert!(text.lines().count() == 2 && text.lines().all(|line| line.contains(" ce ")), "{text}");
    // What is known is not searched again, and chooses the same openings.
    bench.ok("count games.pgn -o t.table");
    let again = suite.replace("b.tabia", "t.table");
    bench.ok(&format!("{again} --experience e.experience.parquet"));
    assert_eq!(bench.text("s.epd"), text);
    let rest = evaluate.replace("e.experience", "f.experience");
    let json = bench.json(&format!("{again} --experience e.experience.parquet {rest} --allow-empty"));
    assert_eq!((json["learning"]["taught"].as_u64(), take_heard(&bench, "go").len()), (Some(0), 0));
    assert_engines_ended(&bench);
    for (arguments, error) in [
        ("--engine ./engine --nodes 2k", "--evals"),
        ("--evals n.parquet", "--engine"),
        ("--engine ./engine --evals n.parquet", "nodes"),
    ] {
        bench.assert_fails(&format!("{suite} {arguments}"), 2, [error]);
    }
    let without = "suite b.tabia -o n.epd --plies 1 --engine ./engine --nodes 2k --evals n.parquet";
    bench.assert_fails(without, 2, ["for --eval or --model-draws"]);
}
