//! The bytes of a small book, which no release may change.

use std::{fmt::Write as _, fs};

use book::{BookWriter, Existing};
use position::Key;
use serde_json::json;
use shakmaty::Color;

use crate::samples::{entry, tally};

/// 0000 the header; 0200 the keys of the one bucket; 021b three bodies; 0228 the index; 022a the
/// provenance; 0237 one checksum.
const GOLDEN: &str = "\
0000  54 41 42 49 41 42 4b 0a 01 00 00 00 04 00 00 00
0010  3f 02 00 00 00 00 00 00 03 00 00 00 00 00 00 00
0020  03 00 00 00 00 00 00 00 01 00 00 00 00 00 00 00
0030  00 00 00 00 01 00 00 00 00 00 00 00 00 00 00 00
0040  01 00 00 00 00 00 00 00 00 02 00 00 00 00 00 00
0050  28 00 00 00 00 00 00 00 02 00 00 00 00 00 00 00
0060  28 02 00 00 00 00 00 00 02 00 00 00 00 00 00 00
0070  03 00 00 00 00 00 00 00 2a 02 00 00 00 00 00 00
0080  0d 00 00 00 00 00 00 00 04 00 00 00 00 00 00 00
0090  37 02 00 00 00 00 00 00 08 00 00 00 00 00 00 00
01f0  0e 22 27 c4 08 6d e2 85 70 73 7a c6 68 dd f8 37
0200  00 01 02 00 e2 e4 8f b4 c0 b0 dc b1 65 50 44 3f
0210  d4 26 8f fe ff ff ff ff ff ff 0f ae 02 db 02 1c
0220  e3 eb 89 67 8f 4c f1 ff 00 28 7b 22 73 6f 75 72
0230  63 65 73 22 3a 31 7d 33 da 25 d4 27 26 ad cf
";

/// Sixteen bytes per line, without lines of zeros.
fn hex(bytes: &[u8]) -> String {
    let mut text = String::new();
    for (index, line) in bytes.chunks(16).enumerate().filter(|(_, line)| line.iter().any(|&byte| byte != 0)) {
        write!(text, "{:04x} ", index * 16).unwrap();
        for byte in line {
            write!(text, " {byte:02x}").unwrap();
        }
        text.push('\n');
    }
    text
}

#[test]
fn a_small_book_has_these_bytes() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("golden.tabia");
    let mut writer = BookWriter::create(&path, &json!({"sources": 1}), 3, Existing::Refuse).unwrap();
    let start = Key::START.0;
    let e2e4 = 0b001_100_011_100;
    let edges = [(0b001_011_011_011, tally(0, 0, 1)), (e2e4, tally(30, 20, 10))];
    writer.push(&entry(start, Color::White, tally(0, 1, 0), &edges)).unwrap();
    writer.push(&entry(0x823c_9b50_fd11_4196, Color::Black, tally(3, 2, 1), &[])).unwrap();
    writer.push(&entry(u64::MAX, Color::Black, tally(0, 0, 0), &[(0x0fff, tally(0, 0, 1))])).unwrap();
    writer.finish().unwrap();
    assert_eq!(hex(&fs::read(path).unwrap()), GOLDEN);
}
