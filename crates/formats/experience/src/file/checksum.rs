//! The checksum of an experience file, over all its bytes.
//!
//! # Format
//!
//! The checksum is the XXH3-64 of the whole file, in which the checksum's own digits are replaced by sixteen
//! zeros (`0`). It is in the key-value metadata under `tabia.file-xxh3`, as sixteen hexadecimal digits. The
//! digits are found without decoding the footer of the Parquet file: they follow the key and the two bytes
//! `18 10`, which announce a string of 16 bytes. If there are several such places, the last one is used.

use std::{
    fs::File,
    io::{self, Read as _, Seek as _, SeekFrom},
    os::unix::fs::FileExt as _,
    path::Path,
};

use xxhash_rust::xxh3::Xxh3Default;

use table::{
    Error, Result,
    storage::{digits, hash_all},
};

/// The checksum's key in a file's key-value metadata.
pub(crate) const METADATA_KEY: &str = "tabia.file-xxh3";
/// The placeholder for the checksum's own digits while the file is hashed.
pub(crate) const ZEROS: &str = "0000000000000000";

/// The bytes between the key and the digits: in Thrift's compact protocol, the field after the key is a
/// string (0x18) of sixteen bytes.
const TEXT_OF_16: [u8; 2] = [0x18, 0x10];
/// The end of a Parquet file: the footer's length and four bytes of magic.
const TAIL_BYTES: u64 = 8;

/// Writes the checksum into a complete file that has zeros in its place. The checksum was computed from the
/// bytes in memory, not from bytes that were read back. So if the disk changed a byte, the checksum does not
/// match when the file is opened.
pub(crate) fn seal(file: &File, digits: &str) -> io::Result<()> {
    let at = find(file)?.ok_or_else(|| io::Error::other("the file has no place for its checksum"))?;
    file.write_all_at(digits.as_bytes(), at)
}

/// Checks a file's checksum; returns `false` if it has no checksum, as in files of version 1.
pub(crate) fn check(file: &mut File, path: &Path) -> Result<bool> {
    let io = |error| Error::io(path)(error);
    let Some(at) = find(file).map_err(io)? else { return Ok(false) };
    let mut recorded = [0; ZEROS.len()];
    file.read_exact_at(&mut recorded, at).map_err(io)?;
    let (expected, got) = (recorded.escape_ascii().to_string(), digest(file, at).map_err(io)?);
    if got == expected { Ok(true) } else { Err(Error::Checksum { path: path.to_owned(), expected, got }) }
}

/// Returns the offset of the checksum's digits in the file, or `None` if the file has no footer or the footer
/// has no checksum.
fn find(file: &File) -> io::Result<Option<u64>> {
    let end = file.metadata()?.len().saturating_sub(TAIL_BYTES);
    let mut length = [0; 4];
    file.read_exact_at(&mut length, end)?;
    let footer_bytes = u64::from(u32::from_le_bytes(length)).min(end);
    let (start, mut footer) = (end - footer_bytes, vec![0; footer_bytes as usize]);
    file.read_exact_at(&mut footer, start)?;
    let mark = [METADATA_KEY.as_bytes(), &TEXT_OF_16].concat();
    let found = footer.windows(mark.len() + ZEROS.len()).rposition(|window| window.starts_with(&mark));
    Ok(found.map(|at| start + (at + mark.len()) as u64))
}

/// Computes the checksum of a file. The checksum's own digits begin at offset `at`; zeros are hashed in their
/// place.
fn digest(file: &mut File, at: u64) -> io::Result<String> {
    let mut hash = Xxh3Default::new();
    file.rewind()?;
    hash_all(&mut file.take(at), &mut hash, &|_| ())?;
    hash.update(ZEROS.as_bytes());
    file.seek(SeekFrom::Start(at + ZEROS.len() as u64))?;
    hash_all(file, &mut hash, &|_| ())?;
    Ok(digits(hash.digest()))
}
