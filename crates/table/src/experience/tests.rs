use std::path::PathBuf;

use output::Existing;
use position::{Experience, ExperienceKind, ExperienceRow, Key, Lesson, OwnResults, PackedMove, Taught};
use proptest::prelude::*;

use super::*;
use crate::Error;

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
            experience: Experience { learn, learn_count, own, user_value, priority, nag, eval, depth },
            taught: taught
                .into_iter()
                .map(|((source, lesson), (count, last))| Taught {
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

#[test]
fn damage_is_an_error() {
    let rows: Vec<_> = (0..3000)
        .map(|key| ExperienceRow {
            key: Key(key * 7919),
            mv: PackedMove(1),
            experience: Experience { learn: 0.25, learn_count: 1, ..Experience::default() },
            taught: vec![Taught { source: 1, lesson: Lesson::Learn, count: 1, last: 19_980_301 }],
            ..ExperienceRow::default()
        })
        .collect();
    let (_dir, path) = write(&rows);
    let bytes = std::fs::read(&path).unwrap();
    for at in (0..bytes.len()).step_by(bytes.len() / 200) {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x10;
        std::fs::write(&path, &damaged).unwrap();
        let read =
            ExperienceFile::open(&path).and_then(|file| file.read()?.collect::<crate::Result<Vec<_>>>());
        // Bytes that no value depends on (statistics, the index) may change unseen; no value may.
        assert!(read.is_err() || read.is_ok_and(|back| back == rows), "byte {at}");
    }
    std::fs::write(&path, &bytes[..bytes.len() / 2]).unwrap();
    assert!(ExperienceFile::open(&path).is_err());
}
