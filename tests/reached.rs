//! One meaning of a position that is reached: a line of moves of the book leads there. A walk of the test's
//! own over the book's JSON says which positions are; checks, edits and exports must agree with it.

use std::collections::{BTreeMap, BTreeSet};

use position::{Key, PackedMove, only_side};
use serde_json::Value;
use shakmaty::{CastlingMode, Chess, Color, Position as _, fen::Fen, uci::UciMove};
use testing::corpus;

use crate::workbench::Workbench;

/// A book as its JSON says: the moves of each position, and the FEN where there is one.
#[derive(Default)]
struct Positions {
    moves: BTreeMap<Key, Vec<String>>,
    fens: BTreeMap<Key, String>,
    /// The only side that has moves.
    side: Option<Color>,
}

impl Positions {
    fn of(bench: &Workbench, book: &str) -> Self {
        let text = bench.ok(&format!("export json {book} -o - -q"));
        let (mut positions, mut sides) = (Self::default(), BTreeSet::new());
        for line in text.lines().skip(1) {
            let line: Value = serde_json::from_str(line).unwrap();
            let key: Key = line["key"].as_str().unwrap().parse().unwrap();
            let moves = line["moves"].as_array().into_iter().flatten();
            let moves: Vec<_> = moves.map(|mv| mv["move"].as_str().unwrap().to_owned()).collect();
            if !moves.is_empty() {
                sides.insert(line["turn"].to_string());
            }
            positions.moves.insert(key, moves);
            if let Some(fen) = line["fen"].as_str() {
                positions.fens.insert(key, fen.to_owned());
            }
        }
        positions.side = only_side(|side| sides.contains(side.fold_wb("\"white\"", "\"black\"")));
        positions
    }

    /// The positions that lines reach from the start position, depth first.
    fn reached(&self) -> BTreeSet<Key> {
        let mut reached = BTreeSet::new();
        let (mut seen, mut open) = (BTreeSet::new(), vec![Chess::default()]);
        while let Some(board) = open.pop() {
            let key = Key::of(&board);
            if !seen.insert(key) {
                continue;
            }
            let known = self.moves.get(&key);
            if known.is_some() {
                reached.insert(key);
            }
            let replies = self.side == Some(!board.turn());
            for m in board.legal_moves() {
                let mut after = board.clone();
                after.play_unchecked(m);
                let name = UciMove::from_move(m, CastlingMode::Chess960).to_string();
                let is_of_book = known.is_some_and(|moves| moves.contains(&name));
                if is_of_book || replies && self.moves.contains_key(&Key::of(&after)) {
                    open.push(after);
                }
            }
        }
        reached
    }
}

/// The key of a FEN, or of the fields that EPD has of one.
fn key_of(fen: &str) -> Key {
    let four: Vec<_> = fen.split(' ').take(4).collect();
    let fen: Fen = format!("{} 0 1", four.join(" ")).parse().unwrap();
    let board: Chess = fen.into_position(CastlingMode::Standard).unwrap();
    Key::of(&board)
}

fn unreachable(bench: &Workbench, book: &str) -> (Value, BTreeSet<Key>) {
    let found = bench.json(&format!("check {book} --only unreachable --fail weights --limit 10000000"));
    let findings = found["kinds"][0]["findings"].as_array().unwrap().clone();
    let keys = findings.iter().map(|finding| finding["key"].as_str().unwrap().parse().unwrap()).collect();
    (found, keys)
}

/// Everything that says which positions of a book are reached says the same; how many are not.
fn agree_on(bench: &Workbench, book: &str) -> usize {
    let positions = Positions::of(bench, book);
    let reached = positions.reached();
    let all: BTreeSet<Key> = positions.moves.keys().copied().collect();
    let missing: BTreeSet<Key> = all.difference(&reached).copied().collect();
    // JSON: a FEN for what is reached, the right one, and for nothing else.
    assert_eq!(positions.fens.keys().copied().collect::<BTreeSet<_>>(), reached, "{book}: FENs of JSON");
    positions.fens.iter().for_each(|(key, fen)| assert_eq!(key_of(fen), *key, "{fen}"));
    let (found, not_reached) = unreachable(bench, book);
    assert_eq!(not_reached, missing, "{book}: check");
    assert_eq!(found["reached"], reached.len(), "{book}: check");
    assert_eq!(found["positions"], all.len(), "{book}: check");
    // Lines as EPD, CSV and PGN. Those of a Polyglot book have positions without moves, too.
    bench.ok(&format!("export epd {book} -o out.epd -f -q"));
    let epd: BTreeSet<Key> = bench.text("out.epd").lines().map(key_of).collect();
    assert_eq!(epd.intersection(&all).copied().collect::<BTreeSet<_>>(), reached, "{book}: EPD");
    bench.ok(&format!("export csv {book} -o out.csv -f -q"));
    let csv = bench.text("out.csv");
    let last = |row: &str| key_of(row.rsplit(',').next().unwrap());
    let mut of_csv: BTreeSet<Key> = csv.lines().skip(1).map(last).collect();
    of_csv.insert(Key::START);
    assert_eq!(of_csv, epd, "{book}: CSV");
    let pgn = bench.json(&format!("export pgn {book} -o out.pgn -f"));
    assert_eq!(pgn["exported"]["positions"], epd.len(), "{book}: PGN");
    pruned(bench, book, &reached, missing.len());
    missing.len()
}

/// Pruning leaves what is reached.
fn pruned(bench: &Workbench, book: &str, reached: &BTreeSet<Key>, missing: usize) {
    let pruned = format!("pruned.{}", book.rsplit('.').next().unwrap());
    bench.write("prune.txt", "prune unreachable\n");
    let edit = format!("edit {book} --script prune.txt -o {pruned} -f");
    if missing == 0 {
        bench.assert_fails(&edit, 1, ["nothing to prune: every position is reached"]);
        return;
    }
    bench.ok(&edit);
    let left: BTreeSet<Key> = Positions::of(bench, &pruned).moves.into_keys().collect();
    assert_eq!(&left, reached, "{book}: pruned");
    assert!(unreachable(bench, &pruned).1.is_empty(), "{book}: check of what was pruned");
}

#[test]
fn checks_edits_and_exports_agree_on_what_is_reached() {
    let bench = Workbench::after(["count SAMPLE -o games.table --max-ply 24"]);
    let mut not_reached = 0;
    for min_games in [1, 2, 3, 5, 10] {
        for color in ["", "--color white", "--color black"] {
            bench.ok(&format!("compact games.table -o book.tabia -f --min-games {min_games} {color}"));
            bench.ok("export polyglot book.tabia -o book.bin -f");
            not_reached += agree_on(&bench, "book.tabia") + agree_on(&bench, "book.bin");
        }
    }
    assert!(not_reached > 100, "{not_reached}: the books must have such positions");
}

#[test]
fn they_agree_on_a_book_of_masters() {
    let Some(games) = corpus("kingbase2015-recon-a.pgn.zst") else { return };
    let bench = Workbench::new();
    bench.ok(&format!(
        "build {} --limit 20000 -o book.tabia --max-ply 30 --min-games 4 --polyglot book.bin",
        games.display()
    ));
    assert!(agree_on(&bench, "book.tabia") > 0);
    agree_on(&bench, "book.bin");
}

/// A move that was added has no games, and leads on as any other does.
#[test]
fn what_added_moves_lead_to_is_reached() {
    let bench = Workbench::after(["build SAMPLE -o book.tabia --min-games 20 --max-ply 12"]);
    bench.write("add.txt", "add h4 a5 Rh3 a4\n");
    bench.ok("edit book.tabia --script add.txt -o added.tabia");
    let before = Positions::of(&bench, "book.tabia").reached().len();
    agree_on(&bench, "added.tabia");
    assert_eq!(Positions::of(&bench, "added.tabia").fens.len(), before + 4);
}

/// Castling as the king's two squares leads on, and moves that are not legal do not.
#[test]
fn entries_of_other_programs_lead_where_they_can() {
    let bench = Workbench::new();
    let mut board = Chess::default();
    let mut entries = Vec::new();
    let mut push = |board: &Chess, mv: u16| {
        let key = Key::of(board).0.to_be_bytes();
        entries.push([&key[..], &mv.to_be_bytes(), &[0, 1, 0, 0, 0, 0]].concat());
    };
    // e1g1 as the king's squares is 4 to 6; d1d5 is no move.
    for uci in ["e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "f8c5", "e1h1", "g8f6"] {
        let m = uci.parse::<UciMove>().unwrap().to_move(&board).unwrap();
        let mv = if uci == "e1h1" { 0o0406 } else { PackedMove::pack(m).0 };
        push(&board, mv);
        push(&board, 0o0343);
        board.play_unchecked(m);
    }
    push(&board, PackedMove::pack(board.legal_moves()[0]).0);
    entries.sort_by_key(|entry| entry[..8].to_vec());
    bench.write("odd.bin", entries.concat());
    let found = bench.json("check odd.bin --only unreachable,weights --fail holes --limit 100");
    assert_eq!((&found["positions"], &found["reached"]), (&9.into(), &9.into()), "{found}");
    let text = bench.ok("export json odd.bin -o - -q");
    assert_eq!(text.matches("\"fen\"").count(), 9, "{text}");
}
