//! A book returns the positions written to it, for any cut into segments.

use std::{fs, os::unix::fs::PermissionsExt, path::Path};

use book::{Book, BookEdge, BookWriter, Error, Existing, PositionEntry};
use position::{Board, Key, PackedMove, Tally};
use proptest::prelude::*;
use serde_json::json;
use shakmaty::{Chess, Color};

use crate::samples::{
    Positions, SOURCES, any_experience, any_positions, entry, every_shape, tally, write, write_taught,
};

fn check(path: &Path, positions: &Positions) {
    let book = Book::open(path).unwrap();
    assert_eq!(book.provenance().unwrap(), json!({"made": "for a test"}));
    let found: Vec<_> = book.iter().map(Result::unwrap).collect();
    assert_eq!(found, positions.values().cloned().collect::<Vec<_>>());
    for (key, entry) in positions {
        assert_eq!(book.probe(*key).unwrap().as_ref(), Some(entry));
        for near in
            [key.0.wrapping_add(1), key.0.wrapping_sub(1), key.0 ^ 1 << 63, key.0.swap_bytes()].map(Key)
        {
            assert_eq!(book.probe(near).unwrap().as_ref(), positions.get(&near));
        }
    }
    let stats = book.verify().unwrap();
    assert_eq!(stats.bytes, fs::metadata(path).unwrap().len());
    assert_eq!(stats.positions, positions.len() as u64);
    assert_eq!(stats.edges, positions.values().map(|entry| entry.edges.len() as u64).sum::<u64>());
    assert_eq!(stats.leaves, positions.values().filter(|entry| entry.is_leaf()).count() as u64);
}

#[test]
fn every_shape_comes_back() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("shapes.tabia");
    let stats = write(&path, &every_shape());
    assert_eq!(stats, Book::open(&path).unwrap().stats());
    check(&path, &every_shape());
}

#[test]
fn an_empty_book_is_a_book() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("empty.tabia");
    write(&path, &Positions::new());
    check(&path, &Positions::new());
    assert_eq!(Book::open(&path).unwrap().probe(Key::START).unwrap(), None);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn prop_experience_comes_back(positions in any_positions(), rows in any_experience()) {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("taught.tabia");
        write_taught(&path, &positions, &rows);
        check(&path, &positions);
        let book = Book::open(&path).unwrap();
        prop_assert_eq!(book.has_experience(), !rows.is_empty());
        prop_assert_eq!(book.has_evaluations(), rows.iter().any(|row| row.kind.is_evaluation()));
        prop_assert_eq!(book.experience().map(Result::unwrap).collect::<Vec<_>>(), rows.clone());
        for key in rows.iter().map(|row| row.key).chain([Key(3), Key(u64::MAX)]) {
            let of_key: Vec<_> = rows.iter().filter(|row| row.key == key).cloned().collect();
            prop_assert_eq!(book.experience_of(key).unwrap(), of_key);
        }
        prop_assert_eq!(book.sources().unwrap().len(), if rows.is_empty() { 0 } else { SOURCES.len() });
    }

    #[test]
    fn prop_positions_come_back(positions in any_positions()) {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("any.tabia");
        write(&path, &positions);
        check(&path, &positions);
    }

    #[test]
    fn prop_cuts_and_expectations_leave_no_trace(
        positions in any_positions(), cuts: Vec<u8>, expected in 0u64..100_000, pushed: bool,
    ) {
        let directory = tempfile::tempdir().unwrap();
        let (plain, cut) = (directory.path().join("plain.tabia"), directory.path().join("cut.tabia"));
        write(&plain, &positions);
        let provenance = json!({"made": "for a test"});
        let mut writer = BookWriter::create(&cut, &provenance, expected, Existing::Refuse).unwrap();
        let mut entries = positions.values();
        for size in cuts {
            let mut segment = writer.segment();
            for entry in entries.by_ref().take(usize::from(size)) {
                segment.push(entry).unwrap();
            }
            writer.append(segment.take()).unwrap();
            if pushed {
                for entry in entries.by_ref().take(3) {
                    writer.push(entry).unwrap();
                }
            }
        }
        for entry in entries {
            writer.push(entry).unwrap();
        }
        writer.finish().unwrap();
        prop_assert!(fs::read(plain).unwrap() == fs::read(cut).unwrap());
    }
}

fn writer(path: &Path) -> BookWriter {
    BookWriter::create(path, &json!({}), 1, Existing::Refuse).unwrap()
}

#[test]
fn order_is_kept_within_and_between_segments() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("order.tabia");
    let leaf = |key| entry(key, Color::White, tally(1, 0, 0), &[]);
    let mut writer = writer(&path);
    writer.push(&leaf(5)).unwrap();
    for key in [5, 4] {
        assert!(
            matches!(writer.push(&leaf(key)), Err(Error::Order { previous: Key(5), got }) if got.0 == key)
        );
    }
    writer.push(&leaf(9)).unwrap();
    let mut segment = writer.segment();
    segment.push(&leaf(9)).unwrap();
    assert!(matches!(writer.append(segment.take()), Err(Error::Order { previous: Key(9), got: Key(9) })));
    let foreign = BookWriter::create(&path, &json!({}), 1000, Existing::Refuse).unwrap().segment().take();
    assert!(matches!(writer.append(foreign), Err(Error::ForeignSegment { expected: 0, got: 5 })));
    writer.finish().unwrap();
    assert_eq!(Book::open(&path).unwrap().iter().count(), 2);
}

#[test]
fn impossible_positions_are_refused_and_leave_no_trace() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("impossible.tabia");
    let mut writer = writer(&path);
    let one = tally(1, 0, 0);
    let edge = |mv, tally| BookEdge { mv: PackedMove(mv), tally };
    let with = |tally: Tally, edges: &[BookEdge]| PositionEntry {
        key: Key(1 << 63),
        turn: Color::White,
        tally,
        edges: edges.to_vec(),
    };
    for bad in [
        with(one, &[edge(0, one)]),
        with(one, &[edge(0x5000, one)]),
        with(one, &[edge(0x8001, one)]),
        with(one, &[edge(7, tally(0, 1, 0))]),
        with(tally(2, 0, 0), &[edge(7, one), edge(7, one)]),
        with(tally(2, 0, 0), &[edge(8, one), edge(7, one)]),
        with(tally(1 << 63, 0, 0), &[]),
        with(tally(u64::MAX, u64::MAX, u64::MAX), &[]),
    ] {
        assert!(
            matches!(writer.push(&bad), Err(Error::Entry { key: Key(0x8000_0000_0000_0000), .. })),
            "{bad:?}"
        );
    }
    writer.push(&with(one, &[edge(7, one)])).unwrap();
    assert_eq!(writer.finish().unwrap().positions, 1);
    Book::open(&path).unwrap().verify().unwrap();
}

#[test]
fn a_book_appears_whole_or_not_at_all() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("book.tabia");
    let names = || fs::read_dir(directory.path()).unwrap().count();
    let unfinished = writer(&path);
    assert!(!path.exists());
    drop(unfinished);
    assert_eq!(names(), 0);
    write(&path, &every_shape());
    let ordinary = directory.path().join("ordinary");
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode();
    fs::write(&ordinary, "").unwrap();
    assert_eq!(mode(&path), mode(&ordinary), "the file has the permissions of any new file");
    fs::remove_file(ordinary).unwrap();
    assert!(matches!(
        BookWriter::create(&path, &json!({}), 1, Existing::Refuse),
        Err(Error::OutputExists { .. })
    ));

    let old = Book::open(&path).unwrap();
    BookWriter::create(&path, &json!({}), 1, Existing::Replace).unwrap().finish().unwrap();
    assert_eq!(Book::open(&path).unwrap().stats().positions, 0);
    old.verify().unwrap();
    assert_eq!(old.stats().positions, every_shape().len() as u64);
    assert_eq!(names(), 1);
    let nowhere = directory.path().join("no/such/directory.tabia");
    assert!(matches!(BookWriter::create(&nowhere, &json!({}), 1, Existing::Refuse), Err(Error::Io { .. })));
}

#[test]
fn a_file_made_meanwhile_is_not_overwritten() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("book.tabia");
    let late = writer(&path);
    fs::write(&path, "another file").unwrap();
    assert!(matches!(late.finish(), Err(Error::OutputExists { .. })));
    assert_eq!(fs::read_to_string(&path).unwrap(), "another file");
    assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1);
}

#[test]
fn children_are_the_legal_moves_into_the_book() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("children.tabia");
    let positions: Positions = ["e4", "a4", "Nf3"]
        .into_iter()
        .map(|san| {
            let mut board = Board::start();
            board.play_san(&san.parse().unwrap()).unwrap();
            let games = san.len() as u64;
            (board.key(), entry(board.key().0, Color::Black, tally(games, 0, 1), &[]))
        })
        .collect();
    write(&path, &positions);
    let children = Book::open(&path).unwrap().children(&Chess::default()).unwrap();
    let found: Vec<_> =
        children.iter().map(|child| (PackedMove::pack(child.mv).to_string(), child.tally)).collect();
    let expected =
        [("g1f3", 3), ("a2a4", 2), ("e2e4", 2)].map(|(mv, games)| (mv.to_owned(), tally(games, 0, 1)));
    assert_eq!(found, expected);
}
