//! Tests the format of run files: what is written, and that nothing else is accepted.

use std::fs::{self, File};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::{FORMAT_VERSION, RunFile, RunShape, RunWriter, SEGMENT_ROWS};
use crate::{Error, Result, Row, Sum};

const SHAPE: RunShape = RunShape { sums: 3, payload_bits: 18, source: 0x0102, buckets: 4 };

fn write(rows: &[Row<3>]) -> Vec<u8> {
    let mut writer = RunWriter::<Vec<u8>, 3, Sum>::new(Vec::new(), Path::new("run"), SHAPE).unwrap();
    for row in rows {
        writer.push(row).unwrap();
    }
    writer.finish().unwrap()
}

/// A directory with one file in it.
fn save(bytes: &[u8]) -> (TempDir, PathBuf) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("run");
    fs::write(&path, bytes).unwrap();
    (dir, path)
}

fn read<const SUMS: usize>(bytes: &[u8]) -> Result<Vec<Row<SUMS>>> {
    let (_dir, path) = save(bytes);
    let mut rows = Vec::new();
    RunFile::open(&path)?.read(|batch| rows.extend_from_slice(batch))?;
    Ok(rows)
}

/// Rows in buckets 0, 1 and 3 of four. Keys have several rows, some with explicit sums.
fn rows(count: u64) -> Vec<Row<3>> {
    let row = |i: u64| {
        let bucket = [0, 0, 1, 3][(i * 4 / count) as usize];
        let id = u128::from(bucket << 62 | (i / 3) << 20) << 64 | u128::from(i % 3) << 50;
        Row { id, note: i as u16 % 7, sums: if i.is_multiple_of(5) { [i, 0, 300] } else { [0, 1, 0] } }
    };
    (0..count).map(row).collect()
}

#[test]
fn golden_bytes() {
    let row = |high: u64, sums| Row { id: u128::from(high) << 64 | 0x0abc << 48, note: 0x21, sums };
    let bytes = write(&[row(1, [0, 1, 0]), row(5, [2, 0, 130]), row(1 << 62, [0, 0, 1])]);
    let hex: Vec<String> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    let lines: Vec<String> = hex.chunks(32).map(<[String]>::concat).collect();
    assert_eq!(lines, GOLDEN);
}

#[test]
fn rows_come_back_across_segments() {
    for count in [1, 2, 100, 3 * SEGMENT_ROWS as u64 + 1] {
        let rows = rows(count);
        let bytes = write(&rows);
        assert_eq!(read::<3>(&bytes).unwrap(), rows);
    }
}

#[test]
fn an_empty_run_is_a_run() {
    assert_eq!(read::<3>(&write(&[])).unwrap(), []);
}

#[test]
fn what_the_run_says_of_itself() {
    let rows = rows(100);
    let bytes = write(&rows);
    let (_dir, path) = save(&bytes);
    let run = RunFile::open(&path).unwrap();
    assert_eq!((run.rows(), run.buckets(), run.source()), (100, 4, 0x0102));
    assert_eq!(run.bytes(), bytes.len() as u64);
}

#[test]
fn every_truncation_is_an_error() {
    let bytes = write(&rows(40));
    for length in 0..bytes.len() {
        let error = read::<3>(&bytes[..length]).expect_err("a truncated run was read");
        assert!(matches!(error, Error::Corrupt { .. }), "{length} bytes: {error}");
    }
}

#[test]
fn every_flipped_bit_is_an_error() {
    let bytes = write(&rows(40));
    let (_dir, path) = save(&bytes);
    let file = File::options().write(true).open(&path).unwrap();
    for bit in 0..bytes.len() * 8 {
        let (at, byte) = ((bit / 8) as u64, bytes[bit / 8]);
        file.write_all_at(&[byte ^ 1 << (bit % 8)], at).unwrap();
        let error = RunFile::open(&path).and_then(|run| run.read::<3>(|_| {}));
        let error = error.expect_err("a damaged run was read");
        assert!(matches!(error, Error::Corrupt { .. }), "bit {bit}: {error}");
        file.write_all_at(&[byte], at).unwrap();
    }
}

#[test]
fn swapped_segments_are_an_error() {
    // There are two segments of equal length in bucket 0, each valid by itself.
    let rows: Vec<Row<3>> = (1..=2 * SEGMENT_ROWS as u64)
        .map(|i| Row { id: u128::from(i) << 64, note: 0, sums: [1, 0, 0] })
        .collect();
    let mut bytes = write(&rows);
    let starts: Vec<usize> = (0..bytes.len() - 8).filter(|at| &bytes[*at..at + 8] == b"EXSORTSG").collect();
    let [first, second] = starts[..] else { panic!("two segments, not {}", starts.len()) };
    let length = second - first;
    let (left, right) = bytes.split_at_mut(second);
    left[first..].swap_with_slice(&mut right[..length]);
    let error = read::<3>(&bytes).unwrap_err();
    assert!(matches!(error, Error::Corrupt { .. }), "{error}");
}

#[test]
fn another_number_of_sums_is_an_error() {
    let error = read::<2>(&write(&rows(4))).unwrap_err();
    assert!(error.to_string().contains("each row has 3 sums, expected 2"), "{error}");
}

#[test]
fn another_version_is_named() {
    let mut bytes = write(&rows(4));
    let footer = bytes.len() - 64;
    bytes[footer + 8] = 9;
    let checksum = xxhash_rust::xxh3::xxh3_64(&bytes[footer..footer + 56]);
    bytes[footer + 56..].copy_from_slice(&checksum.to_le_bytes());
    let error = read::<3>(&bytes).unwrap_err();
    assert!(matches!(error, Error::Version { expected: FORMAT_VERSION, got: 9, .. }), "{error}");
}

#[test]
fn a_full_disk_is_said_plainly() {
    let full = File::options().write(true).open("/dev/full").unwrap();
    let mut writer = RunWriter::<File, 3, Sum>::new(full, Path::new("/dev/run-0"), SHAPE).unwrap();
    let pushed = rows(1000).iter().try_for_each(|row| writer.push(row));
    let error = pushed.and_then(|()| writer.finish()).unwrap_err();
    assert!(matches!(&error, Error::DiskFull { dir, .. } if dir == Path::new("/dev")), "{error}");
    assert!(error.to_string().starts_with("not enough disk space in /dev: about"), "{error}");
}

#[test]
#[should_panic(expected = "rows of a run ascend")]
fn a_row_out_of_order_is_never_written() {
    write(&[rows(2)[1], rows(2)[0]]);
}

const GOLDEN: [&str; 13] = [
    "4558534f52545347020001000300120002010000000000000000000004000000",
    "00000000020000004c000000300000001be9d2b47d302d44cd06b2a5494d9311",
    "0200010003c00102040000000100000000000000010000000210000000040000",
    "0000000000000000000000000002000000bcbc020000000a0a02000000212101",
    "0000000d04000000020082014558534f52545347020001000300120002010000",
    "00000000010000000400000000000000010000002d000000190000006fec2abc",
    "4d91e2752ec22fab74992b060100000000c00102000000000000000000000040",
    "010000000001000000bc010000000a0100000021010000000200000000000000",
    "0002000000000000000c66eced3b8b016c8c0000000000000001000000000000",
    "005a3a41f8cf4566b000000000000000000000000000000000bbd5afa400fefb",
    "7f000000000000000000000000000000003e2d9d19dd9981354558534f525446",
    "54020003001200000002010000000000000400000000000000f9000000000000",
    "0003000000000000004b27110e332c05646e69f5cd16281f8a",
];
