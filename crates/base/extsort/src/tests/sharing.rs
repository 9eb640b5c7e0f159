//! Tests a sort shared by several sorters: the result equals that of one sorter, or is an error.

use std::ops::Range;

use crate::testing::Count;
use crate::{Blob, Error, Options, ReceivedRuns, Result, Row, RunSender, Sorter};

const BUCKETS: u32 = 8;
/// The sources of the tests' runs, which may be any numbers.
const SOURCES: Range<u64> = 70..75;

/// A blob that was sent.
#[derive(Clone)]
struct Sent {
    source: u64,
    bucket: u32,
    sequence: u32,
    bytes: Vec<u8>,
}

fn items(source: u64, count: u64) -> impl Iterator<Item = Count> {
    (0..count).map(move |at| {
        let mixed = (at * (source + 3)).wrapping_mul(0x9E37_79B9_7F4A_7C15) % 500_009;
        // Bucket 5 has no items, and bucket 6 has those of one source only.
        let high = mixed.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 3;
        let bucket = mixed % 5 + if mixed % 5 == 4 { u64::from(source == 72) * 2 } else { 0 };
        Count(u128::from(bucket << 61 | high) << 64 | u128::from(mixed % 4) << 30 | u128::from(mixed % 3))
    })
}

fn options(source: u64) -> Options {
    Options { buckets: BUCKETS, source, ..Options::new(8 << 20, 1) }
}

fn sort(source: u64, items: impl Iterator<Item = Count>) -> crate::Sorted<3> {
    let sorter = Sorter::<Count, 3>::new(options(source)).unwrap();
    let mut writer = sorter.writer().unwrap();
    items.for_each(|item| writer.push(item).unwrap());
    writer.close().unwrap();
    sorter.finish().unwrap()
}

/// Everything that the sorters of the sources send. Each sorts `count` items.
fn sent(count: impl Fn(u64) -> u64) -> Vec<Sent> {
    let mut all = Vec::new();
    for source in SOURCES {
        let sorted = sort(source, items(source, count(source)));
        let mut sender = RunSender::new(&sorted).unwrap();
        for bucket in 0..BUCKETS {
            let keep = |Blob { bucket, sequence, bytes }: Blob<'_>| {
                all.push(Sent { source, bucket, sequence, bytes: bytes.to_vec() });
                Ok::<_, Error>(())
            };
            sender.bucket(bucket, sorted.bucket(bucket).unwrap(), keep).unwrap();
        }
    }
    all
}

fn receive(blobs: &[Sent], options: Options) -> Result<ReceivedRuns<3>> {
    let mut received = ReceivedRuns::new(options, 18)?;
    for Sent { source, bucket, sequence, bytes } in blobs {
        received.receive(*source, Blob { bucket: *bucket, sequence: *sequence, bytes })?;
    }
    Ok(received)
}

fn rows(mut rows: crate::BucketRows<3>) -> Vec<Row<3>> {
    let (mut all, mut batch) = (Vec::new(), Vec::new());
    while rows.next_batch(&mut batch).unwrap() {
        all.extend_from_slice(&batch);
    }
    all
}

/// Checks that each bucket has the rows that one sort of all items gives.
fn check(received: &ReceivedRuns<3>, count: impl Fn(u64) -> u64) {
    let whole = sort(0, SOURCES.flat_map(|source| items(source, count(source)).collect::<Vec<_>>()));
    assert_eq!(received.buckets(), (0..BUCKETS).collect::<Vec<_>>());
    for bucket in 0..BUCKETS {
        let expected = rows(whole.bucket(bucket).unwrap());
        assert_eq!(expected.is_empty(), bucket == 5 || bucket == 7, "bucket {bucket}");
        assert!(rows(received.bucket(bucket, SOURCES).unwrap()) == expected, "bucket {bucket}");
    }
}

#[test]
fn shared_work_gives_what_one_sorter_gives() {
    // The third source spills, and the last has no items.
    let count = |source| if source == 74 { 0 } else { (source - 69) * 120_000 };
    let mut blobs = sent(count);
    assert!(blobs.iter().all(|blob| blob.bytes.len() <= 2 << 20));
    assert!(receive(&blobs, options(0)).unwrap().bytes() > 0);
    check(&receive(&blobs, options(0)).unwrap(), count);
    blobs.reverse();
    check(&receive(&blobs, Options { fan_in: 2, ..options(9) }).unwrap(), count);
}

/// The source and the reason with which a bucket, or a blob of it, is refused.
fn refusal(blobs: &[Sent], bucket: u32) -> (u64, &'static str) {
    let read = receive(blobs, options(0)).and_then(|received| received.bucket(bucket, SOURCES).map(drop));
    match read {
        Err(Error::Run { run, bucket: of, what }) if of == bucket => (run, what),
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_is_dropped_doubled_or_changed_is_refused() {
    let blobs = sent(|_| 20_000);
    let at = blobs.iter().position(|blob| (blob.source, blob.bucket) == (72, 3)).unwrap();
    let changed = |change: &dyn Fn(&mut Vec<Sent>)| {
        let mut blobs = blobs.clone();
        change(&mut blobs);
        refusal(&blobs, 3)
    };
    assert_eq!(changed(&|blobs| drop(blobs.remove(at))), (72, "is missing"));
    assert_eq!(changed(&|blobs| blobs.push(blobs[at].clone())), (72, "arrived twice"));
    assert_eq!(changed(&|blobs| blobs.push(Sent { source: 75, ..blobs[at].clone() })).0, 75);
    assert_eq!(changed(&|blobs| blobs[at].sequence = 1), (72, "is not whole"));
    assert_eq!(changed(&|blobs| blobs[at].bytes.clear()), (72, "is cut short"));
    for byte in (0..blobs[at].bytes.len()).step_by(97).chain([0, 20, 30, 63]) {
        let (run, what) = changed(&|blobs| blobs[at].bytes[byte] ^= 4);
        assert!(
            run == 72 && ["is damaged", "is cut short"].iter().any(|why| what.starts_with(why)),
            "{what}"
        );
    }
    let half = blobs[at].bytes.len() / 2;
    assert_eq!(changed(&|blobs| blobs[at].bytes.truncate(half)), (72, "is cut short"));
    // A blob may name another bucket, or another count.
    let moved = blobs.iter().position(|blob| (blob.source, blob.bucket) == (72, 2)).unwrap();
    let why = "is of another count, source or bucket, or of other settings";
    assert_eq!(changed(&|blobs| blobs[at].bytes = blobs[moved].bytes.clone()), (72, why));
    let foreign = blobs.iter().position(|blob| (blob.source, blob.bucket) == (71, 3)).unwrap();
    assert_eq!(changed(&|blobs| blobs[at].bytes = blobs[foreign].bytes.clone()), (72, why));
}

/// The offsets of a blob's segments, from the lengths in their headers, and at last its end.
fn segments(bytes: &[u8]) -> Vec<usize> {
    let mut starts = vec![0];
    while let Some(header) = bytes[starts[starts.len() - 1]..].first_chunk::<64>() {
        let body = u32::from_le_bytes(header[40..44].try_into().unwrap()) as usize;
        starts.push(starts[starts.len() - 1] + header.len() + body);
    }
    starts
}

#[test]
fn a_run_without_its_beginning_a_middle_or_its_end_is_not_whole() {
    let blobs = sent(|_| 90_000);
    let at = blobs.iter().position(|blob| (blob.source, blob.bucket) == (72, 3)).unwrap();
    let starts = segments(&blobs[at].bytes);
    let [.., before_last, end] = starts[..] else { panic!("{starts:?}") };
    assert!(starts.len() > 4 && end == blobs[at].bytes.len());
    let without = |range: Range<usize>| {
        let mut cut = blobs.clone();
        cut[at].bytes.drain(range);
        refusal(&cut, 3)
    };
    assert_eq!(without(before_last..end), (72, "is not whole"));
    assert_eq!(without(0..starts[1]), (72, "is not whole"));
    assert_eq!(without(starts[1]..starts[2]), (72, "has segments out of order"));
}
