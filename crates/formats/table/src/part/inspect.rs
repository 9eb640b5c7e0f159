//! Checks a part file, on disk or in a store, before it becomes part of a table.

use std::path::Path;

use parquet::file::metadata::ParquetMetaDataReader;

use super::file::guarded;
use crate::{Error, Result, Roots, RootsInfo, ShardInfo, file_bytes::FileBytes, hash::check_whole};

/// Compares the part file at `path`, which may be a URL, with its entry: its length, the number of rows in
/// its footer and, if `whole` is true, its checksum.
///
/// # Errors
///
/// Fails if the file cannot be read or does not match the entry.
pub fn check_part(info: &ShardInfo, path: &Path, whole: bool) -> Result<()> {
    let part = FileBytes::at(path)?;
    if part.count() != info.bytes {
        return Err(Error::Length { path: path.to_owned(), expected: info.bytes, got: part.count() });
    }
    let metadata = guarded(path, || ParquetMetaDataReader::new().parse_and_finish(&*part))?;
    let rows = metadata.file_metadata().num_rows().cast_unsigned();
    if rows != info.rows {
        let (expected, got) = (info.rows.to_string(), rows.to_string());
        return Err(Error::Mismatch { path: path.to_owned(), what: "rows in its footer", expected, got });
    }
    if whole { check_whole(&part, path, (info.bytes, &info.xxh3), &|_| ()) } else { Ok(()) }
}

/// Reads the whole file of roots at `path`, which may be a URL, and compares it with its entry.
///
/// # Errors
///
/// Fails if the file cannot be read or does not match the entry.
pub fn check_roots(info: &RootsInfo, path: &Path) -> Result<()> {
    Roots::open(&*FileBytes::at(path)?, path.to_owned(), info).map(drop)
}
