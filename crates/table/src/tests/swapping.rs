//! Tables appear whole, or not at all.

use std::{
    fs::{self, File},
    path::Path,
};

use tempfile::tempdir;

use super::fixture::{read, spread_rows, write};
use crate::{
    Counting, Error, Row, ShardWriter, Table, TableWriter,
    part::{Syncer, Workspaces},
};

fn names(dir: &Path) -> Vec<String> {
    let mut names: Vec<_> =
        dir.read_dir().unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn replace(path: &Path, rows: &[Row]) -> Result<Table, Error> {
    let writer = TableWriter::create(path, Counting::default(), 1, true)?;
    let mut shard = writer.shard(0)?;
    shard.push_batch(rows)?;
    let shards = vec![shard.finish()?];
    writer.finish(shards, Vec::new())
}

#[test]
fn a_table_replaces_another() {
    let dir = tempdir().unwrap();
    let path = dir.path().join("t");
    write(&path, Counting::default(), 2, 1, &spread_rows(3)).unwrap();
    let table = replace(&path, &spread_rows(4)).unwrap();
    assert_eq!(read(&table), spread_rows(4));
    assert_eq!(names(dir.path()), ["t"]);
    assert_eq!(names(&path), ["manifest.json", "part-00000.parquet"]);
}

#[test]
fn an_interrupted_swap_is_completed_or_undone() {
    let dir = tempdir().unwrap();
    let [path, next, previous] = ["t", ".t.next", ".t.previous"].map(|name| dir.path().join(name));
    write(&previous, Counting::default(), 1, 1, &spread_rows(3)).unwrap();
    write(&next, Counting::default(), 1, 1, &spread_rows(4)).unwrap();
    assert_eq!(read(&Table::open(&path).unwrap()), spread_rows(4), "completed");
    assert_eq!(names(dir.path()), ["t"], "nothing is left beside it");
    fs::rename(&path, dir.path().join("elsewhere")).unwrap();
    write(&previous, Counting::default(), 1, 1, &spread_rows(3)).unwrap();
    assert_eq!(read(&Table::open(&path).unwrap()), spread_rows(3), "undone");
    // What an interruption just before the swap leaves does not disturb the next one.
    fs::rename(dir.path().join("elsewhere"), &next).unwrap();
    assert_eq!(read(&Table::open(&path).unwrap()), spread_rows(3));
    assert_eq!(read(&replace(&path, &spread_rows(5)).unwrap()), spread_rows(5));
    assert_eq!(names(dir.path()), ["t"]);
}

#[test]
fn only_a_table_is_replaced_and_only_when_asked() {
    let dir = tempdir().unwrap();
    let create = |name: &str, replace| {
        TableWriter::create(&dir.path().join(name), Counting::default(), 1, replace).err()
    };
    write(&dir.path().join("t"), Counting::default(), 1, 1, &[]).unwrap();
    assert!(matches!(create("t", false), Some(Error::OutputExists { .. })));
    fs::create_dir(dir.path().join("home")).unwrap();
    assert!(matches!(create("home", true), Some(Error::NotATable { .. })));
    fs::write(dir.path().join("file"), "text").unwrap();
    assert!(matches!(create("file", true), Some(Error::NotATable { .. })));
    assert!(matches!(create("no/such/place", false), Some(Error::Io { .. })));
}

#[test]
fn an_output_that_comes_to_exist_is_not_overwritten() {
    let dir = tempdir().unwrap();
    let path = dir.path().join("t");
    let writer = TableWriter::create(&path, Counting::default(), 1, false).unwrap();
    let shards = vec![writer.shard(0).unwrap().finish().unwrap()];
    fs::create_dir(&path).unwrap();
    let error = writer.finish(shards, Vec::new()).err().unwrap();
    assert!(matches!(error, Error::OutputExists { .. }), "{error}");
    assert_eq!(names(dir.path()), ["t"]);
}

#[test]
fn a_dropped_writer_leaves_nothing() {
    let dir = tempdir().unwrap();
    let writer = TableWriter::create(&dir.path().join("t"), Counting::default(), 1, false).unwrap();
    writer.shard(0).unwrap().push_batch(&spread_rows(9)).unwrap();
    assert_eq!(names(dir.path()).len(), 1);
    drop(writer);
    assert!(names(dir.path()).is_empty());
}

#[test]
fn a_full_disk_is_an_io_error() {
    let full = File::options().write(true).open("/dev/full").unwrap();
    let mut writer = ShardWriter::on(
        full,
        "/dev/full".into(),
        &Counting::default(),
        (0, 1),
        Syncer::start().queue(),
        Workspaces::default(),
    )
    .unwrap();
    let mut failed = None;
    for n in 0..3 * crate::ROW_GROUP_ROWS as u64 {
        let row = super::fixture::row(n << 40, (n * 7919) as u16, [n, 0, 0]);
        failed = writer.push(&row).err();
        if failed.is_some() {
            break;
        }
    }
    let error = failed.expect("the first row group does not fit");
    assert!(matches!(&error, Error::Io { source, .. } if source.raw_os_error() == Some(28)), "{error:?}");
}
