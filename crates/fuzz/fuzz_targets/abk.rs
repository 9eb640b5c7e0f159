//! Any records as an Arena book: refused, or imported as a sound book. What is exported of that as an Arena
//! book is imported as the same moves.

#![no_main]

use std::path::Path;

use book::abk::COUNTS_OF_POSITIONS;
use books::{
    abk::{UnfoldOptions, export_abk},
    import::import_abk,
};
use libfuzzer_sys::fuzz_target;
use position::Key;
use query::Artefact;
use run::RunOptions;

const RECORD_BYTES: usize = 28;
const HEADER_BYTES: usize = 900 * RECORD_BYTES;
/// Where the two links are in a record.
const LINKS_AT: usize = 20;

fuzz_target!(|data: &[u8]| {
    let Some((&kind, rest)) = data.split_first() else { return };
    let book = if kind & 1 == 0 { rest.to_vec() } else { book_of(rest, kind & 2 != 0) };
    let Some(folder) = fuzz::folder_with("a.abk", &book) else { return };
    let at = |name: &str| folder.path().join(name);
    let run = RunOptions::default();
    let has_book = import_abk(&at("a.abk"), &at("a.tabia"), &run).is_ok();
    assert_eq!(has_book, at("a.tabia").exists());
    // A table takes longer to write.
    if kind & 0x70 == 0 {
        let has_table = import_abk(&at("a.abk"), &at("a.table"), &run).is_ok();
        assert_eq!(has_table, at("a.table").exists());
        assert!(has_book || !has_table, "a book takes all that a table does");
        if has_table {
            let _ = fuzz::verified(&at("a.table"));
        }
    }
    if !has_book {
        return;
    }
    let options = UnfoldOptions {
        max_ply: u32::MAX,
        min_games: 0,
        max_records: 1 << 20,
        repeat_plies: u32::from(kind >> 2 & 3),
        author: String::new(),
    };
    let before = moves(&at("a.tabia"));
    // A book without games has no line to write.
    let Ok(summary) = export_abk(&at("a.tabia"), &at("b.abk"), &options, &fuzz::limits(), &run) else {
        return;
    };
    import_abk(&at("b.abk"), &at("b.tabia"), &run).expect("what is exported is imported");
    let after = moves(&at("b.tabia"));
    assert_eq!(after.len() as u64, summary.exported["moves"]);
    let is_scaled = summary.exported.contains_key("positions with smaller counts in the same ratio");
    assert!(is_scaled || after.iter().all(|mv| before.contains(mv)));
});

/// A book of these records, whose links count from the first one.
fn book_of(records: &[u8], is_ours: bool) -> Vec<u8> {
    let mut book = b"\x03ABKpb\0\0\x1c\0\0\0".to_vec();
    if is_ours {
        book.push(COUNTS_OF_POSITIONS.len() as u8);
        book.extend(COUNTS_OF_POSITIONS.as_bytes());
    }
    book.resize(HEADER_BYTES, 0);
    for record in records.chunks_exact(RECORD_BYTES) {
        book.extend(&record[..LINKS_AT]);
        let links = record[LINKS_AT..].as_chunks().0.iter().map(|link| i32::from_le_bytes(*link));
        links.for_each(|link| {
            book.extend(if link == -1 { link } else { link.wrapping_add(900) }.to_le_bytes())
        });
    }
    book
}

/// All moves of a book with their games.
fn moves(path: &Path) -> Vec<(Key, u16, [u64; 3])> {
    let Artefact::Book(book) = fuzz::verified(path) else { panic!("a book") };
    let entries = book.iter().map(|entry| entry.expect("a sound book"));
    let of = |entry: book::PositionEntry| {
        let key = entry.key;
        let tally = |tally: position::Tally| [tally.white, tally.draws, tally.black];
        entry.edges.into_iter().map(move |edge| (key, edge.mv.0, tally(edge.tally)))
    };
    entries.flat_map(of).collect()
}
