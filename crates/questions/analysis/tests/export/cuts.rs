//! A cut export misses what is cut away and nothing else, and its lines lead where they say.

use std::collections::{BTreeMap, BTreeSet};

use analysis::{Beginning, Cut, Error, ExportOptions, Folder};
use position::{Board, Key};
use shakmaty::Color;

use crate::fixture::{MemoryEdges, Record, export, export_with, key, number, plain, text};

const GAMES: usize = 400;

fn cut(cut: Cut) -> ExportOptions {
    ExportOptions { cut, ..ExportOptions::default() }
}

/// Compares the rows of a folder of the whole export that `keep` keeps with those of the cut export.
fn check(options: &ExportOptions, folder: &str, keep: impl Fn(&Record) -> bool) {
    let edges = MemoryEdges::of_games(GAMES, false);
    let mut expected = export(&edges, &ExportOptions::default()).read(folder);
    let whole = expected.len();
    expected.retain(keep);
    assert!(!expected.is_empty() && expected.len() < whole, "{} of {whole}", expected.len());
    assert_eq!(export(&edges, options).read(folder), expected);
}

/// The plies of each position in the whole export.
fn plies() -> BTreeMap<Key, i64> {
    let edges = MemoryEdges::of_games(GAMES, false);
    let positions = export(&edges, &ExportOptions::default()).read("positions");
    positions.iter().map(|row| (key(&row["key"]).unwrap(), number(&row["ply"]).unwrap())).collect()
}

#[test]
fn positions_past_the_last_ply_are_cut_and_moves_from_it() {
    let plies = plies();
    let options = cut(Cut { max_ply: Some(7), ..Cut::default() });
    check(&options, "positions", |row| number(&row["ply"]).unwrap() <= 7);
    check(&options, "moves", |row| plies[&key(&row["key"]).unwrap()] < 7);
}

#[test]
fn rare_moves_and_positions_are_cut() {
    let options = cut(Cut { min_games: 3, ..Cut::default() });
    check(&options, "positions", |row| number(&row["games"]).unwrap() >= 3);
    check(&options, "moves", |row| number(&row["games"]).unwrap() >= 3);
}

#[test]
fn the_other_sides_moves_are_cut() {
    let plies = plies();
    let options = cut(Cut { color: Some(Color::Black), ..Cut::default() });
    check(&options, "positions", |row| text(&row["turn"]) == Some("black"));
    check(&options, "moves", |row| plies[&key(&row["key"]).unwrap()] % 2 == 1);
}

#[test]
fn what_does_not_follow_a_line_is_cut() {
    let mut board = Board::start();
    board.play_san(&"e4".parse().unwrap()).unwrap();
    let beginning = Beginning { position: board.position(), line: "e4".to_owned(), ply: 1 };
    let options = cut(Cut { origin: Some(beginning), ..Cut::default() });
    let edges = MemoryEdges::of_games(GAMES, false);
    let mut reached = BTreeSet::from([board.key()]);
    let moves = export(&edges, &ExportOptions::default()).read("moves");
    loop {
        let before = reached.len();
        for row in &moves {
            if reached.contains(&key(&row["key"]).unwrap()) {
                reached.extend(key(&row["child_key"]));
            }
        }
        if reached.len() == before {
            break;
        }
    }
    let mut expected = moves;
    expected.retain(|row| reached.contains(&key(&row["key"]).unwrap()));
    let exported = export(&edges, &options);
    assert_eq!(exported.read("moves"), expected);
    let positions = exported.read("positions");
    assert!(positions.iter().all(|row| reached.contains(&key(&row["key"]).unwrap())));
    let first: Vec<_> = positions.iter().filter(|row| key(&row["parent_key"]).is_none()).collect();
    assert_eq!((first.len(), number(&first[0]["ply"])), (1, Some(1)));
    assert_eq!(key(&first[0]["key"]), Some(board.key()));
}

#[test]
fn a_position_that_no_game_reached_gives_an_empty_export() {
    let position = Board::from_fen("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1").unwrap().position();
    let origin = Some(Beginning { position, line: String::new(), ply: 0 });
    let folders = vec![Folder::Moves, Folder::Positions, Folder::Openings, Folder::Lines];
    let options = ExportOptions { folders, ..cut(Cut { origin, ..Cut::default() }) };
    let exported = export(&MemoryEdges::of_games(20, false), &options);
    for folder in ["moves", "positions", "openings", "lines"] {
        assert_eq!(exported.read(folder), [], "{folder}");
    }
}

#[test]
fn only_the_folders_asked_for_are_written() {
    let edges = MemoryEdges::of_games(30, false);
    let whole = export(&edges, &ExportOptions::default());
    for (folder, name) in [(Folder::Moves, "moves"), (Folder::Positions, "positions")] {
        let options = ExportOptions { folders: vec![folder], ..ExportOptions::default() };
        let exported = export(&edges, &options);
        let written: Vec<_> = exported.path().read_dir().unwrap().map(|it| it.unwrap().file_name()).collect();
        assert_eq!(written.len(), 2, "{written:?}");
        assert_eq!(exported.read(name), whole.read(name));
    }
}

/// Plays a line from the start; returns how many moves it has, and the key it ends at.
fn played(line: &str) -> (i64, Key) {
    let mut board = Board::start();
    let moves = line.split_whitespace().inspect(|san| {
        let san: shakmaty::san::SanPlus = san.parse().unwrap();
        board.play_san(&san.san).unwrap();
    });
    (i64::try_from(moves.count()).unwrap(), board.key())
}

#[test]
fn lines_lead_to_their_positions_over_their_parents() {
    let edges = MemoryEdges::of_games(GAMES, false);
    for min_games in [1, 4] {
        let folders = vec![Folder::Positions, Folder::Lines];
        let options = ExportOptions { folders, ..cut(Cut { min_games, ..Cut::default() }) };
        let exported = export(&edges, &options);
        let positions: BTreeMap<_, _> =
            exported.read("positions").into_iter().map(|row| (key(&row["key"]).unwrap(), row)).collect();
        let lines: BTreeMap<_, _> =
            exported.read("lines").into_iter().map(|row| (key(&row["key"]).unwrap(), row)).collect();
        assert_eq!(lines.keys().collect::<Vec<_>>(), positions.keys().collect::<Vec<_>>());
        for (at, row) in &lines {
            let (position, line) = (&positions[at], text(&row["line"]).unwrap());
            assert_eq!((number(&row["ply"]).unwrap(), *at), played(line), "{line}");
            assert_eq!((&row["games"], &row["ply"]), (&position["games"], &position["ply"]));
            let before = line.rsplit_once(' ').map_or("", |(before, _)| before);
            if *at != Key::START {
                assert_eq!(key(&position["parent_key"]), Some(played(before).1), "{line}");
            }
        }
    }
}

#[test]
fn lines_past_the_memory_are_refused() {
    let edges = MemoryEdges::of_games(GAMES, false);
    let options =
        ExportOptions { folders: vec![Folder::Lines], memory_bytes: 1 << 12, ..ExportOptions::default() };
    let result = export_with(&edges, plain(), &options);
    let Err(error) = result else { panic!("lines of thousands of positions fit in 4 KiB") };
    assert!(matches!(error.downcast_ref(), Some(Error::TooManyLines { .. })), "{error}");
    assert!(error.to_string().contains("positions of more games or fewer plies"), "{error}");
}

#[test]
fn the_fen_has_to_be_asked_for() {
    let edges = MemoryEdges::of_games(5, false);
    let rows = export(&edges, &ExportOptions::default()).read("positions");
    assert!(rows.iter().all(|row| !row.contains_key("fen")));
    let options = ExportOptions { with: vec!["fin".to_owned()], ..ExportOptions::default() };
    let error = export_with(&edges, plain(), &options);
    assert_eq!(
        error.err().unwrap().to_string(),
        "a column to add: expected `fen` (all others are there already), not `fin`"
    );
}
