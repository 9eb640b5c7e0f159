//! Every move that lines lead to is in an exported book exactly once, and what has no room is counted.

use std::collections::BTreeMap;

use position::{Key, PackedMove};
use serde_json::Value;
use shakmaty::{Chess, Position as _, Square, uci::UciMove};

use crate::workbench::{Workbench, tallies};

/// A move of a position, as UCI names it with castling as king takes rook.
type Known = (Key, String);

/// Games that White won, drawn, lost.
type Tally = [u64; 3];

/// The moves that an Arena book has, read by its layout from the first record on, each with its tallies: one
/// a record.
fn records(bytes: &[u8]) -> BTreeMap<Known, Vec<Tally>> {
    let int = |record: i32, at: usize| {
        let start = usize::try_from(record).unwrap() * 28 + at;
        i32::from_le_bytes(bytes[start..start + 4].try_into().unwrap())
    };
    let byte = |record: i32, at: usize| bytes[usize::try_from(record).unwrap() * 28 + at];
    let mut found: BTreeMap<Known, Vec<Tally>> = BTreeMap::new();
    let mut open = vec![(900, Chess::default())];
    while let Some((mut record, board)) = open.pop() {
        while record != -1 {
            let squares = [0, 1].map(|at| Square::new(byte(record, at).into()));
            let role = ['?', 'r', 'n', 'b', 'q'][usize::from(byte(record, 2).cast_signed().unsigned_abs())];
            let promotion = if role == '?' { String::new() } else { role.to_string() };
            let uci: UciMove = format!("{}{}{promotion}", squares[0], squares[1]).parse().unwrap();
            let m = uci.to_move(&board).unwrap();
            let [games, won, lost] = [4, 8, 12].map(|at| u64::try_from(int(record, at)).unwrap());
            let known = (Key::of(&board), PackedMove::pack(m).to_string());
            found.entry(known).or_default().push([won, games - won - lost, lost]);
            let mut after = board.clone();
            after.play_unchecked(m);
            open.push((int(record, 20), after));
            record = int(record, 24);
        }
    }
    assert_eq!(found.values().map(Vec::len).sum::<usize>(), bytes.len() / 28 - 900, "records of no line");
    found
}

/// The moves that lines of a book lead to, by its JSON.
fn reachable(bench: &Workbench, book: &str) -> BTreeMap<Known, Tally> {
    let text = bench.ok(&format!("export json {book} -o - -q"));
    let mut all: BTreeMap<Key, Vec<(String, Tally)>> = BTreeMap::new();
    for line in text.lines().skip(1) {
        let line: Value = serde_json::from_str(line).unwrap();
        let key = line["key"].as_str().unwrap().parse().unwrap();
        let moves = line["moves"].as_array().into_iter().flatten().map(|mv| {
            let tally = [0, 1, 2].map(|at| mv["tally"][at].as_u64().unwrap());
            (mv["move"].as_str().unwrap().to_owned(), tally)
        });
        all.insert(key, moves.collect());
    }
    let (mut found, mut open) = (BTreeMap::new(), vec![Chess::default()]);
    while let Some(board) = open.pop() {
        let key = Key::of(&board);
        for (name, tally) in all.remove(&key).unwrap_or_default() {
            let legal = board.legal_moves();
            let m = legal.into_iter().find(|m| PackedMove::pack(*m).to_string() == name).unwrap();
            let mut after = board.clone();
            after.play_unchecked(m);
            open.push(after);
            found.insert((key, name), tally);
        }
    }
    found
}

fn exported(bench: &Workbench, flags: &str) -> Value {
    bench.json(&format!("export abk book.tabia -o book.abk --force --max-ply 200 {flags}"))["exported"]
        .clone()
}

#[test]
fn each_move_that_lines_lead_to_is_a_record_and_repeats_come_on_top() {
    let bench = Workbench::after(["count SAMPLE -o games.table --max-ply 40"]);
    for min_games in [1, 2, 4] {
        bench.ok(&format!("compact games.table -o book.tabia -f --min-games {min_games}"));
        let reachable = reachable(&bench, "book.tabia");
        let said = exported(&bench, "");
        let found = records(&bench.read("book.abk"));
        assert_eq!(found.len(), reachable.len(), "moves are lost");
        for (known, tally) in &reachable {
            assert_eq!(found[known], [*tally], "{known:?}: once, with its games");
        }
        assert_eq!((&said["records"], &said["moves"]), (&reachable.len().into(), &reachable.len().into()));
        let said = exported(&bench, "--repeat-plies 3");
        let repeated = records(&bench.read("book.abk"));
        let of_all = repeated.values().map(Vec::len).sum::<usize>();
        assert_eq!((repeated.len(), &said["records"]), (reachable.len(), &of_all.into()));
        assert!(of_all > reachable.len(), "nothing is repeated: {said}");
        assert!(
            repeated.iter().all(|(known, tallies)| tallies.iter().all(|tally| *tally == reachable[known]))
        );
    }
}

#[test]
fn what_has_no_room_is_the_rarest_and_is_counted_exactly() {
    let bench = Workbench::after(["build SAMPLE -o book.tabia --max-ply 20 --min-games 2"]);
    let all = reachable(&bench, "book.tabia").len();
    let most = all - 50;
    for flags in ["", "--repeat-plies 9"] {
        let said = exported(&bench, &format!("{flags} --max-records {most}"));
        assert_eq!((&said["moves"], &said["moves that had no room left out"]), (&most.into(), &50.into()));
    }
    assert_eq!(records(&bench.read("book.abk")).len(), most);
    let export = format!("export abk book.tabia -o other.abk --max-ply 200 --max-records {most}");
    let expected =
        format!("there is no room for 50 moves of the rarest lines, as the book may have {most} records");
    bench.assert_fails(&format!("{export} --strict"), 1, [expected.as_str(), "raise --max-records"]);
    assert!(!bench.names().contains(&"other.abk".to_owned()));
    bench.assert_says(&export, [expected.as_str()]);
    bench.ok(&format!("export abk book.tabia -o whole.abk --max-ply 200 --max-records {all} --strict"));
}

/// A book of one side: its lines go on over each reply that leads back into it. Arena never plays those, and
/// its own moves keep what they are.
#[test]
fn lines_of_a_book_of_one_side_go_on_over_replies_that_arena_does_not_play() {
    let bench = Workbench::after(["build SAMPLE -o book.tabia --color black --max-ply 20 --min-games 3"]);
    let said = exported(&bench, "");
    let found = records(&bench.read("book.abk"));
    let mut own = BTreeMap::new();
    for row in bench.ok("export csv book.tabia -o - -q").lines().skip(1) {
        // ply,line,san,uci,games,…,fen
        *own.entry(row.split(',').next().unwrap().parse::<u32>().unwrap().is_multiple_of(2)).or_insert(0) +=
            1;
    }
    assert!(own[&true] > 100, "{own:?}");
    assert_eq!((&said["moves"], found.len()), (&own[&true].into(), own[&true] + own[&false]), "{said}");
    assert_eq!(said["replies of the side that the book has no moves of"], own[&false]);
    // A move that was added by hand has no games.
    bench.write("add.edits", "add e4 h5: !");
    bench.ok("edit book.tabia --script add.edits -o book.tabia --force");
    let added = exported(&bench, "");
    assert_eq!(added["moves"].as_u64(), said["moves"].as_u64().map(|moves| moves + 1), "{added}");
    bench.ok("import abk book.abk -o again.tabia");
    assert!(bench.probe("again.tabia", "e4")["moves"].to_string().contains("h7h5"));
    for line in ["", "e4", "e4 e5", "d4 d5 c4"] {
        let [again, before] = ["again.tabia", "book.tabia"].map(|book| bench.probe(book, line));
        let values = again["moves"].as_array().unwrap().iter().map(|mv| &mv["known"]["user_value"]);
        if line.split_whitespace().count() % 2 == 0 {
            assert!(values.clone().count() > 0 && values.clone().all(|value| *value == 0), "{again}");
        } else {
            assert_eq!(tallies(&again, "uci"), tallies(&before, "uci"), "{line}");
            assert!(values.clone().all(|value| *value != 0), "{again}");
        }
    }
}
