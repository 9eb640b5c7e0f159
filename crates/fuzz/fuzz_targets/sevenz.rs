//! Any bytes as a 7z archive, its checksums right or not: read to its end or refused, without a panic and in
//! little memory. A text that is packed by each method is read as the plain text is.

#![no_main]

use std::{io::Cursor, path::Path};

use libfuzzer_sys::fuzz_target;
use pgn::input::{ChunkOptions, Chunks, expand};
use sevenz_rust2::{
    ArchiveEntry, ArchiveWriter, EncoderConfiguration, EncoderMethod,
    encoder_options::{Lzma2Options, LzmaOptions, PpmdOptions},
};

const MAGIC: &[u8] = b"7z\xBC\xAF\x27\x1C\0\x04";
/// Bytes of text after which a small file is known to unpack to a large one.
const TEXT_BYTES_MAX: usize = 4 << 20;

fuzz_target!(|data: &[u8]| {
    let [kind, at, rest @ ..] = data else { return };
    match kind & 3 {
        0 => check_packed(&[b"[Event \"?\"]\n", rest].concat(), configuration(*at)),
        1 => drop(read("a.7z", &[MAGIC, rest].concat())),
        _ => drop(read("a.7z", &sealed(rest, usize::from(*at)))),
    }
});

/// An archive of these streams, and a header from byte `at` on, with the checksums of that.
fn sealed(bytes: &[u8], at: usize) -> Vec<u8> {
    let at = at.min(bytes.len());
    let header = &bytes[at..];
    let lengths = [at as u64, header.len() as u64].map(u64::to_le_bytes).concat();
    let start = [&lengths[..], &crc32fast::hash(header).to_le_bytes()].concat();
    [MAGIC, &crc32fast::hash(&start).to_le_bytes(), &start, bytes].concat()
}

/// A way to pack, in little memory.
fn configuration(choice: u8) -> EncoderConfiguration {
    match choice % 7 {
        0 => EncoderMethod::COPY.into(),
        1 => {
            let mut options = LzmaOptions::from_level(1);
            options.set_dictionary_size(1 << 16);
            options.into()
        }
        2 => {
            let mut options = Lzma2Options::from_level(1);
            options.set_dictionary_size(1 << 16);
            options.into()
        }
        3 => PpmdOptions::from_order_memory_size(6, 1 << 16).into(),
        4 => EncoderMethod::BZIP2.into(),
        5 => EncoderMethod::DEFLATE.into(),
        _ => EncoderMethod::ZSTD.into(),
    }
}

/// Packs a text, and reads it as the plain text is read.
fn check_packed(text: &[u8], configuration: EncoderConfiguration) {
    let method = configuration.method;
    let mut archive = ArchiveWriter::new(Cursor::new(Vec::new())).expect("an archive in memory");
    archive.set_content_methods(vec![configuration]);
    archive.push_archive_entry(ArchiveEntry::new_file("a.pgn"), Some(text)).expect("a packed text");
    let packed = archive.finish().expect("an archive").into_inner();
    assert_eq!(read("a.7z", &packed), read("a.pgn", text), "{method:?}");
}

/// The pieces of the text of a file that holds `data`; `None` if it is refused, or unpacks to a large text.
fn read(name: &str, data: &[u8]) -> Option<Vec<Vec<u8>>> {
    let folder = fuzz::folder_with(name, data)?;
    pieces(&folder.path().join(name))
}

fn pieces(path: &Path) -> Option<Vec<Vec<u8>>> {
    let expanded = expand(&[path.display().to_string()]).ok()?;
    let options = ChunkOptions { threads: 1, ..ChunkOptions::default() };
    let chunks = Chunks::open(expanded.inputs, options).ok()?;
    let (mut pieces, mut text_bytes) = (Vec::new(), 0);
    while let Some(chunk) = chunks.next(0, Vec::new()).ok()? {
        for piece in chunk.games() {
            text_bytes += piece.text.len();
            pieces.push(piece.text.to_vec());
        }
        if text_bytes > TEXT_BYTES_MAX {
            return None;
        }
    }
    let _ = chunks.finish();
    Some(pieces)
}
