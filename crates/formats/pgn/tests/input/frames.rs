//! pzstd files: read in parallel, every game exactly once, wherever frames cut the text.

use std::{fs, path::Path};

use pgn::input::{ChunkOptions, Packing};
use proptest::prelude::*;

use crate::reading::{expected, file, identity, located, read, sample, with_threads};

/// A skippable frame that says how long the next frame is, then that frame; see `pgn::input`'s frames.
pub(crate) fn pzstd_frame(text: &[u8]) -> Vec<u8> {
    let frame = zstd::encode_all(text, 1).unwrap();
    let length = u32::try_from(frame.len()).unwrap();
    [&[0x50, 0x2A, 0x4D, 0x18, 4, 0, 0, 0], &length.to_le_bytes()[..], &frame].concat()
}

/// A text as long as a run of packed bytes, so that each frame is a run.
pub(crate) fn filler() -> Vec<u8> {
    let mut state = 1_u64;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        b'!' + (state >> 58) as u8
    };
    let noise: Vec<u8> = std::iter::repeat_with(&mut next).take(1_500_000).collect();
    noise
        .chunks(79)
        .flat_map(|line| line.iter().copied().chain([b'\n']))
        .filter(|&byte| byte != b'[')
        .collect()
}

fn check(path: &Path, stored: &[u8], text: &[u8]) {
    fs::write(path, stored).unwrap();
    for threads in [1, 2, 4] {
        let outcome = read(file(path), with_threads(threads)).unwrap();
        let source = &outcome.1.list[0];
        assert_eq!((source.packing, source.bytes), (Packing::Zstd, stored.len() as u64));
        assert_eq!(source.xxh3, Some(identity(stored)));
        assert_eq!(source.text_bytes(), text.len() as u64);
        assert!(located(outcome) == expected(&path.to_string_lossy(), text), "with {threads} threads");
    }
}

fn cut_anywhere(text: &[u8], cuts: &[prop::sample::Index]) -> Vec<u8> {
    let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut.index(text.len() + 1)).collect();
    cuts.extend([0, text.len()]);
    cuts.sort_unstable();
    cuts.windows(2).flat_map(|cut| pzstd_frame(&text[cut[0]..cut[1]])).collect()
}

#[test]
fn runs_of_small_frames_are_read() {
    let directory = tempfile::tempdir().unwrap();
    let text = sample(3_000);
    let stored: Vec<u8> = text.chunks(1_000).flat_map(pzstd_frame).collect();
    check(&directory.path().join("a"), &stored, &text);
}

#[test]
fn a_game_may_span_runs_and_a_run_may_hold_no_start() {
    let directory = tempfile::tempdir().unwrap();
    let filler = filler();
    let game = |name: &str| [b"\n\n[Event \"", name.as_bytes(), b"\"]\n\n{", &filler[..]].concat();
    let texts: [Vec<u8>; 7] = [
        [b"fragment ", &filler[..]].concat(),
        filler.clone(),
        game("a"),
        filler.clone(),
        [filler.clone(), b"\n".to_vec()].concat(),
        [b"\n[White \"uncertain\"]\n\n[White \"b\"]\n", &filler[..]].concat(),
        game("c"),
    ];
    let stored: Vec<u8> = texts.iter().flat_map(|text| pzstd_frame(text)).collect();
    assert_eq!(expected("", &texts.concat()).len(), 5);
    check(&directory.path().join("a"), &stored, &texts.concat());
}

#[test]
fn a_file_that_deviates_is_still_read() {
    let directory = tempfile::tempdir().unwrap();
    let filler = filler();
    let text = [b"[Event \"a\"]\n\n", &filler[..], b"\n\n[Eve"].concat();
    let rest = [b"nt \"b\"]\n\n", &filler[..]].concat();
    let stored = [pzstd_frame(&text), zstd::encode_all(&rest[..], 1).unwrap()].concat();
    check(&directory.path().join("a"), &stored, &[&text[..], &rest].concat());
    // A skippable frame of another tool, which happens to have four bytes.
    let foreign = [0x50, 0x2A, 0x4D, 0x18, 4, 0, 0, 0, 9, 9, 9, 9];
    let stored = [&pzstd_frame(&text)[..], &foreign, &zstd::encode_all(&rest[..], 1).unwrap()].concat();
    check(&directory.path().join("a"), &stored, &[&text[..], &rest].concat());
}

#[test]
fn utf_16_in_frames_is_read_as_one_stream() {
    let directory = tempfile::tempdir().unwrap();
    let text = String::from_utf8(filler()).unwrap();
    let text = format!("[Event \"a\"]\n\n{text}\n\n[Event \"b\"]\n\n{text}");
    let stored: Vec<u8> =
        std::iter::once(0xFEFF).chain(text.encode_utf16()).flat_map(u16::to_be_bytes).collect();
    let stored: Vec<u8> = stored.chunks(2_000_001).flat_map(pzstd_frame).collect();
    let path = directory.path().join("a");
    fs::write(&path, stored).unwrap();
    let outcome = read(file(&path), with_threads(3)).unwrap();
    assert!(located(outcome) == expected(&path.to_string_lossy(), text.as_bytes()));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn prop_frames_may_cut_the_text_anywhere(
        cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..12),
        threads in 2usize..5,
        chunk_bytes in 1_000usize..3_000_000,
    ) {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("a");
        let filler = filler();
        let (filler, games) = (&filler[..700_000], sample(40));
        let text: Vec<u8> = (0..8).flat_map(|_| [&games[..], filler, b"\n\n"].concat()).collect();
        fs::write(&path, cut_anywhere(&text, &cuts)).unwrap();
        let options = ChunkOptions { threads, chunk_bytes, ..ChunkOptions::default() };
        let outcome = read(file(&path), options).unwrap();
        prop_assert!(located(outcome) == expected(&path.to_string_lossy(), &text));
    }
}
