//! Files read in sections, as machines that share a file do: every game comes once, in one of them, and their
//! hashes of blocks are those of the whole.

use std::{fs, path::Path};

use pgn::{
    Error,
    input::{Input, PieceKind, identity_of_blocks, sections},
};
use proptest::prelude::*;

use crate::{
    frames::{filler, pzstd_frame},
    packings::{gzip, packed},
    reading::{expected, identity, read, sample, with_threads},
};

/// Reads a file in sections of that many bytes; returns what was found without places, the hashes, and how
/// many sections there are.
fn in_sections(path: &Path, bytes: u64, threads: usize) -> (Vec<(PieceKind, Vec<u8>)>, u64, usize) {
    let cut = sections(Input::file(path), bytes).unwrap();
    let (mut found, mut blocks) = (Vec::new(), Vec::new());
    for section in &cut.list {
        let is_whole = *section == (0..cut.bytes);
        let input = Input::file(path);
        let input = if is_whole { input } else { input.only(section.clone()) };
        let (pieces, inputs) = read(vec![input], with_threads(threads)).unwrap();
        assert_eq!(inputs.list[0].xxh3.is_some(), is_whole);
        blocks.extend_from_slice(&inputs.list[0].blocks);
        found.extend(pieces.into_iter().map(|(_, kind, text)| (kind, text)));
    }
    (found, identity_of_blocks(&blocks), cut.list.len())
}

fn check(path: &Path, stored: &[u8], text: &[u8], bytes: u64) -> usize {
    fs::write(path, stored).unwrap();
    let whole: Vec<_> = expected("", text).into_iter().map(|(_, kind, text)| (kind, text)).collect();
    let mut count = 0;
    for threads in [1, 3] {
        let (found, hash, sections) = in_sections(path, bytes, threads);
        assert!(found == whole, "{} pieces of {}, by {bytes} bytes", found.len(), whole.len());
        assert_eq!(hash, identity(stored));
        count = sections;
    }
    count
}

#[test]
fn a_plain_text_is_cut_at_any_bytes() {
    let directory = tempfile::tempdir().unwrap();
    let (path, text) = (directory.path().join("a.pgn"), sample(60));
    for bytes in [1, 7, 100, 999, 5_000, text.len() as u64 - 1, text.len() as u64, u64::MAX] {
        let count = check(&path, &text, &text, bytes.max(text.len() as u64 / 400));
        assert_eq!(count == 1, bytes >= text.len() as u64);
    }
    assert_eq!(check(&path, b"", b"", 10), 1, "an empty file is one section");
}

#[test]
fn a_section_may_hold_no_start_at_all() {
    let directory = tempfile::tempdir().unwrap();
    let game = |name: &str| [b"\n\n[Event \"", name.as_bytes(), b"\"]\n\n{", &filler()[..200_000]].concat();
    let text = [b"fragment\n".to_vec(), game("a"), game("b"), game("c")].concat();
    for bytes in [10_000, 50_000, 200_000] {
        check(&directory.path().join("a.pgn"), &text, &text, bytes);
    }
}

#[test]
fn frames_are_cut_between_runs() {
    let directory = tempfile::tempdir().unwrap();
    let parts: Vec<Vec<u8>> =
        (0..5).map(|part| [&sample(40 + part)[3..], b"\n{", &filler(), b"}\n"].concat()).collect();
    let stored: Vec<u8> = parts.iter().flat_map(|part| pzstd_frame(part)).collect();
    let path = directory.path().join("a.pgn.zst");
    assert_eq!(check(&path, &stored, &parts.concat(), 1), 5);
    assert_eq!(check(&path, &stored, &parts.concat(), 2 << 20), 3);
    let deviating = [&stored[..], &zstd::encode_all(&sample(9)[3..], 1).unwrap()].concat();
    assert_eq!(check(&path, &deviating, &[parts.concat(), sample(9)[3..].to_vec()].concat(), 1), 6);
}

#[test]
fn other_packings_are_one_section() {
    let directory = tempfile::tempdir().unwrap();
    let text = sample(100);
    for (packing, stored) in packed(&text).into_iter().skip(1) {
        assert_eq!(check(&directory.path().join("a"), &stored, &text, 10), 1, "{packing}");
    }
    let utf16: Vec<u8> = [0xFF, 0xFE]
        .into_iter()
        .chain(String::from_utf8_lossy(&text[3..]).encode_utf16().flat_map(u16::to_le_bytes))
        .collect();
    assert_eq!(check(&directory.path().join("a"), &utf16, &text[3..], 10), 1);
}

#[test]
fn blocks_are_hashed_by_the_section_they_start_in() {
    const BLOCK: u64 = 64 << 20;
    let directory = tempfile::tempdir().unwrap();
    let mut text = vec![b'\n'; 2 * BLOCK as usize + 300];
    for at in [0, BLOCK as usize - 9, 2 * BLOCK as usize - 5, 2 * BLOCK as usize + 100] {
        text[at..at + 19].copy_from_slice(b"x\n\n[Event \"a\"]\n1. e");
    }
    for bytes in [BLOCK / 2 + 77, 3 * BLOCK / 4, BLOCK, BLOCK + 1] {
        let path = directory.path().join("a.pgn");
        fs::write(&path, &text).unwrap();
        let (found, hash, count) = in_sections(&path, bytes, 1);
        assert_eq!((found.len(), hash), (5, identity(&text)), "{bytes}");
        assert_eq!(count as u64, (text.len() as u64).div_ceil(if bytes > BLOCK { 2 * BLOCK } else { bytes }));
    }
}

#[test]
fn a_file_that_is_another_one_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("a.pgn");
    let refused = |stored: &[u8]| {
        fs::write(&path, stored).unwrap();
        match read(vec![Input::file(&path).only(100..200)], with_threads(1)) {
            Err(Error::NoSections { why, .. }) => why,
            other => panic!("{other:?}"),
        }
    };
    assert!(refused(&sample(100)[..150]).contains("not the file"));
    assert!(refused(&gzip(&filler()[..9_000])).contains("not the file"));
    let stream = sections(Input::stream("-", &b""[..]), 1);
    assert!(matches!(stream, Err(Error::NoSections { .. })));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]
    #[test]
    fn prop_every_piece_of_any_text_comes_once(
        lines in prop::collection::vec(prop::sample::select(LINES), 0..60),
        bytes in 1_u64..90,
    ) {
        let directory = tempfile::tempdir().unwrap();
        let text = [b"[Event \"first\"]\n".to_vec(), lines.concat()].concat();
        check(&directory.path().join("a.pgn"), &text, &text, bytes);
    }
}

const LINES: &[&[u8]] = &[
    b"\n",
    b"\r\n",
    b"%\n",
    b" ",
    b"[Event \"a\"]\n",
    b"[White \"b\"]\n",
    b"1. e4 e5\n",
    b"[Elo \"b",
    b"{\n",
];
