use std::path::{Path, PathBuf};

use output::Existing;
use parquet::file::metadata::KeyValue;
use position::{
    Contribution, Experience, ExperienceKind, ExperienceRow, Key, Lesson, OwnResults, PackedMove,
};
use proptest::prelude::*;

use super::{digest::Digest, row_group::RowGroup, *};
use table::Error;

fn source(name: &str) -> ExperienceSource {
    ExperienceSource { name: name.to_owned(), teacher: "crafty".to_owned(), ..ExperienceSource::default() }
}

fn header() -> ExperienceHeader {
    ExperienceHeader::new(
        Some("0123456789abcdef".into()),
        Some("min-games 5".into()),
        vec![source("b"), source("a")],
    )
}

fn write(rows: &[ExperienceRow]) -> (tempfile::TempDir, PathBuf) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("x.experience.parquet");
    let mut writer = ExperienceWriter::create(&path, &header(), Existing::Refuse).unwrap();
    for row in rows {
        writer.push(row).unwrap();
    }
    writer.finish().unwrap();
    (dir, path)
}

fn any_row() -> impl Strategy<Value = ExperienceRow> {
    let taught = prop::collection::btree_map((0..2u32, 0..4usize), (1..9u32, 0..20_260_101u32), 0..4);
    let experience = (
        (-10.0f32..10.0, 0..3u32),
        (0..9u32, 0..9u32, 0..9u32),
        prop::option::of(0..=100u8),
        prop::option::of(0..=5u8),
        prop::option::of(1..=6u8),
        prop::option::of(-9.0f32..9.0),
        prop::option::of(0..99u16),
    );
    ((0..50u64, 0..3u16, 0..4usize), experience, taught).prop_map(|((key, mv, kind), known, taught)| {
        let ((learn, learn_count), (wins, draws, losses), user_value, priority, nag, eval, depth) = known;
        let own = OwnResults { wins, draws, losses };
        ExperienceRow {
            key: Key(key << 58),
            mv: PackedMove(mv),
            kind: ExperienceKind::ALL[kind],
            experience: Experience {
                learn,
                learn_count,
                own,
                user_value,
                priority,
                nag,
                eval,
                depth,
                ..Experience::default()
            },
            taught: taught
                .into_iter()
                .map(|((source, lesson), (count, last))| Contribution {
                    source,
                    lesson: Lesson::ALL[lesson],
                    count,
                    last,
                })
                .collect(),
        }
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn prop_rows_come_back_as_they_went(mut rows in prop::collection::vec(any_row(), 0..200)) {
        rows.sort_by_key(ExperienceRow::id);
        rows.dedup_by_key(|row| row.id());
        let (_dir, path) = write(&rows);
        let file = ExperienceFile::open(&path).unwrap();
        prop_assert_eq!(file.header(), &header());
        prop_assert_eq!(file.rows(), rows.len() as u64);
        let back: Vec<_> = file.read().unwrap().collect::<Result<_, _>>().unwrap();
        prop_assert_eq!(back, rows);
    }
}

#[test]
fn sources_are_sorted_and_found() {
    let header = header();
    assert_eq!((header.source("a"), header.source("b"), header.source("c")), (Some(0), Some(1), None));
}

#[test]
fn other_files_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("x");
    std::fs::write(&path, b"not parquet").unwrap();
    assert!(matches!(ExperienceFile::open(&path), Err(Error::NotAnExperience { .. })));
    assert!(matches!(ExperienceFile::open(&dir.path().join("none")), Err(Error::Io { .. })));
}

fn learned(rows: u64) -> Vec<ExperienceRow> {
    let row = |key| ExperienceRow {
        key: Key(key * 7919),
        mv: PackedMove(1),
        experience: Experience { learn: 0.25, learn_count: 1, ..Experience::default() },
        taught: vec![Contribution { source: 1, lesson: Lesson::Learn, count: 1, last: 19_980_301 }],
        ..ExperienceRow::default()
    };
    (0..rows).map(row).collect()
}

fn read(path: &Path) -> table::Result<Vec<ExperienceRow>> {
    ExperienceFile::open(path)?.read()?.collect()
}

#[test]
fn damage_is_an_error() {
    let (_dir, path) = write(&learned(3000));
    let bytes = std::fs::read(&path).unwrap();
    for at in (0..bytes.len()).step_by(bytes.len() / 200) {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x10;
        std::fs::write(&path, &damaged).unwrap();
        let error = read(&path).unwrap_err();
        assert!(matches!(error, Error::Checksum { .. } | Error::Parquet { .. }), "byte {at}: {error}");
    }
    std::fs::write(&path, &bytes[..bytes.len() / 2]).unwrap();
    assert!(ExperienceFile::open(&path).is_err());
}

#[test]
fn every_flipped_byte_and_every_truncation_is_found_on_opening() {
    let (_dir, path) = write(&learned(3));
    let bytes = std::fs::read(&path).unwrap();
    for at in 0..bytes.len() {
        for mask in [0x01, 0x03, 0x80, 0xff] {
            let mut damaged = bytes.clone();
            damaged[at] ^= mask;
            std::fs::write(&path, &damaged).unwrap();
            assert!(ExperienceFile::is_likely(&path));
            assert!(ExperienceFile::open(&path).is_err(), "byte {at}, mask {mask:02x}");
        }
        std::fs::write(&path, &bytes[..at]).unwrap();
        assert!(ExperienceFile::open(&path).is_err(), "{at} bytes");
    }
    std::fs::write(&path, &bytes).unwrap();
    assert_eq!(read(&path).unwrap(), learned(3));
}

/// The digits are where the format says, and are those of the file with zeros in their place.
#[test]
fn the_checksum_is_of_the_whole_file_with_its_digits_as_zeros() {
    let (_dir, path) = write(&learned(9));
    let mut bytes = std::fs::read(&path).unwrap();
    let mark = b"tabia.file-xxh3\x18\x10";
    let at = bytes.windows(mark.len()).rposition(|window| window == mark).unwrap() + mark.len();
    let digits = String::from_utf8(bytes[at..at + 16].to_vec()).unwrap();
    bytes[at..at + 16].copy_from_slice(&[b'0'; 16]);
    assert_eq!(digits, format!("{:016x}", xxhash_rust::xxh3::xxh3_64(&bytes)));
}

/// Writes a file of format version 1, which has the rows' checksum alone.
fn write_version_1(path: &Path, rows: &[ExperienceRow]) {
    let json = header().to_json().replace("\"version\":2", "\"version\":1");
    let header = ExperienceHeader::parse(&json, path).unwrap();
    let mut writer = schema::writer(std::fs::File::create(path).unwrap(), &header).unwrap();
    let (mut columns, mut digest) = (RowGroup::new(&header, &writer), Digest::new(&header));
    for row in rows {
        columns.push(row).unwrap();
        digest.push(row);
    }
    columns.encoded.write(&mut writer).unwrap();
    writer.append_key_value_metadata(KeyValue::new(digest::METADATA_KEY.to_owned(), digest.digits()));
    writer.close().unwrap();
}

#[test]
fn a_file_of_version_1_is_read_and_written_anew_in_the_present_version() {
    let dir = tempfile::tempdir().unwrap();
    let [old, new] = ["old", "new"].map(|name| dir.path().join(name));
    write_version_1(&old, &learned(20));
    let file = ExperienceFile::open(&old).unwrap();
    assert!(!file.header().has_file_checksum());
    assert_eq!(read(&old).unwrap(), learned(20));
    let mut writer = ExperienceWriter::create(&new, file.header(), Existing::Refuse).unwrap();
    for row in file.read().unwrap() {
        writer.push(&row.unwrap()).unwrap();
    }
    writer.finish().unwrap();
    let file = ExperienceFile::open(&new).unwrap();
    assert!(file.header().has_file_checksum());
    assert_eq!((file.header(), read(&new).unwrap()), (&header(), learned(20)));
}

/// Damage of a file of version 1 never turns a value into another one, although not every byte of it has a
/// checksum.
#[test]
fn damage_of_version_1_changes_no_value() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("old");
    write_version_1(&path, &learned(20));
    let bytes = std::fs::read(&path).unwrap();
    for at in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x10;
        std::fs::write(&path, &damaged).unwrap();
        let rows = read(&path);
        assert!(rows.is_err() || rows.is_ok_and(|back| back == learned(20)), "byte {at}");
    }
}
