//! Export to Polyglot books, and reading them.

use std::fs;

use book::{
    Book, Error, Existing,
    polyglot::{self, ExportOptions, PolyglotEntry, PolyglotStats, Reader, Weight},
};
use position::{Key, PackedMove};
use shakmaty::Color;

use crate::samples::{Positions, entry, every_shape, tally, write};

fn positions(entries: impl IntoIterator<Item = book::PositionEntry>) -> Positions {
    entries.into_iter().map(|entry| (entry.key, entry)).collect()
}

fn weighted(weight: Weight) -> ExportOptions<'static> {
    ExportOptions { weight, ..ExportOptions::default() }
}

fn export(positions: &Positions, weight: Weight) -> (tempfile::TempDir, PolyglotStats) {
    export_with(positions, weighted(weight))
}

fn export_with(positions: &Positions, options: ExportOptions<'_>) -> (tempfile::TempDir, PolyglotStats) {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("book.tabia");
    write(&path, positions);
    let book = Book::open(&path).unwrap();
    let stats =
        polyglot::write(&book, &directory.path().join("book.bin"), options, Existing::Refuse).unwrap();
    (directory, stats)
}

#[test]
fn a_small_book_has_these_bytes() {
    let white = entry(
        2,
        Color::White,
        tally(9, 9, 9),
        &[(5, tally(1, 0, 0)), (6, tally(0, 0, 7)), (7, tally(1, 1, 1))],
    );
    let black = entry(
        0x8000_0000_0000_0001,
        Color::Black,
        tally(0, 0, 0),
        &[(9, tally(0, 4, 0)), (0x4c3b, tally(1, 0, 2))],
    );
    let (directory, stats) =
        export(&positions([white, black, entry(3, Color::White, tally(1, 0, 0), &[])]), Weight::default());
    let expected = "\
        0000000000000002 0007 0003 00000000\n\
        0000000000000002 0005 0002 00000000\n\
        0000000000000002 0006 0001 00000000\n\
        8000000000000001 0009 0004 00000000\n\
        8000000000000001 4c3b 0004 00000000\n";
    let bytes = fs::read(directory.path().join("book.bin")).unwrap();
    let lines = bytes.chunks(16).map(|entry| {
        let bits = u128::from_be_bytes(entry.try_into().unwrap());
        format!(
            "{:016x} {:04x} {:04x} {:08x}\n",
            bits >> 64,
            bits >> 48 & 0xffff,
            bits >> 32 & 0xffff,
            bits & 0xffff_ffff
        )
    });
    assert_eq!(lines.collect::<String>(), expected);
    assert_eq!(stats, PolyglotStats { entries: 5, positions: 2, ..PolyglotStats::default() });
}

#[test]
fn weights_past_sixteen_bits_are_scaled_a_position() {
    let large = tally(40_000, 0, 0);
    let edges = [(1, tally(0, 0, 5)), (2, large), (3, tally(1, 0, 0)), (4, tally(20_000, 0, 0))];
    let (directory, stats) = export(
        &positions([
            entry(7, Color::White, large, &edges),
            entry(8, Color::White, tally(0, 0, 0), &[(1, tally(1, 0, 0))]),
        ]),
        Weight::default(),
    );
    let reader = Reader::open(&directory.path().join("book.bin")).unwrap();
    let weights = |key| {
        reader.probe(Key(key)).unwrap().iter().map(|entry| (entry.mv.0, entry.weight)).collect::<Vec<_>>()
    };
    // 2 × 65,535 / 80,000 = 1.6; 40,000 × 65,535 / 80,000 = 32,767.5.
    assert_eq!(weights(7), [(2, 65_535), (4, 32_768), (3, 2), (1, 1)]);
    assert_eq!(weights(8), [(1, 2)]);
    assert_eq!((stats.scaled_positions, stats.positions), (1, 2));
}

#[test]
fn moves_that_are_left_out_have_no_weight_and_no_part_in_the_scale() {
    let none = tally(0, 0, 0);
    let positions = positions([
        entry(7, Color::White, none, &[(1, tally(40_000, 0, 0)), (2, tally(2, 0, 0)), (3, tally(1, 0, 0))]),
        entry(8, Color::White, none, &[(1, tally(1, 0, 0)), (2, tally(1, 0, 0))]),
        entry(9, Color::White, none, &[(1, tally(5, 0, 0))]),
        entry(10, Color::White, tally(1, 0, 0), &[]),
    ]);
    // These are one of three moves, both of two, a move of a position that the book does not have, a move
    // that the book does not have, and a move of a leaf.
    let left_out = [(1, 1), (7, 1), (8, 1), (8, 2), (9, 4), (10, 1), (11, 1)];
    let left_out = left_out.map(|(key, mv)| (Key(key), PackedMove(mv)));
    let (directory, stats) =
        export_with(&positions, ExportOptions { left_out: &left_out, ..ExportOptions::default() });
    let reader = Reader::open(&directory.path().join("book.bin")).unwrap();
    let entries: Vec<_> =
        reader.iter().map(Result::unwrap).map(|it| (it.key.0, it.mv.0, it.weight)).collect();
    assert_eq!(entries, [(7, 2, 4), (7, 3, 2), (9, 1, 10)]);
    let expected = PolyglotStats {
        entries: 3,
        positions: 2,
        left_out_moves: 3,
        left_out_positions: 1,
        ..PolyglotStats::default()
    };
    assert_eq!(stats, expected);
}

#[test]
fn every_shape_is_exported_by_every_rule() {
    for weight in ["wins-draws", "games", "score", "uniform", "win=4294967295,loss=1"] {
        let weight: Weight = weight.parse().unwrap();
        let (directory, stats) = export(&every_shape(), weight);
        let reader = Reader::open(&directory.path().join("book.bin")).unwrap();
        assert_eq!(stats.skipped_zero_key, 1, "the first sample has key 0");
        assert_eq!(reader.verify().unwrap(), stats.positions);
        assert_eq!(reader.entries(), stats.entries);
        for (key, position) in every_shape().iter().filter(|(key, _)| key.0 != 0) {
            let entries = reader.probe(*key).unwrap();
            assert!(entries.iter().all(|entry| entry.key == *key && entry.weight > 0 && entry.learn == 0));
            assert!(entries.is_sorted_by_key(|entry| (std::cmp::Reverse(entry.weight), entry.mv)));
            let mut moves: Vec<_> = entries.iter().map(|entry| entry.mv).collect();
            moves.sort();
            assert_eq!(moves, position.edges.iter().map(|edge| edge.mv).collect::<Vec<_>>());
        }
    }
}

#[test]
fn an_export_of_many_batches_is_the_same_for_any_number_of_threads() {
    let mix = |index: u64| (index + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let many = (0..150_000)
        .map(|index| entry(mix(index), Color::White, tally(0, 0, 0), &[(9, tally(index % 3, 1, 0))]));
    let (directory, stats) = export(&positions(many), Weight::default());
    let path = directory.path().join("book.bin");
    assert_eq!(Reader::open(&path).unwrap().verify().unwrap(), stats.entries);
    assert_eq!(stats.entries, 150_000);

    let book = Book::open(&directory.path().join("book.tabia")).unwrap();
    for threads in [1, 3] {
        let again = directory.path().join(threads.to_string());
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let export = || polyglot::write(&book, &again, ExportOptions::default(), Existing::Refuse);
        assert_eq!(pool.install(export).unwrap(), stats);
        assert!(fs::read(&again).unwrap() == fs::read(&path).unwrap());
    }
}

#[test]
fn unsound_files_are_refused() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("x.bin");
    fs::write(&path, [0; 31]).unwrap();
    assert!(matches!(Reader::open(&path), Err(Error::NotPolyglot { offset: 16, .. })));
    let entry = |key| PolyglotEntry { key: Key(key), mv: PackedMove(1), weight: 1, learn: 9 };
    fs::write(&path, [5, 5, 4].map(|key| entry(key).to_bytes()).concat()).unwrap();
    let reader = Reader::open(&path).unwrap();
    assert!(matches!(reader.verify(), Err(Error::NotPolyglot { offset: 32, .. })));
    assert_eq!(reader.iter().map(Result::unwrap).collect::<Vec<_>>(), [5, 5, 4].map(entry));
    fs::write(&path, []).unwrap();
    assert_eq!(Reader::open(&path).unwrap().probe(Key(1)).unwrap(), []);
}

#[test]
fn an_export_is_not_replaced_unless_asked() {
    let (directory, _) = export(&every_shape(), Weight::default());
    let book = Book::open(&directory.path().join("book.tabia")).unwrap();
    let path = directory.path().join("book.bin");
    let again = |existing| polyglot::write(&book, &path, weighted(Weight::Uniform), existing);
    assert!(matches!(again(Existing::Refuse), Err(Error::OutputExists { .. })));
    again(Existing::Replace).unwrap();
    assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 2);
}
