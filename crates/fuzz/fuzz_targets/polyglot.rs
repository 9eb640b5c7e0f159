//! Any bytes as a Polyglot book: opened, probed, verified and described, or refused.

#![no_main]

use std::sync::atomic::AtomicBool;

use book::polyglot;
use libfuzzer_sys::fuzz_target;
use position::Key;
use query::Artefact;
use shakmaty::Chess;

fuzz_target!(|data: &[u8]| {
    // A move of the start position, so that some of them are legal there.
    let data = [&Key::START.0.to_be_bytes(), data].concat();
    let Some(file) = fuzz::file_of(&data[..data.len() / 16 * 16]) else { return };
    let Ok(reader) = polyglot::Reader::open(file.path()) else { return };
    let entries = reader.iter().count() as u64;
    assert_eq!(entries, reader.entries());
    let _ = reader.verify();
    let artefact = Artefact::Polyglot(reader);
    if let Ok(probe) = query::probe(&artefact, &Chess::default()) {
        assert!(probe.moves.len() as u64 <= entries);
    }
    let _ = (query::info(&artefact), query::verify(&artefact, 1, &AtomicBool::new(false)));
});
