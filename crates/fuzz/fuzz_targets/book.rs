//! Any bytes as a book: opened or refused, probed and iterated without a panic.

#![no_main]

use book::Book;
use libfuzzer_sys::fuzz_target;
use position::Key;

fuzz_target!(|data: &[u8]| {
    let Some(file) = fuzz::file_of(data) else { return };
    if let Ok(book) = Book::open(file.path()) {
        let _ = book.probe(Key::START);
        let _ = book.iter().take(10_000).count();
        let _ = (book.verify(), book.provenance());
        let _ = (book.experience_of(Key::START), book.experience().take(10_000).count());
    }
});
