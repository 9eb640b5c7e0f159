//! Hashes the contents of files.

use std::{
    io::{self, Read},
    path::Path,
};

use xxhash_rust::xxh3::Xxh3Default;

use crate::{Error, Result, file_bytes::FileBytes, hex};

/// Hashes all remaining bytes of `reader`, and returns their number.
///
/// # Errors
///
/// Returns the error with which `reader` failed.
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

/// Checks the length and the checksum of a whole file; `path` is used only in errors.
pub(crate) fn check_whole(
    file: &FileBytes,
    path: &Path,
    (expected, xxh3): (u64, &str),
    progress: &dyn Fn(u64),
) -> Result<()> {
    let mut hash = Xxh3Default::new();
    let got = hash_all(&mut file.read_from(0), &mut hash, progress).map_err(Error::io(path))?;
    if got != expected {
        return Err(Error::Length { path: path.to_owned(), expected, got });
    }
    check_hash(hash.digest(), path, xxh3)
}

/// Compares the hash of bytes that were read from `path` with the recorded one.
pub(crate) fn check_hash(hash: u64, path: &Path, expected: &str) -> Result<()> {
    let got = hex::digits(hash);
    if got == expected {
        return Ok(());
    }
    Err(Error::Checksum { path: path.to_owned(), expected: expected.to_owned(), got })
}
