//! Any bytes as an experience file with the right checksum: opened and read to its end, or refused, without a
//! panic.

#![no_main]

use experience::ExperienceFile;
use libfuzzer_sys::fuzz_target;
use xxhash_rust::xxh3::xxh3_64;

/// The checksum's key, and what is between it and the sixteen digits in the footer.
const MARK: &[u8] = b"tabia.file-xxh3\x18\x10";
const DIGITS: usize = 16;

fuzz_target!(init: fuzz::pass_panics_of_parquet(), |data: &[u8]| {
    let mut data = data.to_vec();
    seal(&mut data);
    let Some(file) = fuzz::file_of(&data) else { return };
    let Ok(experience) = ExperienceFile::open(file.path()) else { return };
    if let Ok(rows) = experience.read() {
        let _ = rows.map_while(Result::ok).count();
    }
});

/// Writes the right checksum where the file has one, so that readers go on to what the bytes say.
fn seal(data: &mut [u8]) {
    let found = data.windows(MARK.len() + DIGITS).rposition(|window| window.starts_with(MARK));
    let Some(at) = found.map(|at| at + MARK.len()) else { return };
    data[at..at + DIGITS].fill(b'0');
    let digits = format!("{:016x}", xxh3_64(data));
    data[at..at + DIGITS].copy_from_slice(digits.as_bytes());
}
