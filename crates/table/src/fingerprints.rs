//! `games.fingerprints`: by what the games are known that a table counts, so that none is counted twice.
//!
//! # Format
//!
//! For each game the two numbers of its [`Fingerprint`], eight bytes each (little-endian), ascending by them;
//! nothing else. The manifest has how many there are, and the XXH3-64 of the file. Games that no other can
//! be a copy of are not in it. Its name is not `.parquet`, so that patterns of analysts do not meet it.

mod reader;
mod writer;

use serde::{Deserialize, Serialize};

pub use self::{reader::Fingerprints, writer::FingerprintsWriter};

/// The file's name in a table's directory.
pub(crate) const FINGERPRINTS_NAME: &str = "games.fingerprints";
const FINGERPRINT_BYTES: usize = 16;

/// What the manifest has of the file.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct FingerprintsInfo {
    /// Which copies were left out: `exact`, or `truncated`.
    pub dedup_games: String,
    /// Fingerprints in the file.
    pub fingerprints: u64,
    /// XXH3-64 of the file.
    pub xxh3: String,
}
