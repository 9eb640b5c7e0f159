//! Any bytes as a book: opened or refused, probed and iterated without a panic.

#![no_main]

use std::fs;

use book::{Book, polyglot};
use libfuzzer_sys::fuzz_target;
use position::Key;

fuzz_target!(|data: &[u8]| {
    let Ok(file) = tempfile::NamedTempFile::new() else { return };
    if fs::write(file.path(), data).is_err() {
        return;
    }
    if let Ok(book) = Book::open(file.path()) {
        let _ = book.probe(Key::START);
        let _ = book.iter().take(10_000).count();
        let _ = (book.verify(), book.provenance());
        let _ = (book.experience_of(Key::START), book.experience().take(10_000).count());
    }
    if let Ok(reader) = polyglot::Reader::open(file.path()) {
        let _ = (reader.probe(Key::START), reader.verify());
    }
});
