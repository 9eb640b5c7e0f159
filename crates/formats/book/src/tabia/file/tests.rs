//! Ranges of a small file, by every reader.

use proptest::prelude::*;

use super::*;

/// Bytes of the blocks of the test's file: three whole ones and a shorter one.
const BLOCKS_BYTES: usize = 3 * BLOCK_BYTES + 1234;

/// Makes a file of blocks and their checksums behind a header that is not read.
fn make(path: &Path, blocks: &[u8]) {
    let hashes = blocks.chunks(BLOCK_BYTES).flat_map(|block| xxh3_64(block).to_le_bytes());
    std::fs::write(path, [&[0; HEADER_BYTES], blocks, &hashes.collect::<Vec<u8>>()].concat()).unwrap();
}

fn open(path: &Path, access: Access) -> BookFile {
    let bytes = std::fs::read(path).unwrap();
    let checksums_at = HEADER_BYTES + BLOCKS_BYTES..bytes.len();
    let file = File::open(path).unwrap();
    BookFile {
        path: path.to_owned(),
        bytes: bytes.len() as u64,
        blocks: Blocks::open(&file, 4, access).unwrap(),
        file,
        checksums_xxh3: xxh3_64(&bytes[checksums_at.clone()]),
        checksums_at,
        checksums: OnceLock::new(),
    }
}

fn noise() -> Vec<u8> {
    (0..BLOCKS_BYTES as u32).map(|at| (at.wrapping_mul(0x9e37_79b9) >> 24) as u8).collect()
}

const SECOND: usize = HEADER_BYTES + BLOCK_BYTES;

fn reads_no_damaged_block(mut reader: impl Bytes) {
    reader.bytes(SECOND - 9..SECOND).unwrap();
    for _ in 0..2 {
        assert!(matches!(reader.bytes(SECOND - 9..SECOND + 1), Err(Error::Corrupt { .. })));
    }
    assert_eq!(reader.bytes(SECOND - 9..SECOND).unwrap(), &noise()[BLOCK_BYTES - 9..BLOCK_BYTES]);
    reader.bytes(SECOND + BLOCK_BYTES..SECOND + BLOCK_BYTES + 9).unwrap();
    assert!(matches!(reader.bytes(SECOND + 99..SECOND + 100), Err(Error::Corrupt { .. })));
}

#[test]
fn a_damaged_block_is_read_by_no_range_that_touches_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("blocks");
    make(&path, &noise());
    let bytes = noise()[BLOCK_BYTES] ^ 1;
    File::options().write(true).open(&path).unwrap().write_all_at(&[bytes], SECOND as u64).unwrap();
    for access in [Access::Mapped, Access::Cached] {
        let file = open(&path, access);
        reads_no_damaged_block(SectionReader::new(&file));
        reads_no_damaged_block(RandomReader::new(&file));
    }
}

#[test]
fn a_file_that_is_cut_short_is_an_error_where_it_is_not_in_the_cache() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("blocks");
    make(&path, &noise());
    let file = open(&path, Access::Cached);
    let read = |start: usize| RandomReader::new(&file).bytes(start..start + 9).map(<[u8]>::to_vec);
    let first = read(HEADER_BYTES).unwrap();
    File::options().write(true).open(&path).unwrap().set_len(9).unwrap();
    assert_eq!(read(HEADER_BYTES).unwrap(), first, "it was read before");
    let bytes = file.bytes;
    for _ in 0..2 {
        assert!(matches!(read(SECOND), Err(Error::Length { expected, got: 9, .. }) if expected == bytes));
    }
}

proptest! {
    #[test]
    fn prop_ranges_in_any_order_have_their_bytes(
        ranges in prop::collection::vec((0..BLOCKS_BYTES, prop_oneof![0..300_usize, 0..2 * BLOCK_BYTES]), 1..20),
        ascending: bool,
    ) {
        let folder = tempfile::tempdir().unwrap();
        let (blocks, mut ranges, path) = (noise(), ranges, folder.path().join("blocks"));
        make(&path, &blocks);
        if ascending {
            ranges.sort_unstable();
        }
        let [mapped, cached] = [Access::Mapped, Access::Cached].map(|access| open(&path, access));
        let (mut in_order, mut by_map) = (SectionReader::new(&mapped), RandomReader::new(&mapped));
        let mut by_cache = RandomReader::new(&cached);
        for (start, length) in ranges {
            let end = BLOCKS_BYTES.min(start + length);
            let range = HEADER_BYTES + start..HEADER_BYTES + end;
            for bytes in [in_order.bytes(range.clone()), by_map.bytes(range.clone()), by_cache.bytes(range.clone())] {
                prop_assert!(bytes.unwrap() == &blocks[start..end], "{start}..{end}");
            }
        }
    }
}
