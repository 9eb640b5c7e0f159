//! Members of archives are streams of their own.

use std::{
    fs::{self, File},
    io::Write,
    path::Path,
};

use pgn::{
    Error,
    input::{Input, Packing},
};
use sevenz_rust2::{ArchiveEntry, ArchiveWriter};
use zip::{CompressionMethod, ZipWriter, write::SimpleFileOptions};

use crate::reading::{expected, file, identity, located, read, sample, with_threads};

const NAMES: [&str; 5] = ["b.pgn", "dir/a.PGN", "readme.txt", "c.pgn.zst", "empty.pgn"];

fn member(index: usize) -> Vec<u8> {
    if index == 4 { Vec::new() } else { sample(50 + 200 * index) }
}

pub(crate) fn write_zip(path: &Path, names: &[&str], method: CompressionMethod) {
    let mut writer = ZipWriter::new(File::create(path).unwrap());
    writer.add_directory("dir", SimpleFileOptions::default()).unwrap();
    for (index, name) in names.iter().enumerate() {
        writer.start_file(*name, SimpleFileOptions::default().compression_method(method)).unwrap();
        writer.write_all(&member(index)).unwrap();
    }
    writer.finish().unwrap();
}

pub(crate) fn write_7z(path: &Path, names: &[&str]) {
    let mut writer = ArchiveWriter::create(path).unwrap();
    for (index, name) in names.iter().enumerate() {
        let text = member(index);
        writer.push_archive_entry(ArchiveEntry::new_file(name), Some(&text[..])).unwrap();
    }
    writer.finish().unwrap();
}

fn check(path: &Path, packing: Packing) {
    let mut text = Vec::new();
    for index in [0, 1, 4] {
        text.extend(expected(&format!("{}!{}", path.display(), NAMES[index]), &member(index)));
    }
    let stored = fs::read(path).unwrap();
    for threads in [1, 2, 5] {
        let outcome = read(file(path), with_threads(threads)).unwrap();
        let source = &outcome.1.list[0];
        assert_eq!((source.packing, source.bytes), (packing, stored.len() as u64));
        assert_eq!(source.xxh3, Some(identity(&stored)));
        assert_eq!(source.skipped, ["readme.txt", "c.pgn.zst"]);
        assert_eq!(
            source.text_bytes(),
            [0, 1, 4].map(|index| member(index).len() as u64).iter().sum::<u64>()
        );
        assert!(located(outcome) == text, "{packing} with {threads} threads");
    }
}

#[test]
fn members_of_a_zip_are_read_whatever_their_method() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("a.zip");
    for method in [CompressionMethod::Stored, CompressionMethod::Deflated, CompressionMethod::Zstd] {
        write_zip(&path, &NAMES, method);
        check(&path, Packing::Zip);
    }
}

#[test]
fn members_of_a_7z_are_read() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("a.7z");
    write_7z(&path, &NAMES);
    check(&path, Packing::SevenZ);
}

#[test]
fn an_archive_in_a_stream_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("a.zip");
    write_zip(&path, &NAMES, CompressionMethod::Stored);
    let stream = vec![Input::stream("-", File::open(&path).unwrap())];
    let error = read(stream, with_threads(1)).unwrap_err();
    assert!(matches!(error, Error::NeedsFile { packing: "zip", .. }), "{error}");
    assert_eq!(
        error.to_string(),
        "- is a zip archive, which cannot be read from a stream: give a file instead"
    );
}

#[test]
fn an_encrypted_member_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("a.zip");
    write_zip(&path, &["a.pgn"], CompressionMethod::Stored);
    let mut stored = fs::read(&path).unwrap();
    // Bit 0 of the flags of the last central directory header (APPNOTE 4.4.4) says encrypted.
    let header = stored.windows(4).rposition(|window| window == b"PK\x01\x02").unwrap();
    stored[header + 8] |= 1;
    fs::write(&path, stored).unwrap();
    let error = read(file(&path), with_threads(1)).unwrap_err();
    assert_eq!(error.to_string(), format!("{}!a.pgn is encrypted: decrypt it first", path.display()));
}

#[test]
fn a_member_that_is_no_pgn_is_named() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("a.zip");
    let mut writer = ZipWriter::new(File::create(&path).unwrap());
    writer.start_file("a.pgn", SimpleFileOptions::default()).unwrap();
    writer.write_all(&[0; 99]).unwrap();
    writer.finish().unwrap();
    let error = read(file(&path), with_threads(2)).unwrap_err();
    assert!(error.to_string().contains("a.zip!a.pgn is not PGN: its first 99 bytes are binary"), "{error}");
}
