//! A file of sorted entries in compressed blocks, which are read one at a time.
//!
//! # Format
//!
//! The file has three parts: the dictionary, if there is one; the blocks, one after another; and the index.
//! All three are compressed with Zstandard. A block has its entries, each of which is a number of eight bytes
//! (little-endian) and a value as `postcard` encodes it; numbers ascend strictly. The dictionary has the
//! bytes with which every block is compressed, as a Zstandard dictionary of content alone. The index has the
//! list of blocks as `postcard` encodes it: the first number, the length and the XXH3-64 of each block. The
//! manifest has the length of the file, the offset at which the index begins, and the XXH3-64 of the index as
//! it is stored; also the length and the XXH3-64 of the dictionary.

mod reader;
mod writer;

use std::path::Path;

use serde::{Deserialize, Serialize, de::DeserializeOwned};

pub(super) use self::{
    reader::Blocks,
    writer::{BlocksWriter, Packing},
};
use crate::{Error, Result};

/// The level at which blocks that stay in the table are compressed.
pub(super) const LEVEL: i32 = 9;

/// The manifest's entry for a file's dictionary.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct DictionaryInfo {
    /// Its length in the file, in bytes.
    pub bytes: u64,
    /// XXH3-64 of these bytes.
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
    /// The offset at which the index begins.
    pub index_at: u64,
    /// XXH3-64 of the index.
    pub xxh3: String,
    /// The dictionary that its blocks are compressed with, at the beginning of the file; `None` if there is
    /// none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dictionary: Option<DictionaryInfo>,
}

/// What the index says about one block.
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

/// Removes a value from the front of `bytes`. Bytes that are not a value were written like that, because the
/// checksum of their block was right.
fn decoded<T: DeserializeOwned>(path: &Path, bytes: &mut &[u8]) -> Result<T> {
    let (value, rest) = postcard::take_from_bytes(bytes)
        .map_err(|error| Error::Manifest { path: path.to_owned(), what: error.to_string() })?;
    *bytes = rest;
    Ok(value)
}
