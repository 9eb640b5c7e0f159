//! A file of sorted entries in compressed blocks, of which one is read at a time.
//!
//! # Format
//!
//! The dictionary, if there is one, the blocks, one after another, and the index. A block is Zstandard of its
//! entries, each a number of eight bytes (little-endian) and a value as `postcard` encodes it; numbers ascend
//! strictly. The dictionary is Zstandard of bytes that every block is compressed with, as a dictionary of
//! content alone. The index is Zstandard of the list of blocks as `postcard` encodes it: first number, length
//! and XXH3-64 of each. The manifest has the length of the file, where the index begins, and the XXH3-64 of
//! the index as it is stored; of the dictionary its length and its XXH3-64.

mod reader;
mod writer;

use std::path::Path;

use serde::{Deserialize, Serialize, de::DeserializeOwned};

pub(super) use self::{
    reader::Blocks,
    writer::{BlocksWriter, Packing},
};
use crate::{Error, Result};

/// How hard blocks that are kept are compressed.
pub(super) const LEVEL: i32 = 9;

/// The manifest's entry for a file's dictionary.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct DictionaryInfo {
    /// Bytes of it in the file.
    pub bytes: u64,
    /// XXH3-64 of them.
    pub xxh3: String,
}

/// The manifest's entry for a file.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct BlocksInfo {
    /// Entries in it.
    pub entries: u64,
    /// Bytes of the file.
    pub bytes: u64,
    /// Where the index begins.
    pub index_at: u64,
    /// XXH3-64 of the index.
    pub xxh3: String,
    /// What its blocks are compressed with, where the file begins.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dictionary: Option<DictionaryInfo>,
}

/// What the index says of a block.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
struct Block {
    first: u64,
    bytes: u32,
    xxh3: u64,
}

/// Appends a value to `bytes`.
pub(super) fn encoded(value: &impl Serialize, bytes: Vec<u8>) -> Vec<u8> {
    let Ok(bytes) = postcard::to_extend(value, bytes) else {
        unreachable!("memory takes all that serde can write")
    };
    bytes
}

/// Takes a value off `bytes`. One that is none was written so: its block had the right checksum.
fn decoded<T: DeserializeOwned>(path: &Path, bytes: &mut &[u8]) -> Result<T> {
    let (value, rest) = postcard::take_from_bytes(bytes)
        .map_err(|error| Error::Manifest { path: path.to_owned(), what: error.to_string() })?;
    *bytes = rest;
    Ok(value)
}
