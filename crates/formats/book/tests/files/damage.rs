//! Damaged books are refused, and never end the process.

use std::{fs, os::unix::fs::FileExt, path::Path};

use book::{Book, Error, PositionEntry};
use position::Key;
use proptest::prelude::*;
use xxhash_rust::xxh3::xxh3_64;

use crate::samples::{
    Positions, any_experience, any_positions, every_experience, every_shape, write, write_taught,
};

fn sample(path: &Path) -> Vec<u8> {
    write_taught(path, &every_shape(), &every_experience());
    fs::read(path).unwrap()
}

fn verify(path: &Path) -> Result<(), Error> {
    Book::open(path)?.verify().map(drop)
}

fn verify_bytes(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    fs::write(path, bytes).unwrap();
    verify(path)
}

#[test]
fn verify_finds_every_flipped_bit() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("flipped.tabia");
    let bytes = sample(&path);
    let file = fs::File::options().write(true).open(&path).unwrap();
    for (at, byte) in bytes.iter().enumerate() {
        for bit in 0..8 {
            file.write_all_at(&[byte ^ 1 << bit], at as u64).unwrap();
            let error = verify(&path).unwrap_err();
            // A newer version is refused before the checksum is read, because it may have another layout.
            let newer = (8..12).contains(&at) && matches!(error, Error::NewerVersion { .. });
            assert!(error.is_damage() || newer, "byte {at}, bit {bit}: {error}");
        }
        file.write_all_at(&[*byte], at as u64).unwrap();
    }
    verify(&path).unwrap();
}

#[test]
fn every_other_length_is_refused_at_once() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("cut.tabia");
    let mut bytes = sample(&path);
    let whole = bytes.len() as u64;
    bytes.push(0);
    for length in (0..bytes.len()).rev().filter(|&length| length as u64 != whole).chain([bytes.len()]) {
        fs::write(&path, &bytes[..length]).unwrap();
        let refusal = Book::open(&path).unwrap_err();
        match length {
            0..8 => assert!(matches!(refusal, Error::NotABook { .. }), "{length}: {refusal}"),
            8..512 => assert!(matches!(refusal, Error::Length { expected: 512, .. }), "{length}: {refusal}"),
            _ => assert!(
                matches!(refusal, Error::Length { expected, .. } if expected == whole),
                "{length}: {refusal}"
            ),
        }
    }
}

#[test]
fn other_files_are_recognised() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("other");
    let mut bytes = sample(&path);
    bytes[8] = 3;
    let newer = verify_bytes(&path, &bytes).unwrap_err();
    assert!(matches!(newer, Error::NewerVersion { expected: 2, got: 3, .. }));
    assert!(newer.to_string().contains("use a newer tabia"), "{newer}");
    let polyglot = verify_bytes(&path, &[0; 1600]).unwrap_err();
    assert!(polyglot.to_string().contains("is not a tabia book"), "{polyglot}");
    assert!(!polyglot.is_damage() && !newer.is_damage());
    assert!(matches!(Book::open(directory.path()), Err(Error::Io { .. })));
    assert!(matches!(Book::open(&directory.path().join("none")), Err(Error::Io { .. })));
}

/// Gives a damaged book the checksums of its bytes, so that readers go on to what the bytes say.
fn seal(bytes: &mut [u8]) {
    // The checksums are the last section: eight bytes a block of 64 KiB.
    let blocks = (bytes.len() - 512).div_ceil((1 << 16) + 8);
    let at = bytes.len() - 8 * blocks;
    let checksums: Vec<u8> =
        bytes[512..at].chunks(1 << 16).flat_map(|block| xxh3_64(block).to_le_bytes()).collect();
    bytes[at..].copy_from_slice(&checksums);
    bytes[496..504].copy_from_slice(&xxh3_64(&checksums).to_le_bytes());
    let header = xxh3_64(&bytes[..504]);
    bytes[504..512].copy_from_slice(&header.to_le_bytes());
}

/// Reads a book that is damaged, and then one with checksums that fit the damage.
fn read_damaged(path: &Path, mut bytes: Vec<u8>, positions: &Positions) {
    fs::write(path, &bytes).unwrap();
    read_everything(path, positions);
    assert!(verify(path).is_err());
    seal(&mut bytes);
    fs::write(path, &bytes).unwrap();
    read_everything(path, positions);
}

/// Calls every reader; only a panic or an endless loop fails the test.
fn read_everything(path: &Path, positions: &Positions) {
    let Ok(book) = Book::open(path) else { return };
    let mut entry = PositionEntry::default();
    for key in positions.keys().flat_map(|key| [key.0, !key.0, key.0.rotate_left(20)]) {
        let _ = book.probe_into(Key(key), &mut entry);
    }
    assert!(book.iter().filter_map(Result::err).count() <= 1);
    let _ = book.provenance();
    let _ = book.experience_of(Key::START);
    assert!(book.experience().filter_map(Result::err).count() <= 1);
    let _ = book.verify();
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn prop_any_damage_after_the_header_is_survived(
        positions in any_positions(), experience in any_experience(),
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..20),
    ) {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("damaged.tabia");
        write_taught(&path, &positions, &experience);
        let whole = fs::read(&path).unwrap();
        let mut bytes = whole.clone();
        for (index, byte) in damage {
            let index = 512 + index.index(bytes.len() - 512);
            bytes[index] = byte;
        }
        prop_assume!(bytes != whole);
        read_damaged(&path, bytes, &positions);
    }

    #[test]
    fn prop_noise_after_a_sound_header_is_survived(positions in any_positions(), seed: u64) {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("noise.tabia");
        write(&path, &positions);
        let mut bytes = fs::read(&path).unwrap();
        let mut state = seed | 1;
        for byte in &mut bytes[512..] {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            *byte = (state >> 56) as u8;
        }
        read_damaged(&path, bytes, &positions);
    }

    #[test]
    fn prop_any_bytes_are_refused(mut bytes: Vec<u8>, magic: bool) {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("bytes.tabia");
        if magic {
            bytes.splice(0..0, *b"TABIABK\n");
        }
        fs::write(&path, &bytes).unwrap();
        prop_assert!(Book::open(&path).is_err());
    }
}
