//! Polyglot books of others that have castling as the king's two squares: every reader takes it for castling,
//! and where no board is at hand the bytes stay as they are.

use serde_json::Value;
use testing::{corpus, skip};

use crate::workbench::Workbench;

const GAMES: &str = "\
[Event \"short\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. O-O O-O 5. Re1 Re8 6. Rf1 1-0\n
[Event \"long\"]\n[Result \"1-0\"]\n\n1. d4 d5 2. Nc3 Nc6 3. Bf4 Bf5 4. Qd2 Qd7 5. O-O-O O-O-O 6. e3 e6 1-0\n
[Event \"queen\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Ke2 Ke7 3. Qe1 Qe8 4. Nf3 Nf6 5. g3 g6 6. Bg2 Bg7 7. Rg1 Rg8 \
8. Rh1 Rh8 9. Rg1 1-0\n";

/// How castling is packed, and how others write it.
const CASTLING: [(&str, &str); 4] = [("e1h1", "e1g1"), ("e1a1", "e1c1"), ("e8h8", "e8g8"), ("e8a8", "e8c8")];

fn packed(uci: &str) -> [u8; 2] {
    let square = |at: usize| {
        let [file, rank] = [uci.as_bytes()[at] - b'a', uci.as_bytes()[at + 1] - b'1'];
        u16::from(rank << 3 | file)
    };
    (square(0) << 6 | square(2)).to_be_bytes()
}

/// A book as Polyglot has it, `rook.bin`, and as some others do, `king.bin`; how many moves differ.
fn with_books() -> (Workbench, u64) {
    let bench = Workbench::with("games.pgn", GAMES);
    bench.ok("build games.pgn -o book.tabia --polyglot rook.bin");
    let mut bytes = bench.read("rook.bin");
    let mut changed = 0;
    for entry in bytes.as_chunks_mut::<16>().0 {
        if let Some((_, king)) = CASTLING.iter().find(|(rook, _)| packed(rook) == entry[8..10]) {
            entry[8..10].copy_from_slice(&packed(king));
            changed += 1;
        }
    }
    bench.write("king.bin", bytes);
    (bench, changed)
}

const BEFORE_CASTLING: [&str; 4] = [
    "1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5",
    "1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. O-O",
    "1. d4 d5 2. Nc3 Nc6 3. Bf4 Bf5 4. Qd2 Qd7",
    "1. d4 d5 2. Nc3 Nc6 3. Bf4 Bf5 4. Qd2 Qd7 5. O-O-O",
];

#[test]
fn commands_answer_alike_of_both() {
    let (bench, changed) = with_books();
    assert_eq!(changed, 4);
    let said = |arguments: &str, line: Option<&str>, book: &str| {
        let mut command = bench.command(&arguments.replace("BOOK", book));
        if let Some(line) = line {
            command.args(["--line", line]);
        }
        let output = command.output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap().replace(book, "BOOK")
    };
    for line in BEFORE_CASTLING {
        for arguments in [
            "probe BOOK",
            "probe BOOK --json",
            "probe BOOK --policy polyglot --explain",
            "probe BOOK --policy postmodernist --json",
            "pick BOOK --policy polyglot --seed 1",
        ] {
            let found = said(arguments, Some(line), "king.bin");
            assert!(found.contains("O-O"), "{line}: {found}");
            assert_eq!(found, said(arguments, Some(line), "rook.bin"), "{arguments} {line}");
        }
    }
    for arguments in [
        "dump BOOK",
        "export pgn BOOK -o -",
        "export epd BOOK -o -",
        "export csv BOOK -o -",
        "suite BOOK -o - --plies 10 --format epd --quiet",
        "simulate BOOK --policy polyglot --json",
    ] {
        let found = said(arguments, None, "king.bin");
        assert_eq!(found, said(arguments, None, "rook.bin"), "{arguments}");
        assert!(found.contains("O-O") || arguments.starts_with("suite"), "{arguments}: {found}");
    }
}

#[test]
fn a_check_counts_them_and_finds_nothing_wrong() {
    let (bench, changed) = with_books();
    let checked = |book: &str| -> Value { bench.json(&format!("check {book}")) };
    let (mut king, mut rook) = (checked("king.bin"), checked("rook.bin"));
    let counted = |found: &mut Value| found["castling_as_king_move"].take();
    assert_eq!((counted(&mut king), counted(&mut rook)), (changed.into(), 0.into()));
    assert_eq!(king, rook);
    bench.assert_prints("check king.bin", ["4 castling moves written as the king's two squares (e1g1)"]);
}

#[test]
fn the_two_do_not_differ() {
    let (bench, _) = with_books();
    let diff = bench.json("diff king.bin rook.bin");
    let moves = &diff["moves"];
    assert_eq!((&moves["only_first"], &moves["only_second"]), (&0.into(), &0.into()), "{diff}");
    assert_eq!(diff["changed"], 0, "{diff}");
}

#[test]
fn lines_with_them_are_edited() {
    let (bench, _) = with_books();
    let edits = "weigh 1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. O-O: 7\n\
                 drop 1. d4 d5 2. Nc3 Nc6 3. Bf4 Bf5 4. Qd2 Qd7 5. O-O-O O-O-O\n";
    bench.write("edits.txt", edits);
    for book in ["king", "rook"] {
        bench.ok(&format!("edit {book}.bin --script edits.txt -o {book}-new.bin"));
    }
    let moves = |name: &str| {
        let bytes = bench.read(name);
        bytes
            .as_chunks::<16>()
            .0
            .iter()
            .filter(|entry| entry[..8] != [0; 8])
            .map(|entry| entry.to_vec())
            .collect()
    };
    let (king, rook): (Vec<_>, Vec<_>) = (moves("king-new.bin"), moves("rook-new.bin"));
    assert_eq!(king.len(), rook.len());
    // White's castling, and Black's after it, were on the lines: the position after 4.O-O was not.
    let differ = king.iter().zip(&rook).filter(|(king, rook)| king != rook).count();
    assert_eq!(differ, 1, "only what no edit met is as it was");
}

#[test]
fn bytes_stay_where_there_is_no_board() {
    let (bench, _) = with_books();
    bench.ok("export json king.bin -o king.jsonl");
    let text = bench.text("king.jsonl");
    assert!(text.contains("\"move\":\"e1g1\",\"san\":\"O-O\""), "{text}");
    assert!(!text.contains("\"legal\""), "{text}");
    bench.ok("import json king.jsonl -o again.bin");
    assert_eq!(bench.read("again.bin"), bench.read("king.bin"));
    bench.ok("merge king.bin king.bin -o merged.bin --strategy max --no-scale");
    assert_eq!(bench.read("merged.bin"), bench.read("king.bin"));
}

/// `fruit_book_small`, made by another program, has all its castling so.
#[test]
fn a_book_of_another_program_has_no_illegal_castling() {
    let Some(book) = corpus("books/fruit_book_small_polyglot.bin") else { return skip("no corpus") };
    let bench = Workbench::new();
    let checked = bench.json(&format!("check {} --limit 1", book.display()));
    assert!(checked["castling_as_king_move"].as_u64().unwrap() > 1000, "{checked}");
    let kinds = checked["kinds"].as_array().unwrap();
    let weights = kinds.iter().find(|report| report["kind"] == "weights").unwrap();
    let what = weights["findings"].to_string();
    assert!(!what.contains("is not legal"), "{what}");
}
