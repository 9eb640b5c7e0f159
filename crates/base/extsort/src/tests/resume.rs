//! Tests sorts that end early and others that resume with their runs.

use std::{
    collections::BTreeSet,
    fs, io,
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
};

use proptest::prelude::*;

use crate::arena::Arena;
use crate::budget::Budget;
use crate::testing::Count;
use crate::{Error, Options, Row, RunFile, RunFolder, RunLedger, Sorted, Sorter};

/// The names of the runs that the ledger holds.
#[derive(Clone, Default)]
struct Names(Arc<Mutex<BTreeSet<PathBuf>>>);

impl Names {
    fn record(&self, runs: &[RunFile]) {
        self.0.lock().unwrap().extend(runs.iter().map(|run| run.path().to_owned()));
    }

    fn open(&self) -> Vec<RunFile> {
        self.0.lock().unwrap().iter().map(|path| RunFile::open(path).unwrap()).collect()
    }
}

impl RunLedger for Names {
    fn merged(&self, run: &RunFile, parts: &[PathBuf]) -> io::Result<()> {
        let mut names = self.0.lock().unwrap();
        assert!(
            parts.iter().all(|part| names.remove(part) && part.exists()),
            "parts count until they are replaced"
        );
        names.insert(run.path().to_owned());
        Ok(())
    }
}

fn options(folder: &Path, names: &Names, first: u64) -> Options {
    let runs = RunFolder::new(folder.into(), first, Box::new(names.clone()));
    Options { buckets: 4, runs: Some(Arc::new(runs)), ..Options::new(1 << 30, 1) }
}

fn sorter(folder: &Path, names: &Names, first: u64) -> Sorter<Count, 3> {
    let budget = Budget { buffer_items: 64, files_max: 3, files_open_max: 5 };
    Sorter::with_budget(options(folder, names, first), budget, &Arena::none())
}

fn read(sorted: &Sorted<3>) -> Vec<Row<3>> {
    let (mut all, mut batch) = (Vec::new(), Vec::new());
    for bucket in 0..sorted.buckets() {
        let mut rows = sorted.bucket(bucket).unwrap();
        while rows.next_batch(&mut batch).unwrap() {
            all.extend_from_slice(&batch);
        }
    }
    all
}

fn item(seed: u64, number: u64) -> Count {
    let id = ((number % 700) ^ seed).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    Count(u128::from(id) << 64 | u128::from(number & 3))
}

/// Pushes items until `stop_at`, ends a group after every `group` items and records it. Returns the number
/// of items in recorded groups.
fn push_until(sorter: &Sorter<Count, 3>, names: &Names, seed: u64, items: (u64, u64), group: u64) -> u64 {
    let (from, stop_at) = items;
    let (mut writer, mut recorded) = (sorter.writer().unwrap(), from);
    for number in from..stop_at {
        writer.push(item(seed, number)).unwrap();
        if (number + 1 - from).is_multiple_of(group) {
            let ended = writer.end_group().unwrap();
            assert_eq!(ended.items, number + 1 - recorded);
            names.record(&ended.runs);
            sorter.adopt(ended.runs).unwrap();
            recorded = number + 1;
        }
    }
    // The writer is dropped with its items, as when the process is killed.
    recorded
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn prop_a_sort_goes_on_where_another_ended(
        seed: u64,
        stops in prop::collection::vec(0u64..900, 0..4),
        group in 1u64..200,
        items in 900u64..1200,
    ) {
        let (dir, names) = (tempfile::tempdir().unwrap(), Names::default());
        let mut done = 0;
        for (attempt, stop_at) in (0..).zip(stops) {
            let sorter = sorter(dir.path(), &names, attempt * 10_000);
            sorter.adopt(names.open()).unwrap();
            done = push_until(&sorter, &names, seed, (done, stop_at.max(done)), group);
        }
        let last = sorter(dir.path(), &names, 1_000_000);
        last.adopt(names.open()).unwrap();
        let mut writer = last.writer().unwrap();
        (done..items).for_each(|number| writer.push(item(seed, number)).unwrap());
        writer.close().unwrap();
        let plain = Sorter::<Count, 3>::new(Options { buckets: 4, ..Options::new(8 << 20, 1) }).unwrap();
        let mut writer = plain.writer().unwrap();
        (0..items).for_each(|number| writer.push(item(seed, number)).unwrap());
        writer.close().unwrap();
        prop_assert_eq!(read(&last.finish().unwrap()), read(&plain.finish().unwrap()));
    }
}

#[test]
fn runs_are_opened_where_nothing_is_left_to_push() {
    let (dir, names) = (tempfile::tempdir().unwrap(), Names::default());
    let first = sorter(dir.path(), &names, 0);
    push_until(&first, &names, 7, (0, 3000), 100);
    let wrong = Options { buckets: 8, ..Options::new(8 << 20, 1) };
    let refused = Sorted::<3>::open(wrong, names.open()).err().unwrap();
    assert!(matches!(&refused, Error::Corrupt { what, .. } if what.contains("other buckets")), "{refused}");
    let opened = Sorted::<3>::open(options(dir.path(), &names, 1000), names.open()).unwrap();
    let rows = read(&opened);
    assert_eq!(rows.iter().map(|row| row.sums.iter().sum::<u64>()).sum::<u64>(), 3000 / 4 * 3);
    drop((opened, first));
    let left = fs::read_dir(dir.path()).unwrap().map(|entry| entry.unwrap().path()).collect::<BTreeSet<_>>();
    assert_eq!(left, *names.0.lock().unwrap(), "runs with names stay, and those that were merged are gone");
}

#[test]
fn a_run_is_known_again_by_its_checksum() {
    let (dir, names) = (tempfile::tempdir().unwrap(), Names::default());
    let sorter = sorter(dir.path(), &names, 0);
    let mut checksums = BTreeSet::new();
    for seed in 0..5 {
        let mut writer = sorter.writer().unwrap();
        writer.push(item(seed, 1)).unwrap();
        let group = writer.end_group().unwrap();
        let [run] = group.runs.as_slice() else { panic!("one run") };
        assert_eq!(RunFile::open(run.path()).unwrap().checksum(), run.checksum());
        checksums.insert(run.checksum());
        drop(writer);
    }
    assert_eq!(checksums.len(), 5);
}

#[test]
fn a_group_holds_nothing_of_a_writer_before() {
    let (dir, names) = (tempfile::tempdir().unwrap(), Names::default());
    let sorter = sorter(dir.path(), &names, 0);
    let mut writer = sorter.writer().unwrap();
    writer.push(item(1, 1)).unwrap();
    writer.close().unwrap();
    let mut writer = sorter.writer().unwrap();
    writer.push(item(1, 2)).unwrap();
    let group = writer.end_group().unwrap();
    assert_eq!((group.items, group.runs[0].rows()), (1, 1));
    writer.close().unwrap();
}

#[test]
fn a_writer_with_runs_that_were_not_recorded_fails_the_sort() {
    let (dir, names) = (tempfile::tempdir().unwrap(), Names::default());
    let sorter = sorter(dir.path(), &names, 0);
    let mut writer = sorter.writer().unwrap();
    while !writer.has_spilled() {
        writer.push(item(1, 1)).unwrap();
    }
    writer.end_group().unwrap();
    assert!(!writer.has_spilled());
    while !writer.has_spilled() {
        writer.push(item(1, 2)).unwrap();
    }
    drop(writer);
    assert!(matches!(sorter.finish(), Err(Error::WriterDropped)));
}
