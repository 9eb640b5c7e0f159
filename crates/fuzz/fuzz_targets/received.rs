//! Any bytes as the run of another process, its headers and checksums right: taken and merged, or refused,
//! without a panic.

#![no_main]

use extsort::{Blob, Options, ReceivedRuns};
use libfuzzer_sys::fuzz_target;
use xxhash_rust::xxh3::xxh3_64;

const HEADER_BYTES: usize = 64;
const BODY_BYTES_AT: usize = 40;
const SUMS: u16 = 3;
const PAYLOAD_BITS: u16 = 18;
const SOURCE: u64 = 7;
const BUCKETS: u32 = 4;

fuzz_target!(|data: &[u8]| {
    let mut data = data.to_vec();
    let bucket = u32::from(data.first().copied().unwrap_or(0)) % BUCKETS;
    seal(&mut data, bucket);
    let options = Options { buckets: BUCKETS, ..Options::new(8 << 20, 1) };
    let Ok(mut received) = ReceivedRuns::<3>::new(options, PAYLOAD_BITS.into()) else { return };
    if received.receive(SOURCE, Blob { bucket, sequence: 0, bytes: &data }).is_err() {
        return;
    }
    let Ok(mut rows) = received.bucket(bucket, SOURCE..SOURCE + 1) else { return };
    let (mut batch, mut last) = (Vec::new(), None);
    while let Ok(true) = rows.next_batch(&mut batch) {
        for row in &batch {
            assert!(last.is_none_or(|last| last < row.id), "rows ascend");
            last = Some(row.id);
        }
    }
});

/// Makes the headers right of the segments that the data say they have: magic, version, shape, place and
/// checksums. So readers go on to what the bodies say.
fn seal(data: &mut [u8], bucket: u32) {
    let (mut at, mut sequence) = (0, 0_u32);
    while data.len() >= at + HEADER_BYTES {
        let (header, rest) = data[at..].split_at_mut(HEADER_BYTES);
        let wanted = u32::from_le_bytes([header[40], header[41], 0, 0]) as usize;
        let body_bytes = if rest.len() < wanted + HEADER_BYTES { rest.len() } else { wanted };
        let is_last = body_bytes == rest.len();
        let fields: [(usize, &[u8]); 9] = [
            (0, b"EXSORTSG"),
            (8, &2_u16.to_le_bytes()),
            (10, &u16::from(is_last).to_le_bytes()),
            (12, &SUMS.to_le_bytes()),
            (14, &PAYLOAD_BITS.to_le_bytes()),
            (16, &SOURCE.to_le_bytes()),
            (24, &bucket.to_le_bytes()),
            (28, &BUCKETS.to_le_bytes()),
            (32, &sequence.to_le_bytes()),
        ];
        fields.iter().for_each(|(at, bytes)| put(header, *at, bytes));
        put(header, BODY_BYTES_AT, &(body_bytes as u32).to_le_bytes());
        put(header, 48, &xxh3_64(&rest[..body_bytes]).to_le_bytes());
        let checksum = xxh3_64(&header[..56]);
        put(header, 56, &checksum.to_le_bytes());
        at += HEADER_BYTES + body_bytes;
        sequence += 1;
    }
}

fn put(data: &mut [u8], at: usize, bytes: &[u8]) {
    data[at..at + bytes.len()].copy_from_slice(bytes);
}
