//! Reading that goes on where another ended: of every chunk, its games come once, in one reading or the
//! other.

use std::{fs, path::Path, sync::Arc};

use pgn::{
    Error,
    input::{ChunkOptions, Chunks, GameBounds, Input, InputDone, Place},
};
use proptest::prelude::*;

use crate::{
    archives::{write_7z, write_zip},
    frames::{filler, pzstd_frame},
    packings::{gzip, packed},
    reading::{Found, file, identity, read, sample},
};

/// A chunk: where it is, where the next one begins, and its pieces.
type FoundChunk = (Place, u64, Vec<Found>);

/// Reads all chunks by one worker after another; gives the hashes of the blocks too.
fn chunks_of(inputs: Vec<Input>, options: &ChunkOptions) -> (Vec<FoundChunk>, Vec<u64>) {
    let chunks = Chunks::open(inputs, options.clone()).unwrap();
    let (mut all, mut worker) = (Vec::new(), 0);
    while let Some(chunk) = chunks.next(worker, Vec::new()).unwrap() {
        let pieces =
            chunk.games().map(|piece| (chunk.place_of(piece.offset), piece.kind, piece.text.to_vec()));
        all.push((chunk.place, chunk.span().end, pieces.collect()));
        worker = (worker + 1) % options.threads;
    }
    let blocks = chunks.block_hashes().of(0, 0);
    all.sort_by_key(|chunk| chunk.0);
    (all, blocks)
}

fn options(threads: usize, done: Vec<InputDone>) -> ChunkOptions {
    let sizes = ChunkOptions {
        chunk_bytes: 3000,
        bounds: GameBounds { max_game_bytes: 64 << 10, ..GameBounds::default() },
        ..ChunkOptions::default()
    };
    ChunkOptions { threads, done: Some(Arc::new(done)), ..sizes }
}

/// Reads all, forgets the chunks that `is_done` does not name, and reads again.
fn check(path: &Path, is_done: impl Fn(usize) -> bool) {
    let (all, blocks) = chunks_of(file(path), &options(1, Vec::new()));
    let mut done = InputDone { blocks, ..InputDone::default() };
    let mut expected = Vec::new();
    for (number, (place, end, pieces)) in all.iter().enumerate() {
        if is_done(number) {
            done.parts.entry(place.part).or_default().insert(place.offset..*end);
        } else {
            expected.extend(pieces.iter().cloned());
        }
    }
    for threads in [1, 3] {
        let (found, inputs) = read(file(path), options(threads, vec![done.clone()])).unwrap();
        assert!(found == expected, "{}: {} pieces, expected {}", path.display(), found.len(), expected.len());
        assert_eq!(inputs.list[0].xxh3, Some(identity(&fs::read(path).unwrap())));
        let (_, whole) = read(file(path), options(1, Vec::new())).unwrap();
        assert_eq!(inputs.list[0].parts, whole.list[0].parts, "lengths are those of the whole");
    }
}

/// A text with games too long to keep.
fn text() -> Vec<u8> {
    let long = format!("[Event \"long\"]\n\n{}\n\n[Event \"b\"]\n\n*\n\n", "1. e4 ".repeat(20_000));
    [&sample(300)[..], long.as_bytes(), &sample(150), long.as_bytes()].concat()
}

fn utf_16(text: &[u8]) -> Vec<u8> {
    let text = String::from_utf8_lossy(text);
    text.encode_utf16().flat_map(u16::to_le_bytes).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn prop_every_game_comes_once_in_any_packing(seed: u64, share in 1u64..8) {
        let (dir, text) = (tempfile::tempdir().unwrap(), text());
        let is_done = |number: usize| {
            (number as u64 ^ seed).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 61 < share
        };
        let mut stored: Vec<Vec<u8>> = packed(&text).into_iter().map(|(_, stored)| stored).collect();
        stored.extend([text.clone(), gzip(&text), utf_16(&text)]);
        for (number, bytes) in stored.iter().enumerate() {
            let path = dir.path().join(format!("{number}.pgn"));
            fs::write(&path, bytes).unwrap();
            check(&path, is_done);
        }
        let (zip, seven) = (dir.path().join("a.zip"), dir.path().join("a.7z"));
        write_zip(&zip, &["a.pgn", "b.pgn", "c.txt"], zip::CompressionMethod::Deflated);
        write_7z(&seven, &["a.pgn", "b.pgn"]);
        check(&zip, is_done);
        check(&seven, is_done);
    }
}

#[test]
fn every_game_of_a_pzstd_file_comes_once() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("frames.zst");
    let long = [b"[Event \"long\"]\n\n{", &filler()[..], b"} *\n\n"].concat();
    let text =
        [&sample(400)[..], &long, &sample(90), &long, &long, &sample(200), &long, &sample(100)].concat();
    let frames = text.chunks(1_600_001).map(pzstd_frame).collect::<Vec<_>>();
    assert!(frames.len() > 3);
    fs::write(&path, frames.concat()).unwrap();
    check(&path, |number| number % 3 == 0);
    check(&path, |number| number % 3 > 0);
    check(&path, |_| true);
}

#[test]
fn a_plain_file_is_not_read_again_where_its_blocks_are_known() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("long.pgn");
    let game = format!("[Event \"x\"]\n\n{}*\n\n", "1. e4 e5 ".repeat(4000));
    fs::write(&path, game.repeat((130 << 20) / game.len())).unwrap();
    let large = |done| ChunkOptions { chunk_bytes: 1 << 20, ..options(2, done) };
    let (all, blocks) = chunks_of(file(&path), &large(Vec::new()));
    assert_eq!(blocks.len(), 2);
    let mut done = InputDone { blocks, ..InputDone::default() };
    let mut left = Vec::new();
    for (number, (place, end, pieces)) in all.iter().enumerate() {
        // Done are all but two chunks below what is known, and some chunks above.
        if [3, 40].contains(&number) || number > 128 {
            left.extend(pieces.iter().map(|piece| piece.0));
        } else {
            done.parts.entry(0).or_default().insert(place.offset..*end);
        }
    }
    let (found, inputs) = read(file(&path), large(vec![done.clone()])).unwrap();
    assert!(found.iter().map(|piece| piece.0).eq(left.iter().copied()));
    assert_eq!(inputs.list[0].xxh3, Some(identity(&fs::read(&path).unwrap())));
    // What is done is not read: other bytes there change nothing.
    let mut bytes = fs::read(&path).unwrap();
    bytes[20 << 20] = b'#';
    fs::write(&path, &bytes).unwrap();
    let (again, inputs_again) = read(file(&path), large(vec![done])).unwrap();
    assert!(again == found && inputs_again.list[0].xxh3 == inputs.list[0].xxh3);
}

#[test]
fn a_packed_file_that_changed_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("games.pgn.gz");
    let noise = |at: u32| (b'a' + (at.wrapping_mul(2_654_435_761) >> 16) as u8 % 26) as char;
    let comment: String = (0..(70 << 20)).map(noise).collect();
    let stored = |event: &str| {
        let text = format!("[Event \"{event}\"]\n\n{{{comment}}} *\n");
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::none());
        std::io::Write::write_all(&mut encoder, text.as_bytes()).unwrap();
        encoder.finish().unwrap()
    };
    fs::write(&path, stored("first")).unwrap();
    let large = |done| ChunkOptions {
        chunk_bytes: 1 << 20,
        bounds: GameBounds { max_game_bytes: 80 << 20, ..GameBounds::default() },
        ..options(1, done)
    };
    let (_, blocks) = chunks_of(file(&path), &large(Vec::new()));
    assert_eq!(blocks.len(), 1);
    fs::write(&path, stored("other")).unwrap();
    let refused = read(file(&path), large(vec![InputDone { blocks, ..InputDone::default() }])).unwrap_err();
    assert!(matches!(&refused, Error::Read { .. }), "{refused}");
    assert!(
        refused.to_string().contains("its bytes are not those that the interrupted run read"),
        "{refused}"
    );
}

#[test]
fn a_stamp_shows_a_file_and_no_stream() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.pgn");
    fs::write(&path, "[Event \"a\"]").unwrap();
    assert_eq!(Input::file(&path).stamp().unwrap().unwrap().bytes, 11);
    assert_eq!(Input::stream("-", std::io::empty()).stamp().unwrap(), None);
}
