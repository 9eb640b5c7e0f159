//! Books of ChessBase into tables and books.

mod layout;

use std::collections::{BTreeMap, BTreeSet};

use book::ctg::NormalForm;
use position::Key;
use serde_json::Value;
use shakmaty::{Chess, Position as _, san::San};
use testing::corpus;

use self::layout::{Written, code, ctg};
use crate::workbench::{Workbench, assert_has, tallies};

/// The position after a line.
fn after(line: &str) -> Chess {
    let mut position = Chess::default();
    for san in line.split_whitespace() {
        let m = san.parse::<San>().unwrap().to_move(&position).unwrap();
        position.play_unchecked(m);
    }
    position
}

/// The entry of the position after a line; moves with their annotations.
fn entry(line: &str, moves: &[(&str, u8)], games: [u32; 4], recommendation: u8) -> Written {
    let position = after(line);
    let of = |(san, annotation): &(&str, u8)| {
        let m = san.parse::<San>().unwrap().to_move(&position).unwrap();
        (code(&position, m).unwrap(), *annotation)
    };
    let normal = NormalForm::of(&position).unwrap().position().clone();
    Written { position: normal, moves: moves.iter().map(of).collect(), games, recommendation }
}

/// Ten games; those of a position are won and lost by the side to move.
fn small() -> Vec<Written> {
    vec![
        entry("", &[("e4", 1), ("d4", 0xe0)], [10, 5, 3, 2], 0),
        entry("e4", &[("e5", 4)], [6, 2, 3, 1], 0x80),
        entry("d4", &[("Nf6", 0)], [4, 1, 2, 1], 0x40),
        entry("e4 e5", &[("Nf3", 0)], [6, 3, 2, 1], 0),
        entry("d4 Nf6", &[], [3, 1, 1, 1], 0),
        entry("a4 a5 h4", &[], [1, 1, 0, 0], 0),
    ]
}

#[test]
fn results_of_successors_become_a_table() {
    let bench = Workbench::with("a.ctg", ctg(&small()));
    let said = bench.json("import ctg a.ctg -o a.table");
    bench.ok("verify a.table");
    let imported = serde_json::json!({
        "positions": 6, "moves": 4, "positions that no line leads to": 1, "annotations without a NAG left out": 1,
        "moves to positions that the file does not have left out": 1,
    });
    assert_eq!((&said["imported"], &said["accepted"]), (&imported, &10.into()));
    let named = |name: &str, tally| (name.to_owned(), tally);
    let start = tallies(&bench.probe("a.table", ""), "uci");
    assert_eq!(start, [named("e2e4", [3, 1, 2]), named("d2d4", [2, 1, 1])]);
    assert_eq!(tallies(&bench.probe("a.table", "e4"), "uci"), [named("e7e5", [3, 1, 2])]);
    assert_eq!(tallies(&bench.probe("a.table", "d4"), "uci"), [named("g8f6", [1, 1, 1])]);
    let visits = bench.probe("a.table", "d4")["tally"].clone();
    assert_eq!(visits["white"], 2, "one game ended there: {visits}");
}

#[test]
fn annotations_and_recommendations_are_in_a_book() {
    let bench = Workbench::with("a.ctg", ctg(&small()));
    bench.ok("import ctg a.ctg -o a.tabia");
    bench.ok("verify a.tabia");
    let known = |line: &str, at: usize| bench.probe("a.tabia", line)["moves"][at]["known"].clone();
    let marks = |known: Value| (known["user_value"].clone(), known["mark"].clone());
    assert_eq!(marks(known("", 0)), (100.into(), "!".into()));
    assert_eq!(marks(known("", 1)), (0.into(), Value::Null));
    assert_eq!(marks(known("e4", 0)).1, "??");
    assert_eq!(bench.probe("a.tabia", "")["moves"][1]["known"]["playable"], false);
}

/// Of ten games four have a result, of those of 1. d4 none, and five went on from 1. e4 e5.
#[test]
fn games_without_a_result_are_left_out_of_every_position() {
    let positions = [
        entry("", &[("e4", 0), ("d4", 1)], [10, 2, 1, 1], 0),
        entry("e4", &[("e5", 0)], [6, 1, 2, 1], 0),
        entry("d4", &[("Nf6", 0)], [4, 0, 0, 0], 0x80),
        entry("e4 e5", &[], [5, 2, 1, 1], 0),
        entry("d4 Nf6", &[], [4, 0, 0, 0], 0),
    ];
    let bench = Workbench::with("a.ctg", ctg(&positions));
    let said = bench.json("import ctg a.ctg -o a.tabia");
    let imported = serde_json::json!({
        "positions": 5, "moves": 4, "moves without games": 2, "games without a result left out": 6,
        "visits of positions without a result left out": 17,
    });
    assert_eq!((&said["imported"], &said["warnings"]), (&imported, &Value::Array(Vec::new())));
    bench.ok("verify a.tabia");
    let named = |name: &str, tally| (name.to_owned(), tally);
    let start = bench.probe("a.tabia", "");
    assert_eq!(tallies(&start, "uci"), [named("e2e4", [2, 1, 1]), named("d2d4", [0, 0, 0])]);
    assert_eq!(start["tally"]["games"], 4, "{start}");
    assert_eq!(start["moves"][1]["known"]["user_value"], 100, "what is said of a move stays");
    assert_eq!(tallies(&bench.probe("a.tabia", "e4"), "uci"), [named("e7e5", [2, 1, 1])]);
    assert_eq!(tallies(&bench.probe("a.tabia", "d4"), "uci"), [named("g8f6", [0, 0, 0])]);
    let said = bench.json("import ctg a.ctg -o a.table");
    assert_eq!(
        (&said["games"], &said["accepted"], &said["imported"]["moves"]),
        (&10.into(), &4.into(), &2.into())
    );
    bench.ok("verify a.table");
    assert_eq!(tallies(&bench.probe("a.table", ""), "uci"), [named("e2e4", [2, 1, 1])]);
    bench.assert_prints("info a.table", ["games counted      4\n", "games read         10\n"]);
}

/// Random games: castling, en passant, promotion, both colours and both sides of the board.
#[test]
fn random_games_come_back() {
    let (mut entries, mut moves, mut choice) = (BTreeMap::new(), BTreeSet::new(), 1_u64);
    for _ in 0..120 {
        let mut position = Chess::default();
        for ply in 0..=90 {
            let key = NormalForm::of(&position).unwrap().key();
            let entry: &mut Written = entries.entry(key).or_default();
            entry.position = NormalForm::of(&position).unwrap().position().clone();
            entry.games = [4, 1, 2, 1];
            let legal = position.legal_moves();
            choice = choice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let Some(&m) = legal.get((choice >> 33) as usize % legal.len().max(1)) else { break };
            let Some(code) = code(&position, m).filter(|_| ply < 90) else { break };
            if !entry.moves.contains(&(code, 0)) {
                entry.moves.push((code, 0));
            }
            moves.insert((Key::of(&position), position::PackedMove::pack(m)));
            position.play_unchecked(m);
        }
    }
    let kinds = |is: fn(shakmaty::Square, shakmaty::Square) -> bool| {
        moves.iter().filter(|(_, mv)| is(mv.from(), mv.to())).count()
    };
    assert!(kinds(|from, to| from == shakmaty::Square::E8 && to == shakmaty::Square::H8) > 0);
    let bench = Workbench::new();
    let all: Vec<_> = entries.into_values().collect();
    bench.write("a.ctg", ctg(&all));
    let said = bench.json("import ctg a.ctg -o a.tabia --force");
    let imported = &said["imported"];
    assert_eq!(
        (&imported["positions"], &imported["illegal moves left out"]),
        (&all.len().into(), &Value::Null)
    );
    assert_eq!(imported["positions that no line leads to"], Value::Null);
    let text = bench.ok("export json a.tabia");
    let mut found = BTreeSet::new();
    for line in text.lines().skip(1).map(|line| serde_json::from_str::<Value>(line).unwrap()) {
        let key: Key = line["key"].as_str().unwrap().parse().unwrap();
        for mv in line["moves"].as_array().into_iter().flatten() {
            found.insert((key, mv["move"].as_str().unwrap().to_owned()));
        }
    }
    let missing = moves.iter().filter(|(key, mv)| !found.contains(&(*key, mv.to_string()))).count();
    assert!(moves.len() > 5000, "{}", moves.len());
    assert_eq!(missing, 0, "of {}", moves.len());
}

#[test]
fn damaged_files_are_refused_by_byte() {
    let bench = Workbench::new();
    let good = ctg(&small());
    let changed = |at: usize, byte: u8| {
        let mut bytes = good.clone();
        bytes[at] = byte;
        bytes
    };
    let wrong = [
        (good[..4096].to_vec(), "is not a ChessBase book (CTG): it is shorter than"),
        ([&good[..], b"x"].concat(), "its length is no multiple of a page"),
        (changed(4096 + 2, 0xff), "damaged at byte 4096: a page with more bytes than a page has"),
        (changed(4096 + 2, 0), "a position goes beyond the bytes of its page"),
        (changed(4096 + 4, 0x40), "damaged at byte 4100: a position without a board"),
        (changed(4096 + 4 + 22, 4), "damaged at byte 4100: a list of moves that ends within a move"),
        (vec![0; 8192], "no move is kept"),
    ];
    for (bytes, why) in wrong {
        bench.write("a.ctg", bytes);
        let error = bench.fails("import ctg a.ctg -o a.tabia", 1);
        assert!(error.contains(why), "{why}:\n{error}");
        assert_eq!(bench.names(), ["a.ctg"]);
    }
    bench.write("b.abk", b"\x03ABK and more");
    bench.assert_fails("import ctg b.abk -o a.tabia", 1, ["is an Arena book (ABK)"]);
}

#[test]
fn an_illegal_move_is_named_and_a_repeated_position_taken_once() {
    let bench = Workbench::new();
    let mut positions = small();
    positions[0].moves.push((0x6b, 0));
    positions.push(Written { games: [2, 1, 1, 0], ..positions[4].clone() });
    bench.write("a.ctg", ctg(&positions));
    let output = bench.run("import ctg a.ctg -o a.table --json");
    let said: Value = serde_json::from_slice(&output.stdout).unwrap();
    let count = |what: &str| said["imported"][what].clone();
    assert_eq!(count("older copies of positions left out"), 1);
    assert_eq!(count("illegal moves left out"), 1);
    let error = String::from_utf8(output.stderr).unwrap();
    assert_has(&error, ["byte 0x6b (e1g1) in rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -"]);
    assert_eq!(tallies(&bench.probe("a.table", "d4"), "uci")[0].1, [1, 1, 1], "that with more games");
}

/// Four positions of one game without a result.
#[test]
fn a_real_book_is_read() {
    let Some(path) = corpus("books/johnfontaine+chess-tools__simple.ctg") else { return };
    let bench = Workbench::new();
    bench.assert_fails(&format!("import ctg {} -o a.table", path.display()), 1, ["has no results"]);
    let said = bench.json(&format!("import ctg {} -o a.tabia", path.display()));
    assert_eq!((&said["imported"]["positions"], &said["imported"]["moves"]), (&4.into(), &3.into()));
    let names = |line: &str| {
        tallies(&bench.probe("a.tabia", line), "uci").into_iter().map(|(name, _)| name).collect::<Vec<_>>()
    };
    assert_eq!(names(""), ["d2d4", "e2e4"]);
}
