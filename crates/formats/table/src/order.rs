//! Errors about the order of rows and the ranges of keys, which are checked both on writing and on reading.

use std::path::Path;

use position::{Key, Observation};

use crate::Error;

/// The error for a row that does not come after the previous row of its part. `index` is the row's index in
/// the part, `got` is the row's identity, and `previous` is the identity of the previous row.
#[cold]
pub(crate) fn out_of_order(path: &Path, index: u64, previous: u128, got: u128) -> Error {
    Error::Order { path: path.to_owned(), row: index, previous: describe(previous), got: describe(got) }
}

/// The error for row `index` of a part if its `key` is outside the shard.
#[cold]
pub(crate) fn out_of_range(path: &Path, index: u64, key: Key, (first, last): (Key, Key)) -> Error {
    Error::KeyRange { path: path.to_owned(), row: index, key, first, last }
}

fn describe(id: u128) -> String {
    let row = Observation(id);
    format!("{} {} group {:#x}", row.key(), row.mv(), row.group().bits())
}
