//! Any bytes as a sorted run: read or refused, without a panic.

#![no_main]

use std::fs;

use extsort::RunFile;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Ok(file) = tempfile::NamedTempFile::new() else { return };
    if fs::write(file.path(), data).is_err() {
        return;
    }
    if let Ok(run) = RunFile::open(file.path()) {
        let _ = run.read::<3>(|_| {});
    }
});
