//! Every packing of a stream gives what the plain text gives, as a file and as a stream.

use std::{fs, io::Write};

use flate2::{Compression, write::GzEncoder};
use pgn::input::{Input, Packing};

use crate::reading::{expected, file, identity, located, read, sample, with_threads};

/// Packs a text by each method.
pub(crate) fn packed(text: &[u8]) -> Vec<(Packing, Vec<u8>)> {
    vec![
        (Packing::Plain, text.to_vec()),
        (Packing::Zstd, zstd::encode_all(text, 1).unwrap()),
        (Packing::Gzip, gzip(text)),
        (Packing::Bzip2, bzip2(text)),
        (Packing::Xz, xz(text)),
    ]
}

pub(crate) fn gzip(text: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

fn bzip2(text: &[u8]) -> Vec<u8> {
    let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

fn xz(text: &[u8]) -> Vec<u8> {
    let mut encoder = liblzma::write::XzEncoder::new(Vec::new(), 1);
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

fn check(name: &str, packing: Packing, stored: &[u8], text: &[u8]) {
    let directory = tempfile::tempdir().unwrap();
    // The name does not matter.
    let path = directory.path().join("input.dat");
    fs::write(&path, stored).unwrap();
    for threads in [1, 3] {
        let streamed = vec![Input::stream("-", std::io::Cursor::new(stored.to_vec()))];
        let outcome = read(streamed, with_threads(threads)).unwrap();
        assert_eq!(outcome.1.list[0].packing, packing, "{name}");
        assert!(located(outcome) == expected("-", text), "{name}, streamed");
        let outcome = read(file(&path), with_threads(threads)).unwrap();
        let source = outcome.1.list[0].clone();
        assert_eq!((source.packing, source.bytes), (packing, stored.len() as u64), "{name}");
        assert_eq!(source.xxh3, Some(identity(stored)), "{name}");
        assert!(located(outcome) == expected(&path.to_string_lossy(), text), "{name}, from a file");
    }
}

#[test]
fn every_packing_gives_the_plain_text() {
    let text = sample(500);
    for (packing, stored) in packed(&text) {
        check(&packing.to_string(), packing, &stored, &text);
    }
}

#[test]
fn several_members_streams_and_frames_are_one_text() {
    let text = sample(300);
    let (one, two) = text.split_at(text.len() / 3);
    for ((packing, mut stored), (_, rest)) in packed(one).into_iter().zip(packed(two)) {
        stored.extend(rest);
        check(&format!("{packing} in two"), packing, &stored, &text);
    }
}

#[test]
fn an_empty_input_holds_no_games() {
    check("empty file", Packing::Plain, b"", b"");
    for (packing, stored) in packed(b"") {
        check("empty", packing, &stored, b"");
    }
}

#[test]
fn utf_16_is_read_as_utf_8() {
    let text = String::from_utf8(sample(300)).unwrap().replace('?', "Zürich");
    let stored: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let unmarked = text.trim_start_matches('\u{feff}').as_bytes();
    check("UTF-16", Packing::Plain, &stored, unmarked);
    check("UTF-16 in gz", Packing::Gzip, &gzip(&stored), unmarked);
}

#[test]
fn old_mac_line_ends_are_read() {
    let text = "[White \"a\"]\r[Black \"b\"]\r\r1. e4 *\r\r[White \"c\"]\r\r1. d4 *\r".repeat(2_000);
    check("CR", Packing::Plain, text.as_bytes(), text.as_bytes());
    assert_eq!(expected("", text.as_bytes()).len(), 4_000 - 1_999);
}
