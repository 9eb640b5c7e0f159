//! Damaged, cut and foreign inputs are errors that name the place and the remedy, never fewer games.

use std::{fs, io::Write as _, path::Path};

use pgn::{
    Error,
    input::{ChunkOptions, Chunks, Input, Packing},
};
use zip::CompressionMethod;

use crate::{
    archives::{write_7z, write_zip},
    frames::pzstd_frame,
    packings::{gzip, packed},
    reading::{file, read, sample, with_threads},
};

fn error_of(path: &Path, stored: &[u8], threads: usize) -> Option<Error> {
    fs::write(path, stored).unwrap();
    read(file(path), with_threads(threads)).err()
}

/// Offsets to cut at: all near both ends, some between.
fn cuts(bytes: usize) -> impl Iterator<Item = usize> {
    (1..bytes).filter(move |&cut| cut < 40 || bytes - cut < 40 || cut % (bytes / 60 + 1) == 0)
}

#[test]
fn a_cut_stream_is_an_error_wherever_it_is_cut() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("a");
    for (packing, stored) in packed(&sample(300)) {
        for cut in cuts(stored.len()).filter(|_| packing != Packing::Plain) {
            // The first byte of zst and the first three of bz2 are text: a fragment, which is a rejected
            // game.
            let error = error_of(&path, &stored[..cut], 1);
            let text = stored[..cut].is_ascii() && cut < 4 && packing != Packing::Gzip;
            assert!(text || error.is_some(), "{packing} cut at {cut}");
        }
    }
}

#[test]
fn a_cut_archive_is_an_error_wherever_it_is_cut() {
    let directory = tempfile::tempdir().unwrap();
    let (zip, seven, path) =
        (directory.path().join("zip"), directory.path().join("7z"), directory.path().join("a"));
    write_zip(&zip, &["a.pgn", "b.pgn"], CompressionMethod::Deflated);
    write_7z(&seven, &["a.pgn", "b.pgn"]);
    for whole in [zip, seven] {
        let stored = fs::read(&whole).unwrap();
        for cut in cuts(stored.len()).filter(|&cut| cut > 5) {
            assert!(error_of(&path, &stored[..cut], 2).is_some(), "{} cut at {cut}", whole.display());
        }
    }
}

#[test]
fn a_cut_pzstd_file_is_an_error_wherever_it_is_cut() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("a");
    let stored: Vec<u8> = sample(4_000).chunks(400_000).flat_map(pzstd_frame).collect();
    let frame_ends: Vec<usize> =
        (0..stored.len()).filter(|&at| stored[at..].starts_with(b"\x50\x2A\x4D\x18")).collect();
    for cut in cuts(stored.len()).filter(|cut| *cut > 3 && !frame_ends.contains(cut)) {
        for threads in [1, 2] {
            assert!(error_of(&path, &stored[..cut], threads).is_some(), "cut at {cut} of {}", stored.len());
        }
    }
}

#[test]
fn what_follows_the_packed_data_is_an_error() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("a");
    for (packing, stored) in packed(&sample(30)).into_iter().filter(|(packing, _)| *packing != Packing::Plain)
    {
        for garbage in [&b"x"[..], b"garbage", b"\0\0\0\0\0", &[b'g'; 300]] {
            let error = error_of(&path, &[&stored[..], garbage].concat(), 1);
            assert!(error.is_some(), "{packing} and {} bytes of garbage", garbage.len());
        }
    }
}

#[test]
fn a_flipped_byte_is_an_error_where_the_format_has_a_checksum() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("a");
    for (packing, stored) in packed(&sample(300)) {
        if matches!(packing, Packing::Gzip | Packing::Bzip2 | Packing::Xz) {
            // Some bits of the last byte of deflate data, which is before the 8 bytes of the trailer, have no
            // meaning.
            let padding = stored.len() - 9;
            for at in cuts(stored.len()).filter(|&at| at > stored.len() / 2 && at != padding) {
                let mut flipped = stored.clone();
                flipped[at] ^= 0x10;
                assert!(
                    error_of(&path, &flipped, 1).is_some(),
                    "{packing} flipped at {at} of {}",
                    stored.len()
                );
            }
        }
    }
}

#[test]
fn the_error_names_the_place_and_the_remedy() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("a.pgn.gz");
    let stored = gzip(&sample(300));
    let error = error_of(&path, &stored[..2_000], 1).unwrap();
    let Error::Damaged { packing, offset, text_offset, .. } = &error else { panic!("{error}") };
    assert_eq!((*packing, *offset), ("gz", 2_000));
    assert!(text_offset.unwrap() > 2_000);
    let message = error.to_string();
    assert!(message.contains("a.pgn.gz is damaged or cut short at byte 2000 (byte "), "{message}");
    assert!(message.contains("; copy or download it again (gz: "), "{message}");
}

#[test]
fn an_empty_file_named_as_packed_is_damaged() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["a.pgn.zst", "a.GZ", "a.bz2", "a.xz", "a.zip", "a.7z"] {
        let error = error_of(&folder.path().join(name), b"", 1).unwrap().to_string();
        assert!(error.contains("is damaged or cut short at byte 0") && error.contains("empty"), "{error}");
    }
    assert!(error_of(&folder.path().join("a.pgn"), b"", 1).is_none());
}

#[test]
fn a_long_window_is_unpacked_only_if_it_is_allowed() {
    let folder = tempfile::tempdir().unwrap();
    let text = sample(3);
    let mut encoder = zstd::Encoder::new(Vec::new(), 1).unwrap();
    encoder.window_log(28).unwrap();
    encoder.write_all(&text).unwrap();
    let long = encoder.finish().unwrap();
    let skippable = b"\x50\x2A\x4D\x18\x02\0\0\0xx";
    let one_segment = {
        let mut compressor = zstd::bulk::Compressor::new(1).unwrap();
        compressor.include_contentsize(true).unwrap();
        compressor.window_log(28).unwrap();
        compressor.compress(&vec![b' '; 130 << 20]).unwrap()
    };
    let after_another = [&zstd::encode_all(&text[..], 1).unwrap()[..], &long].concat();
    let allowed = ChunkOptions { long_window: true, ..with_threads(1) };
    for (stored, size) in [
        (long.clone(), "of 256 MiB"),
        ([&skippable[..], &long].concat(), "of 256 MiB"),
        (after_another, "of more than 128 MiB"),
        (one_segment, "of 130 MiB"),
    ] {
        let error = error_of(&folder.path().join("a.zst"), &stored, 1).unwrap();
        assert!(matches!(error, Error::LongWindow { .. }) && error.to_string().contains(size), "{error}");
        assert!(read(file(&folder.path().join("a.zst")), allowed.clone()).is_ok());
    }
}

#[test]
fn a_window_that_memory_does_not_allow_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.zst");
    let mut encoder = zstd::Encoder::new(Vec::new(), 1).unwrap();
    encoder.window_log(26).unwrap();
    encoder.write_all(&sample(3)).unwrap();
    std::fs::write(&path, encoder.finish().unwrap()).unwrap();
    let with_memory = |mib: u64| ChunkOptions { window_bytes_max: mib << 20, ..with_threads(2) };
    let error = read(file(&path), with_memory(48)).unwrap_err();
    assert!(matches!(error, Error::LongWindow { by_length: false, .. }), "{error}");
    let wanted = "needs a window of 64 MiB, but the memory limit allows only 48 MiB";
    assert!(error.to_string().ends_with(wanted), "{error}");
    assert!(read(file(&path), with_memory(64)).is_ok());
    let chunks = Chunks::open(vec![Input::file(&path)], with_memory(64)).unwrap();
    assert_eq!(chunks.window_bytes(), 64 << 20);
}

#[test]
fn a_dictionary_of_7z_that_memory_does_not_allow_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.7z");
    let mut writer = sevenz_rust2::ArchiveWriter::create(&path).unwrap();
    let mut options = sevenz_rust2::encoder_options::Lzma2Options::from_level(1);
    options.set_dictionary_size(64 << 20);
    writer.set_content_methods(vec![options.into()]);
    let entry = sevenz_rust2::ArchiveEntry::new_file("a.pgn");
    writer.push_archive_entry(entry, Some(&sample(3)[..])).unwrap();
    writer.finish().unwrap();
    let with_memory = |mib: u64| ChunkOptions { window_bytes_max: mib << 20, ..with_threads(2) };
    let error = read(file(&path), with_memory(48)).unwrap_err();
    assert!(error.to_string().contains("a.7z (7z) needs a window of 64 MiB"), "{error}");
    assert!(read(file(&path), with_memory(64)).is_ok());
}

#[test]
fn a_window_in_a_zip_archive_that_memory_does_not_allow_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.zip");
    write_zip(&path, &["a.pgn"], CompressionMethod::Zstd);
    let mut stored = fs::read(&path).unwrap();
    let frame = stored.windows(4).position(|bytes| bytes == b"\x28\xB5\x2F\xFD").unwrap();
    assert_eq!(stored[frame + 4] & 0x20, 0, "the frame says how long its window is");
    // 2^26 bytes (RFC 8878, 3.1.1.1.2).
    stored[frame + 5] = (26 - 10) << 3;
    fs::write(&path, stored).unwrap();
    let with_memory = |mib: u64| ChunkOptions { window_bytes_max: mib << 20, ..with_threads(2) };
    let error = read(file(&path), with_memory(48)).unwrap_err();
    assert!(error.to_string().contains("a.zip (zip) needs a window of 64 MiB"), "{error}");
    assert!(read(file(&path), with_memory(64)).is_ok());
}

#[test]
fn an_xz_file_that_needs_much_memory_is_unpacked_only_if_it_is_allowed() {
    let folder = tempfile::tempdir().unwrap();
    let mut options = liblzma::stream::LzmaOptions::new_preset(0).unwrap();
    options.dict_size(256 << 20);
    let mut filters = liblzma::stream::Filters::new();
    filters.lzma2(&options);
    let stream =
        liblzma::stream::Stream::new_stream_encoder(&filters, liblzma::stream::Check::Crc32).unwrap();
    let mut encoder = liblzma::write::XzEncoder::new_stream(Vec::new(), stream);
    encoder.write_all(&sample(3)).unwrap();
    let path = folder.path().join("a.xz");
    let error = error_of(&path, &encoder.finish().unwrap(), 1).unwrap();
    assert!(matches!(error, Error::LongWindow { window_bytes: Some(0x1000_0000), .. }), "{error}");
    let allowed = ChunkOptions { long_window: true, ..with_threads(1) };
    assert!(read(file(&path), allowed).is_ok());
}

#[test]
fn what_is_no_pgn_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("a.pgn");
    let book = b"\x46\x3B\x96\x18\x16\x91\xFC\x9C\x03\x1C\0\x01\0\0\0\0".repeat(100);
    let message = |stored: &[u8]| error_of(&path, stored, 2).unwrap().to_string();
    assert!(
        message(&book).ends_with("a.pgn is not PGN: its first 1600 bytes are binary and contain no tag pair")
    );
    assert!(message(&gzip(&book)).contains("is not PGN"));
    assert!(
        message(&gzip(&gzip(b"[Event \"a\"]")))
            .ends_with("it is compressed twice, with gz inside: decompress it once")
    );
    assert!(message(b"Rar!\x1A\x07\x01\0").ends_with("it is a RAR archive: extract it first"));
    assert!(message(b"\x28\xB5\x2F").ends_with("it ends after 3 bytes: copy or download it again"));
    assert!(message(&pzstd_frame(&book).repeat(20_000)).contains("is not PGN"));
}

#[test]
fn a_file_that_is_gone_is_named() {
    let error = read(file(Path::new("/nowhere/a.pgn")), with_threads(1)).unwrap_err();
    assert!(error.to_string().starts_with("cannot read /nowhere/a.pgn at byte 0: No such file"), "{error}");
}
