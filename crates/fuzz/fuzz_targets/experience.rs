//! Any bytes as an experience file: opened and read to its end, or refused, without a panic.

#![no_main]

use libfuzzer_sys::fuzz_target;
use table::ExperienceFile;

fuzz_target!(init: fuzz::pass_panics_of_parquet(), |data: &[u8]| {
    let Some(file) = fuzz::file_of(data) else { return };
    let Ok(experience) = ExperienceFile::open(file.path()) else { return };
    if let Ok(rows) = experience.read() {
        let _ = rows.map_while(Result::ok).count();
    }
});
