//! How reports and lines describe lists of rejected games.

use std::{
    io::{self, Read},
    path::PathBuf,
};

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::Xxh3Default;

/// The length of a list, and its XXH3-64.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
pub(super) struct ListDigest {
    pub(super) bytes: u64,
    xxh3: String,
}

/// The list of all games that a count rejected.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(super) struct WholeList {
    /// The file where the list will appear.
    pub(super) file: PathBuf,
    pub(super) digest: ListDigest,
}

impl ListDigest {
    /// Reads a list and returns its digest.
    pub(super) fn of(mut list: impl Read) -> io::Result<Self> {
        let mut hash = Xxh3Default::new();
        let bytes = io::copy(&mut list, &mut hash)?;
        Ok(Self { bytes, xxh3: format!("{:016x}", hash.digest()) })
    }
}
