//! `tabia dump` and the header of Polyglot books, with Debian's polyglot as the judge.

use std::{collections::BTreeSet, fs, path::Path, process::Command};

use serde_json::Value;
use shakmaty::{Chess, EnPassantMode, Position as _, fen::Fen, san::San};
use testing::{corpus, skip};

use crate::workbench::Workbench;

const POLYGLOT: &str = "/usr/games/polyglot";

/// The lines of a dump: how many, and every move in them with its share, by the position it is played in.
fn moves(dump: &str) -> (usize, BTreeSet<String>) {
    let lines: Vec<_> = dump.lines().filter(|line| line.starts_with(|c: char| c.is_ascii_digit())).collect();
    let mut moves = BTreeSet::new();
    for line in &lines {
        let (_, line) = line.split_once(": ").unwrap();
        let line = line.split(" {").next().unwrap();
        let mut position = Chess::default();
        for word in line.split_whitespace().filter(|word| !word.ends_with('.')) {
            let fen = Fen::from_position(&position, EnPassantMode::Legal).to_string();
            let fen = fen.rsplitn(3, ' ').last().unwrap();
            let san = word.split('{').next().unwrap();
            moves.insert(format!("{fen}: {}", word.replace(['+', '#'], "")));
            let m = san.parse::<San>().unwrap().to_move(&position).unwrap();
            position.play_unchecked(m);
        }
    }
    (lines.len(), moves)
}

fn judged(bench: &Workbench, book: &Path, color: &str) {
    let judge = |arguments: &[&str]| {
        let judge = Command::new(POLYGLOT).current_dir(bench.path("")).args(arguments).output().unwrap();
        assert!(judge.status.success());
    };
    judge(&["dump-book", "-bin", book.to_str().unwrap(), "-color", color, "-out", "judge.txt"]);
    let ours = bench.ok(&format!("dump {} --color {color}", book.display()));
    let theirs = bench.text("judge.txt");
    let ((our_lines, ours), (their_lines, theirs)) = (moves(&ours), moves(&theirs));
    let differing: Vec<_> = ours.symmetric_difference(&theirs).take(5).collect();
    assert!(differing.is_empty(), "{color}: {differing:?}");
    assert!(our_lines == their_lines && our_lines > 100, "{color}: {our_lines} lines, not {their_lines}");
}

#[test]
fn lines_are_those_of_polyglot() {
    let bench = Workbench::new();
    if !Path::new(POLYGLOT).exists() {
        return skip("polyglot is not installed");
    }
    bench.ok("build SAMPLE -o b.tabia --polyglot ours.bin --header --min-games 3");
    let mut books = vec![bench.path("ours.bin")];
    books.extend(corpus("books/Perfect2021.bin"));
    for book in books {
        judged(&bench, &book, "white");
        judged(&bench, &book, "black");
    }
}

#[test]
fn every_entry_is_in_a_line_or_is_counted() {
    let bench = Workbench::after(["build SAMPLE -o b.tabia --polyglot b.bin --min-games 3"]);
    // An entry of a position that no line reaches goes behind all others.
    let mut bytes = bench.read("b.bin");
    bytes.extend([&[0xff; 8][..], &[0x03, 0x1c, 0, 5, 0, 0, 0, 7]].concat());
    fs::write(bench.path("more.bin"), bytes).unwrap();
    bench.assert_prints("dump more.bin", ["ffffffffffffffff e2e4 5 7\n"]);
    let others = |book: &str| {
        let text = bench.ok(&format!("dump {book}"));
        let (_, raw) = text.split_once("Entries in no line: key, move, weight, learn.\n").unwrap();
        let said = raw.lines().last().unwrap().split(' ').nth(3).unwrap().parse::<usize>().unwrap();
        assert_eq!(raw.lines().count() - 1, said, "{raw}");
        let keys: BTreeSet<_> = raw.lines().take(said).map(|line| line.split(' ').next()).collect();
        let positions = raw.lines().last().unwrap().split(' ').nth(6).unwrap().parse::<usize>().unwrap();
        assert_eq!(keys.len(), positions, "{raw}");
        said
    };
    assert_eq!(others("more.bin"), others("b.bin") + 1);

    let dumped = bench.ok("dump more.bin --json");
    let dumped: Vec<Value> = dumped.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((&dumped[0]["side"], &dumped[0]["number"]), (&"white".into(), &1.into()));
    assert!(dumped[0]["moves"][0]["weight"].is_u64() && dumped[0]["moves"][1]["weight"].is_null());
    assert_eq!(dumped.last().unwrap()["key"], "ffffffffffffffff");
}

#[test]
fn a_header_says_where_a_book_is_from_and_changes_nothing_else() {
    let bench = Workbench::after(["build SAMPLE -o b.tabia --min-games 3"]);
    bench.ok("export polyglot b.tabia -o plain.bin");
    bench.ok("export polyglot b.tabia -o signed.bin --header");
    let (plain, signed) = (bench.read("plain.bin"), bench.read("signed.bin"));
    assert!(signed.ends_with(&plain) && signed[8..12] == *b"@PG@" && signed.len() > plain.len());

    let info = bench.ok("info signed.bin");
    for says in ["variants           normal", "Created by tabia", "weight wins-draws", "sources: sample.pgn"]
    {
        assert!(info.contains(says), "{says}: {info}");
    }
    assert!(!bench.ok("info plain.bin").contains("header"));
    let counted = |book: &str| {
        let verified = bench.ok(&format!("verify {book}"));
        verified.split_once(": ").unwrap().1.split_once("; ").unwrap().0.to_owned()
    };
    assert_eq!(counted("plain.bin"), counted("signed.bin"));
    for question in ["probe", "simulate --policy polyglot --games 50", "dump"] {
        let (question, flags) = question.split_once(' ').unwrap_or((question, ""));
        let answer = |book: &str| bench.ok(&format!("{question} {book} {flags}")).replace(book, "");
        assert_eq!(answer("plain.bin"), answer("signed.bin"), "{question}");
    }
    // By a policy that needs the board, entries take another way into the file.
    bench.ok("export polyglot b.tabia -o p.bin --policy postmodernist");
    bench.ok("export polyglot b.tabia -o q.bin --policy postmodernist --header");
    let (plain, signed) = (bench.read("p.bin"), bench.read("q.bin"));
    assert!(signed.ends_with(&plain) && bench.ok("info q.bin").contains("policy postmodernist"));
}

#[test]
fn other_files_are_refused() {
    let bench = Workbench::after(["build SAMPLE -o b.tabia --min-games 3"]);
    assert!(bench.fails("dump b.tabia", 2).contains("is a book, not a Polyglot book"));
    assert!(bench.fails("dump nothing.bin", 1).contains("no such file"));
    bench.write("odd.bin", [0; 17]);
    assert!(bench.fails("dump odd.bin", 1).contains("not a multiple of 16"));
    bench.assert_fails("build x.pgn -o b.tabia --header", 2, ["--polyglot"]);
}
