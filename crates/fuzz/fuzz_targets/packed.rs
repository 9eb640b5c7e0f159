//! Any bytes as a packed input (zst, gz, bz2, xz, zip or 7z): read to its end or refused, without a panic.

#![no_main]

use libfuzzer_sys::fuzz_target;
use pgn::input::{ChunkOptions, Chunks, expand};

/// What each packing begins with; an input begins with one of these.
const MAGICS: [&[u8]; 6] = [
    b"\x28\xB5\x2F\xFD",
    b"\x1F\x8B\x08",
    b"BZh9",
    b"\xFD7zXZ\0",
    b"PK\x03\x04",
    b"7z\xBC\xAF\x27\x1C\0\x04",
];

/// Bytes of text after which a small file is known to unpack to a large one.
const TEXT_BYTES_MAX: usize = 4 << 20;

fuzz_target!(|data: &[u8]| {
    let Some((kind, rest)) = data.split_first() else { return };
    // The last kind leaves the first bytes to the fuzzer.
    let magic = MAGICS.get(usize::from(*kind) % (MAGICS.len() + 1)).copied().unwrap_or_default();
    let Some(file) = fuzz::file_of(&[magic, rest].concat()) else { return };
    let Ok(expanded) = expand(&[file.path().display().to_string()]) else { return };
    let options = ChunkOptions { threads: 1, ..ChunkOptions::default() };
    let Ok(chunks) = Chunks::open(expanded.inputs, options) else { return };
    let mut text_bytes = 0;
    while let Ok(Some(chunk)) = chunks.next(0, Vec::new()) {
        text_bytes += chunk.games().map(|piece| piece.text.len()).sum::<usize>();
        if text_bytes > TEXT_BYTES_MAX {
            return;
        }
    }
    let _ = chunks.finish();
});
