//! Any bytes as learned PGN: no panic, and every learned value stays finite.

#![no_main]

use std::collections::BTreeMap;

use learn::crafty::{Family, Learner, LearningBook, Options, Origin, Record};
use learned::{Item, expand};
use libfuzzer_sys::fuzz_target;
use pgn::input::ChunkOptions;
use position::{Key, PackedMove};

type Lines = Vec<(Vec<(Key, PackedMove)>, [i64; 3], [String; 2])>;

fuzz_target!(|data: &[u8]| {
    let Some(file) = fuzz::file_of(data) else { return };
    let Ok(expanded) = expand(&[file.path().display().to_string()]) else { return };
    let options = ChunkOptions { threads: 1, ..ChunkOptions::default() };
    let Ok(reader) = learned::open(expanded.inputs, &options) else { return };
    let mut records = Lines::new();
    for batch in reader.map_while(Result::ok) {
        for item in batch.items() {
            if let Item::Record(it) = item {
                let names = [it.players.white.text().into_owned(), it.players.black.text().into_owned()];
                records.push((it.plies.to_vec(), [it.value, it.depth, it.rating_difference], names));
            }
        }
    }
    let mut learner = Learner::new(
        book_of(&records),
        Options {
            family: Some(Family::A),
            own_player: Some("me".into()),
            dedup: false,
            ..Options::default()
        },
    );
    for (plies, [value, depth, rating_difference], [white, black]) in &records {
        let (value, depth, rating_difference) = (*value, *depth, *rating_difference);
        let record = Record { white, black, plies, value, depth, rating_difference };
        learner.learn(&record, Origin::default());
    }
    assert!(learner.book().edges().all(|edge| edge.learn.is_finite()));
});

/// A book of all their moves.
fn book_of(records: &Lines) -> LearningBook {
    let mut moves: BTreeMap<Key, Vec<PackedMove>> = BTreeMap::new();
    for &(key, mv) in records.iter().flat_map(|(plies, ..)| plies) {
        let known = moves.entry(key).or_default();
        if !known.contains(&mv) {
            known.push(mv);
        }
    }
    let mut book = LearningBook::builder();
    for (key, moves) in moves {
        book.push(key, moves.into_iter().map(|mv| (mv, 0.0, 0))).expect("keys ascend, moves differ");
    }
    book.finish()
}
