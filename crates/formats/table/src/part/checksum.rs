//! The checksum of a part file, as the manifest has it.

use std::{
    io::{self, Read},
    path::Path,
};

use xxhash_rust::xxh3::Xxh3Default;

use crate::{Error, Result, ShardInfo, file_bytes::FileBytes, hash::hash_all, hex};

/// Checks a part's length and checksum; `path` is its name in errors.
pub(crate) fn check_bytes(
    info: &ShardInfo,
    part: &FileBytes,
    path: &Path,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<()> {
    let (bytes, xxh3) = digest(part.read_from(0), progress).map_err(Error::io(path))?;
    if bytes != info.bytes {
        return Err(Error::Length { path: path.to_owned(), expected: info.bytes, got: bytes });
    }
    if xxh3 != info.xxh3 {
        return Err(Error::Checksum { path: path.to_owned(), expected: info.xxh3.clone(), got: xxh3 });
    }
    Ok(())
}

fn digest(mut part: impl Read, progress: &(dyn Fn(u64) + Sync)) -> io::Result<(u64, String)> {
    let mut hash = Xxh3Default::new();
    let bytes = hash_all(&mut part, &mut hash, progress)?;
    Ok((bytes, hex::digits(hash.digest())))
}
