use std::{fs, path::Path};

use book::polyglot::{Header, PolyglotEntry};
use position::{Key, PackedMove};
use proptest::prelude::*;
use run::{Limits, RunOptions};

use crate::json::{export_json, import_json};

/// Moves from the start position, legal and illegal, and any other sixteen bits.
fn moves() -> impl Strategy<Value = PackedMove> {
    prop_oneof![Just(PackedMove(0x031c)), Just(PackedMove(0x0324)), any::<u16>().prop_map(PackedMove)]
}

fn entries() -> impl Strategy<Value = Vec<PolyglotEntry>> {
    let key = prop_oneof![Just(Key(0)), Just(Key(7)), Just(Key::START), any::<u64>().prop_map(Key)];
    let entry = (key, moves(), any::<u16>(), prop_oneof![Just(0), any::<u32>()]);
    // A record of zeros alone cannot be an entry of a book.
    let entry = entry.prop_map(|(key, mv, weight, learn)| PolyglotEntry {
        key,
        mv,
        weight,
        learn: if key.0 == 0 { learn | 1 } else { learn },
    });
    prop::collection::vec(entry, 1..40).prop_map(|mut entries| {
        entries.sort_by_key(|entry| entry.key);
        entries
    })
}

/// Records like those of a header, both sound and damaged.
fn header() -> impl Strategy<Value = Vec<u8>> {
    let sound = "\\PC{0,40}".prop_map(|comment| Header::new(&comment).to_bytes());
    let text = "@PG@\n(1\\.0|[a-z]|\n){0,6}".prop_map(|text| {
        let mut text = text.into_bytes();
        text.resize((text.len() + 1).next_multiple_of(8), 0);
        text.chunks(8).flat_map(|text| [&[0; 8], text].concat()).collect()
    });
    prop_oneof![Just(Vec::new()), sound, text]
}

/// Converts a book to text and the text to a book again.
fn again(folder: &Path, bytes: &[u8]) -> Vec<u8> {
    let [book, text, new] = ["book.bin", "text.jsonl", "new.bin"].map(|name| folder.join(name));
    fs::write(&book, bytes).unwrap();
    let run = RunOptions { force: true, ..RunOptions::default() };
    let limits = Limits { memory_mib: Some(32), threads: Some(1), temp_dir: None };
    export_json(&book, &text, &limits, run.clone()).unwrap();
    import_json(&text, &new, &run).unwrap();
    fs::read(new).unwrap()
}

/// Records with key 0 and these texts, and a move from the start position.
fn book_after(texts: &[&[u8; 8]]) -> Vec<u8> {
    let e4 = PolyglotEntry { key: Key::START, mv: PackedMove(0x031c), weight: 1, learn: 0 };
    texts.iter().flat_map(|text| [[0; 8], **text].concat()).chain(e4.to_bytes()).collect()
}

/// Entries with key 0 whose move, weight and learn field spell the beginning of a header, with and without
/// its end, after other entries, and with entries after it.
#[test]
fn entries_that_spell_a_header_give_their_bytes_again() {
    let folder = tempfile::tempdir().unwrap();
    for texts in [
        &[b"@PG@\n1.0"][..],
        &[b"@PG@\n\0\0\0"],
        &[b"@PG@\n1.0", b"\n2\n1\nnor", b"mal\n\0\0\0\0"],
        &[b"@PG@\nab\0", b"@PG@\n1.0"],
        &[b"@PG@\nab\0", b"\0\x01\xff\xff\0\0\0\0", b"\0\x02\0\x01\0\0\0\0"],
        &[b"\0\x01\0\x01\0\0\0\0", b"@PG@\n1.0"],
        &[b"@PG@1.0\n"],
        &[b"@PG@\n\xff\xfe\xfd", b"\xc3(\0\0\0\0\0\0"],
    ] {
        let bytes = book_after(texts);
        assert_eq!(again(folder.path(), &bytes), bytes, "{texts:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn prop_the_text_of_a_book_gives_its_bytes_again(header in header(), entries in entries()) {
        let folder = tempfile::tempdir().unwrap();
        let bytes = [header, entries.into_iter().flat_map(PolyglotEntry::to_bytes).collect()].concat();
        prop_assert_eq!(again(folder.path(), &bytes), bytes);
    }
}
