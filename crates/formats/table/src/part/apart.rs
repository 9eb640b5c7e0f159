//! Checks a part file that is not yet part of a table, wherever it is stored.

use std::{
    io::{self, Read},
    path::Path,
};

use parquet::{
    errors::ParquetError,
    file::metadata::{FooterTail, ParquetMetaDataReader},
};

use super::{checksum::digest, file::guarded};
use crate::{Error, Result, RootsInfo, ShardInfo};

/// Bytes after the metadata of a Parquet file: the length of the metadata, and `PAR1`.
const TAIL_BYTES: u64 = 8;

/// Reads bytes from an offset into the buffer, and returns how many: 0 only at the end.
pub type ReadAt<'r> = dyn Fn(&mut [u8], u64) -> io::Result<usize> + 'r;

/// Compares a part file of `bytes` bytes with its entry: its length, the rows that its footer counts and, if
/// `whole`, the checksum of all of it. `path` is its name in errors.
///
/// # Errors
///
/// If the file cannot be read or is not the one of the entry.
pub fn check_part(
    info: &ShardInfo,
    path: &Path,
    bytes: u64,
    read_at: &ReadAt<'_>,
    whole: bool,
) -> Result<()> {
    if bytes != info.bytes {
        return Err(Error::Length { path: path.to_owned(), expected: info.bytes, got: bytes });
    }
    let rows = guarded(path, || rows_in_footer(bytes, read_at))?;
    if rows != info.rows {
        let (expected, got) = (info.rows.to_string(), rows.to_string());
        return Err(Error::Mismatch { path: path.to_owned(), what: "rows in its footer", expected, got });
    }
    if whole { check_digest(path, From { read_at, offset: 0 }, &info.xxh3) } else { Ok(()) }
}

/// Compares all of a file of roots with its entry.
///
/// # Errors
///
/// If the file cannot be read or is not the one of the entry.
pub fn check_roots(info: &RootsInfo, path: &Path, read_at: &ReadAt<'_>) -> Result<()> {
    check_digest(path, From { read_at, offset: 0 }, &info.xxh3)
}

fn check_digest(path: &Path, file: impl Read, expected: &str) -> Result<()> {
    let (_, got) = digest(file, &|_| ()).map_err(Error::io(path))?;
    if got == expected {
        return Ok(());
    }
    Err(Error::Checksum { path: path.to_owned(), expected: expected.to_owned(), got })
}

/// The rows of a Parquet file (Apache Parquet, "File format": metadata are at the end).
fn rows_in_footer(bytes: u64, read_at: &ReadAt<'_>) -> Result<u64, ParquetError> {
    let from = |offset| From { read_at, offset };
    let short = || ParquetError::General("the file is too short for a footer".into());
    let mut tail = [0; TAIL_BYTES as usize];
    let end = bytes.checked_sub(TAIL_BYTES).ok_or_else(short)?;
    from(end).read_exact(&mut tail)?;
    let length = FooterTail::try_new(&tail)?.metadata_length();
    let start = end.checked_sub(length as u64).ok_or_else(short)?;
    let mut metadata = vec![0; length];
    from(start).read_exact(&mut metadata)?;
    let metadata = ParquetMetaDataReader::decode_metadata(&metadata)?;
    Ok(metadata.file_metadata().num_rows().cast_unsigned())
}

struct From<'r> {
    read_at: &'r ReadAt<'r>,
    offset: u64,
}

impl Read for From<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = (self.read_at)(buffer, self.offset)?;
        self.offset += read as u64;
        Ok(read)
    }
}
