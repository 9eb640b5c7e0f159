//! Any bytes as a sorted run: read or refused, without a panic.

#![no_main]

use extsort::RunFile;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Some(file) = fuzz::file_of(data) else { return };
    if let Ok(run) = RunFile::open(file.path()) {
        let _ = run.read::<3>(|_| {});
    }
});
