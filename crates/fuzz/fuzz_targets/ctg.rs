//! Any bytes as the positions of a ChessBase book, or a sound one with a few bytes changed: refused, or
//! imported as a sound book and table. One without changes is imported.

#![no_main]

#[path = "../../../tests/ctg/layout.rs"]
mod layout;

use std::collections::VecDeque;

use book::ctg::NormalForm;
use books::import::import_ctg;
use fault::Kind;
use libfuzzer_sys::fuzz_target;
use run::RunOptions;
use shakmaty::{Chess, Position as _};

use self::layout::{Written, code, ctg};

const PAGE_BYTES: usize = 4096;
const POSITIONS_MAX: usize = 30;

fuzz_target!(|data: &[u8]| {
    let Some((&kind, mut rest)) = data.split_first() else { return };
    let mut is_changed = true;
    let book = if kind & 1 == 0 {
        paged(rest)
    } else {
        let changes;
        (changes, rest) = rest.split_at((usize::from(kind >> 1 & 3) * 3).min(rest.len()));
        is_changed = !changes.is_empty();
        changed(ctg(&positions(rest)), changes)
    };
    let Some(folder) = fuzz::folder_with("a.ctg", &book) else { return };
    let at = |name: &str| folder.path().join(name);
    let run = RunOptions::default();
    let book = import_ctg(&at("a.ctg"), &at("a.tabia"), &run);
    assert_eq!(book.is_ok(), at("a.tabia").exists());
    if let Ok(summary) = &book {
        let _ = fuzz::verified(&at("a.tabia"));
        assert_eq!(summary.book_edges, summary.imported["moves"]);
    }
    // A table takes longer to write.
    if kind & 0x70 == 0 {
        let is_table = import_ctg(&at("a.ctg"), &at("a.table"), &run).is_ok();
        assert_eq!(is_table, at("a.table").exists());
        assert!(book.is_ok() || !is_table, "a book takes all that a table does");
        if is_table {
            let _ = fuzz::verified(&at("a.table"));
        }
    }
    assert!(is_changed || book.is_ok() || book.is_err_and(|error| error.kind() == Kind::Empty));
});

/// A header without games, and bytes up to the end of a page.
fn paged(bytes: &[u8]) -> Vec<u8> {
    let mut book = vec![0; PAGE_BYTES];
    book.extend(bytes);
    book.resize(book.len().next_multiple_of(PAGE_BYTES), 0);
    book
}

/// Bytes with others in some places: two bytes say where, one which.
fn changed(mut book: Vec<u8>, changes: &[u8]) -> Vec<u8> {
    for change in changes.chunks_exact(3) {
        let at = PAGE_BYTES + usize::from(u16::from_le_bytes([change[0], change[1]]));
        if let Some(byte) = book.get_mut(at) {
            *byte = change[2];
        }
    }
    book
}

/// Positions that lines from the start position lead to, by choices.
fn positions(choices: &[u8]) -> Vec<Written> {
    let mut choices = choices.iter().copied();
    let (mut written, mut waiting) = (Vec::new(), VecDeque::from([Chess::default()]));
    while let Some(position) = waiting.pop_front().filter(|_| written.len() < POSITIONS_MAX) {
        let Some(count) = choices.next() else { break };
        let legal = position.legal_moves();
        let mut moves = Vec::new();
        for _ in 0..count % 4 {
            let (Some(choice), Some(annotation)) = (choices.next(), choices.next()) else { break };
            let Some(&m) = legal.get(usize::from(choice) % legal.len().max(1)) else { break };
            let Some(code) = code(&position, m) else { continue };
            moves.push((code, annotation));
            let mut after = position.clone();
            after.play_unchecked(m);
            waiting.push_back(after);
        }
        let games = [(); 4].map(|()| u32::from(choices.next().unwrap_or(0)) << (count >> 4));
        let recommendation = choices.next().unwrap_or(0);
        let Some(normal) = NormalForm::of(&position) else { continue };
        written.push(Written { position: normal.position().clone(), moves, games, recommendation });
    }
    written
}
