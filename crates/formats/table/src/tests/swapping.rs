//! Tables appear whole, or not at all.

use std::{
    fs::{self, File},
    path::Path,
    sync::atomic::{AtomicBool, Ordering::Relaxed},
    thread,
};

use tempfile::tempdir;

use super::fixture::{read, source, spread_rows, write};
use crate::{
    Counting, Error, JoinOptions, Row, ShardWriter, Table, TableWriter, add, merge,
    part::{Syncer, Workspaces},
    subtract,
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
    assert_eq!(names(&path), ["_manifest.json", "part-00000.parquet"]);
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
        Syncer::start().queue.clone(),
        Workspaces::default(),
    )
    .unwrap();
    let mut failed = None;
    for n in 0..3 * pages::ROW_GROUP_ROWS as u64 {
        let row = super::fixture::row(n << 40, (n * 7919) as u16, [n, 0, 0]);
        failed = writer.push(&row).err();
        if failed.is_some() {
            break;
        }
    }
    let error = failed.expect("the first row group does not fit");
    assert!(matches!(&error, Error::Io { source, .. } if source.raw_os_error() == Some(28)), "{error:?}");
}

#[test]
fn an_open_table_is_read_on_when_another_takes_its_place() {
    let dir = tempdir().unwrap();
    let path = dir.path().join("t");
    let table = write(&path, Counting::default(), 4, 1, &spread_rows(9)).unwrap();
    let other = replace(&path, &spread_rows(5)).unwrap();
    assert_eq!((read(&table), read(&other)), (spread_rows(9), spread_rows(5)));
    let of_one_key = table.rows_of(spread_rows(9)[8].key).unwrap();
    assert_eq!(of_one_key, &spread_rows(9)[8..]);
    assert_eq!(table.verify(2, &AtomicBool::new(false), &|_| ()).unwrap().rows, 9);
}

#[test]
fn a_table_whose_parts_are_not_kept_open_is_found_to_be_replaced() {
    let dir = tempdir().unwrap();
    let path = dir.path().join("t");
    write(&path, Counting::default(), 4, 1, &spread_rows(9)).unwrap();
    let table = Table::open_once(&path, 31).unwrap();
    assert_eq!(read(&table), spread_rows(9), "it is read as any");
    let table = Table::open_once(&path, 31).unwrap();
    replace(&path, &spread_rows(9)).unwrap();
    let errors = [
        table.shard_rows(1).err(),
        table.rows_of(spread_rows(9)[8].key).err(),
        table.verify(1, &AtomicBool::new(false), &|_| ()).err(),
        merge(&[&table], &dir.path().join("sum"), &JoinOptions::default()).err(),
    ];
    for error in errors {
        assert!(matches!(&error, Some(Error::Replaced(named)) if *named == path), "{error:?}");
    }
    assert_eq!(names(dir.path()), ["t"]);
}

#[test]
fn a_part_that_is_missing_from_a_table_in_its_place_is_no_replacement() {
    let dir = tempdir().unwrap();
    let path = dir.path().join("t");
    write(&path, Counting::default(), 2, 1, &spread_rows(9)).unwrap();
    fs::remove_file(path.join("part-00001.parquet")).unwrap();
    let error = Table::open(&path).err().unwrap();
    assert!(matches!(&error, Error::Io { path, .. } if path.ends_with("part-00001.parquet")), "{error}");
}

type Join = fn(&Table, &Table, &JoinOptions<'_>) -> Result<Table, Error>;

#[test]
fn a_table_that_is_not_the_one_read_any_more_is_not_changed() {
    let dir = tempdir().unwrap();
    let [path, more_path] = ["t", "more"].map(|name| dir.path().join(name));
    let more = write(&more_path, Counting::default(), 1, 1, &spread_rows(5)).unwrap();
    let options = JoinOptions { replace: true, ..JoinOptions::default() };
    let in_place: [Join; 3] =
        [add, subtract, |table, more, options| merge(&[more, table], table.path(), options)];
    for change in in_place {
        let read_one = write(&path, Counting::default(), 1, 1, &spread_rows(5)).unwrap();
        replace(&path, &spread_rows(7)).unwrap();
        let error = change(&read_one, &more, &options).err().unwrap();
        assert!(matches!(&error, Error::NotTheOneRead(named) if *named == path), "{error}");
        assert_eq!(read(&Table::open(&path).unwrap()), spread_rows(7));
        assert_eq!(names(dir.path()), ["more", "t"]);
        fs::remove_dir_all(&path).unwrap();
        let error = change(&read_one, &more, &options).err().unwrap();
        assert!(matches!(&error, Error::NotTheOneRead { .. }), "{error}");
        assert_eq!(names(dir.path()), ["more"]);
    }
}

/// One writer replaces a table of `n` sources and `n` rows by one of `n + 1`, 198 times; meanwhile readers
/// open and read all of it, with its parts kept open and with its parts closed.
#[test]
fn readers_meet_one_version_while_tables_are_replaced() {
    let dir = tempdir().unwrap();
    let path = dir.path().join("t");
    let put = |n: u64| {
        let writer = TableWriter::create(&path, Counting::default(), 2, true).unwrap();
        let shards = (0..2).map(|number| {
            let (mut shard, (first, last)) = (writer.shard(number).unwrap(), writer.key_range(number));
            let rows = spread_rows(n).into_iter().filter(|row| (first..=last).contains(&row.key));
            rows.for_each(|row| shard.push(&row).unwrap());
            shard.finish().unwrap()
        });
        let shards = shards.collect();
        writer.finish(shards, (0..n).map(|hash| source("games", hash)).collect()).unwrap();
    };
    put(1);
    let done = AtomicBool::new(false);
    let read_all = |descriptors: u64| {
        let (mut whole, mut replaced) = (0, 0);
        while !done.load(Relaxed) || whole == 0 {
            let table = if descriptors == 0 { Table::open_once(&path, 0) } else { Table::open(&path) };
            let rows = table.and_then(|table| {
                let verified = table.verify(1, &AtomicBool::new(false), &|_| ())?;
                Ok((verified.rows, table.manifest().sources.len() as u64))
            });
            match rows {
                Ok((rows, sources)) => {
                    assert_eq!(rows, sources, "rows of another version");
                    whole += 1;
                }
                Err(Error::Replaced { .. }) => replaced += 1,
                Err(error) => panic!("{error}"),
            }
        }
        replaced
    };
    thread::scope(|scope| {
        let kept_open = scope.spawn(|| read_all(u64::MAX));
        scope.spawn(|| read_all(0));
        (2..200).for_each(put);
        done.store(true, Relaxed);
        assert_eq!(kept_open.join().unwrap(), 0, "what is open stays readable");
    });
}
