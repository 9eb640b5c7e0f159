//! The hash of what a file holds.

use std::io::{self, Read};

use xxhash_rust::xxh3::Xxh3Default;

/// Hashes all that `reader` still has, and returns how many bytes that is.
///
/// # Errors
///
/// What the reader says.
pub fn hash_all(reader: &mut impl Read, hash: &mut Xxh3Default, progress: &dyn Fn(u64)) -> io::Result<u64> {
    let (mut buffer, mut bytes) = (vec![0; 1 << 18], 0);
    loop {
        match reader.read(&mut buffer) {
            Ok(0) => return Ok(bytes),
            Ok(read) => {
                hash.update(&buffer[..read]);
                bytes += read as u64;
                progress(read as u64);
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}
