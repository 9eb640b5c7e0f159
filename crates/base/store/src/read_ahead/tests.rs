use std::{collections::BTreeSet, sync::atomic::Ordering, thread};

use crate::{
    Error, Object,
    testing::{Counted, byte_at},
};

const MIB: u64 = 1 << 20;

/// Reads all of `from..to` in reads of `step` bytes, and compares each byte.
fn read_through(object: &Object, from: u64, to: u64, step: usize) {
    let mut buffer = vec![0; step];
    let mut at = from;
    while at < to {
        let wanted = step.min((to - at) as usize);
        let read = object.read_at(&mut buffer[..wanted], at).unwrap();
        assert!(read > 0 && read <= wanted, "{read} of {wanted} bytes at {at}");
        assert!(buffer[..read].iter().zip(at..).all(|(&byte, at)| byte == byte_at(at)), "at byte {at}");
        at += read as u64;
    }
}

/// The requested ranges, sorted, after a check that no byte was requested twice.
fn disjoint(object: &Counted) -> Vec<std::ops::Range<u64>> {
    let mut ranges = object.requests();
    ranges.sort_by_key(|range| range.start);
    assert!(ranges.windows(2).all(|pair| pair[0].end <= pair[1].start), "{ranges:?}");
    ranges
}

#[test]
fn a_sequential_reader_gets_ranges_that_grow() {
    let remote = Counted::new(64 * MIB);
    read_through(&remote.open(1), 0, 64 * MIB, 128 << 10);
    let ranges = disjoint(&remote);
    let sizes: Vec<_> = ranges.iter().map(|range| (range.end - range.start) >> 10).collect();
    assert_eq!(sizes[..5], [128, 512, 2048, 8192, 8192], "KiB");
    assert_eq!(ranges.len(), 11, "{ranges:?}");
    assert_eq!(ranges.last().unwrap().end, 64 * MIB);
}

#[test]
fn a_hop_costs_one_small_request() {
    let remote = Counted::new(400 * MIB);
    let object = remote.open(1);
    for hop in 0..100 {
        let at = hop * (4 * MIB - 1);
        read_through(&object, at, at + 12, 12);
        read_through(&object, at + 12, at + 16, 4);
    }
    let ranges = disjoint(&remote);
    assert_eq!(ranges.len(), 100);
    assert!(ranges.iter().all(|range| range.end - range.start == 16 << 10), "{ranges:?}");
}

#[test]
fn readers_of_one_object_do_not_disturb_each_other() {
    let remote = Counted::new(64 * MIB);
    let object = remote.open(2);
    // Two sequential readers take turns, and a third one jumps between them.
    for step in 0..256 {
        let at = step * (128 << 10);
        read_through(&object, at, at + (128 << 10), 128 << 10);
        read_through(&object, 32 * MIB + at, 32 * MIB + at + (128 << 10), 128 << 10);
        if step % 16 == 0 {
            read_through(&object, 48 * MIB - at, 48 * MIB - at + 8, 8);
        }
    }
    let requests = remote.requests();
    let bytes: u64 = requests.iter().map(|range| range.end - range.start).sum();
    assert!(requests.len() <= 16 + 16 + 16, "{} requests", requests.len());
    assert!(bytes < 90 * MIB, "{bytes} bytes for 64 MiB");
}

#[test]
fn readers_at_the_same_time_get_their_own_bytes() {
    let remote = Counted::new(24 * MIB);
    let object = &remote.open(2);
    thread::scope(|scope| {
        for reader in 0..6 {
            scope.spawn(move || read_through(object, reader * 2 * MIB, 24 * MIB, 50_000 + reader as usize));
        }
    });
    let ends: BTreeSet<_> = remote.requests().iter().map(|range| range.end).collect();
    assert_eq!(ends.last(), Some(&(24 * MIB)));
}

#[test]
fn a_read_may_be_larger_than_any_window() {
    let remote = Counted::new(20 * MIB);
    read_through(&remote.open(64), 3, 20 * MIB, 20 << 20);
    disjoint(&remote);
}

#[test]
fn the_end_is_no_error() {
    let remote = Counted::new(100);
    let object = remote.open(1);
    assert_eq!(object.bytes(), 100);
    assert_eq!(object.read_at(&mut [0; 8], 100).unwrap(), 0);
    assert_eq!(object.read_at(&mut [0; 8], u64::MAX).unwrap(), 0);
    assert_eq!(object.read_at(&mut [], 0).unwrap(), 0);
    assert_eq!(remote.requests(), []);
    assert_eq!(object.read_at(&mut [0; 8], 97).unwrap(), 3);
    let empty = Counted::new(0);
    assert_eq!(empty.open(1).read_at(&mut [0; 8], 0).unwrap(), 0);
    assert_eq!(empty.requests(), []);
}

/// The error of the store inside the error of a read.
fn fault(object: &Object, at: u64) -> Error {
    let error = object.read_at(&mut [0; 16], at).unwrap_err();
    *error.into_inner().unwrap().downcast().unwrap()
}

#[test]
fn bytes_of_two_versions_are_never_mixed() {
    let remote = Counted::new(10 * MIB);
    let object = remote.open(1);
    read_through(&object, 0, 16, 16);
    *remote.version.lock().unwrap() = "2".into();
    let error = fault(&object, 5 * MIB);
    assert!(matches!(error, Error::Changed { .. }), "{error}");
    assert!(error.to_string().contains("of version 1, and is 10485760 bytes of version 2"), "{error}");
}

#[test]
fn a_range_that_a_shorter_object_lacks_is_a_change() {
    let remote = Counted::new(10 * MIB);
    let object = remote.open(1);
    *remote.bytes.lock().unwrap() = MIB;
    let error = fault(&object, 5 * MIB);
    assert!(matches!(error, Error::Changed { .. }), "{error}");
}

#[test]
fn a_server_that_does_not_answer_is_not_asked_more() {
    let remote = Counted::new(10 * MIB);
    let object = remote.open(1);
    *remote.version.lock().unwrap() = "2".into();
    remote.fails_after.store(9, Ordering::SeqCst);
    let error = fault(&object, 0);
    assert!(matches!(error, Error::Failed { attempts: 9, .. }), "{error}");
    assert!(error.to_string().ends_with(", after 9 attempts"), "{error}");
}

#[test]
fn a_failed_range_is_asked_for_again() {
    let remote = Counted::new(10 * MIB);
    let object = remote.open(1);
    remote.fails_after.store(1, Ordering::SeqCst);
    let error = fault(&object, 0);
    assert!(matches!(error, Error::Failed { .. }), "{error}");
    remote.fails_after.store(0, Ordering::SeqCst);
    read_through(&object, 0, 10 * MIB, 64 << 10);
}

#[test]
fn what_cannot_be_fetched_ahead_fails_when_it_is_read() {
    let remote = Counted::new(64 * MIB);
    let object = remote.open(1);
    read_through(&object, 0, 2 * MIB, 128 << 10);
    remote.fails_after.store(1, Ordering::SeqCst);
    // Ranges fetched earlier are still served. Then the error comes, and no reader waits forever.
    let mut at = 2 * MIB;
    let mut buffer = vec![0; 64 << 10];
    while let Ok(read) = object.read_at(&mut buffer, at) {
        assert!(buffer[..read].iter().zip(at..).all(|(&byte, at)| byte == byte_at(at)), "at byte {at}");
        at += read as u64;
    }
    assert!(at < 64 * MIB);
    remote.fails_after.store(0, Ordering::SeqCst);
    read_through(&object, at, 64 * MIB, 64 << 10);
}
