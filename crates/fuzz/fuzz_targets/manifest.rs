//! Any text as the manifest of a table whose part is sound: opened, verified and probed, or refused. The
//! text's checksum is put right, so that what comes after it is reached.

#![no_main]

use std::{
    fs,
    sync::{LazyLock, atomic::AtomicBool},
};

use libfuzzer_sys::fuzz_target;
use position::{Key, Tally};
use table::{Counting, MANIFEST_NAME, Row, Table, TableWriter};
use tempfile::TempDir;
use xxhash_rust::xxh3::xxh3_64;

const PART_NAME: &str = "part-00000.parquet";

/// The part of a table of one row.
static PART: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let folder = TempDir::new().expect("a temporary folder");
    let path = folder.path().join("one.table");
    let writer = TableWriter::create(&path, Counting::default(), 1, false).expect("a table");
    let mut part = writer.shard(0).expect("a part");
    let row = Row { key: Key::START, tally: Tally { white: 1, draws: 2, black: 3 }, ..Row::default() };
    part.push(&row).expect("one row");
    let shards = vec![part.finish().expect("a part")];
    writer.finish(shards, Vec::new()).expect("a table");
    fs::read(path.join(PART_NAME)).expect("a part")
});

fuzz_target!(init: fuzz::pass_panics_of_parquet(), |text: &str| {
    let Ok(folder) = TempDir::new() else { return };
    let written = fs::write(folder.path().join(PART_NAME), &*PART)
        .and_then(|()| fs::write(folder.path().join(MANIFEST_NAME), sealed(text)));
    if written.is_err() {
        return;
    }
    if let Ok(table) = Table::open(folder.path()) {
        let _ = (table.digest(), table.counting(), table.rows_of(Key::START));
        let _ = table.verify(1, &AtomicBool::new(false), &|_| ());
    }
});

/// The text with its checksum put right, if it ends in a place for one.
fn sealed(text: &str) -> String {
    const PLACE: &str = "0000000000000000";
    const TAIL: &str = "\"\n}\n";
    let place = text.len().wrapping_sub(PLACE.len() + TAIL.len());
    let Some(body) = text.get(..place).filter(|_| text.ends_with(TAIL)) else { return text.to_owned() };
    format!("{body}{:016x}{TAIL}", xxh3_64(format!("{body}{PLACE}{TAIL}").as_bytes()))
}
