//! Any bytes as a book with the right checksums: opened or refused, probed and iterated without a panic.

#![no_main]

use book::Book;
use libfuzzer_sys::fuzz_target;
use position::Key;
use xxhash_rust::xxh3::xxh3_64;

const HEADER_BYTES: usize = 512;
const SECTIONS_AT: usize = 64;
const SECTION_BYTES: usize = 24;
const SECTIONS_MAX: u32 = 18;
const BLOCK_BYTES: usize = 1 << 16;

fuzz_target!(|data: &[u8]| {
    let mut data = data.to_vec();
    seal(&mut data);
    let Some(file) = fuzz::file_of(&data) else { return };
    if let Ok(book) = Book::open(file.path()) {
        let _ = book.probe(Key::START);
        let _ = book.iter().take(10_000).count();
        let _ = (book.verify(), book.provenance());
        let _ = (book.experience_of(Key::START), book.experience().take(10_000).count());
    }
});

/// Makes the frame of a book right: its magic, version and length, sections that follow each other, and the
/// checksums of what they hold. So readers go on to what the sections say.
fn seal(data: &mut [u8]) {
    let Some(content_bytes) = data.len().checked_sub(HEADER_BYTES) else { return };
    let checksums_bytes = 8 * content_bytes.div_ceil(BLOCK_BYTES + 8);
    let checksums_at = data.len() - checksums_bytes;
    if checksums_at < HEADER_BYTES {
        return;
    }
    data[..8].copy_from_slice(b"TABIABK\n");
    put(data, 8, &1_u32.to_le_bytes());
    put(data, 16, &(data.len() as u64).to_le_bytes());
    put(data, 56, &[0; 8]);
    seal_sections(data, checksums_at, checksums_bytes);
    let checksums: Vec<u8> = data[HEADER_BYTES..checksums_at]
        .chunks(BLOCK_BYTES)
        .flat_map(|block| xxh3_64(block).to_le_bytes())
        .collect();
    put(data, checksums_at, &checksums);
    put(data, 496, &xxh3_64(&checksums).to_le_bytes());
    let header = xxh3_64(&data[..504]);
    put(data, 504, &header.to_le_bytes());
}

/// Sections of the lengths in the table, as far as there are bytes; what is left belongs to the last before
/// the checksums.
fn seal_sections(data: &mut [u8], checksums_at: usize, checksums_bytes: usize) {
    let sections = u32::from_le_bytes([data[12], data[13], data[14], data[15]]).clamp(2, SECTIONS_MAX);
    put(data, 12, &sections.to_le_bytes());
    let mut end = HEADER_BYTES;
    for section in 0..sections as usize {
        let at = SECTIONS_AT + section * SECTION_BYTES;
        let length =
            data[at + 16..at + 24].iter().rev().fold(0_u64, |length, byte| length << 8 | u64::from(*byte));
        let left = checksums_at - end.min(checksums_at);
        let bytes = match sections as usize - section {
            1 => checksums_bytes,
            2 => left,
            _ => left.min(usize::try_from(length).unwrap_or(left)),
        };
        if section + 1 == sections as usize {
            put(data, at, &4_u32.to_le_bytes());
        }
        put(data, at + 4, &[0; 4]);
        put(data, at + 8, &(end as u64).to_le_bytes());
        put(data, at + 16, &(bytes as u64).to_le_bytes());
        end += bytes;
    }
}

fn put(data: &mut [u8], at: usize, bytes: &[u8]) {
    data[at..at + bytes.len()].copy_from_slice(bytes);
}
