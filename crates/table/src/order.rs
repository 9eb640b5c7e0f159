//! The order of rows and the ranges of keys, checked where rows are written and where they are read.

use std::path::Path;

use position::Key;

use crate::{Error, Row};

/// `row` at index `index` of a part does not come after `previous`.
#[cold]
pub(crate) fn out_of_order(path: &Path, index: u64, previous: Option<&Row>, row: &Row) -> Error {
    let previous = previous.map_or_else(|| "nothing".to_owned(), describe);
    Error::Order { path: path.to_owned(), row: index, previous, got: describe(row) }
}

/// `key` at index `index` of a part is outside its shard.
#[cold]
pub(crate) fn out_of_range(path: &Path, index: u64, key: Key, (first, last): (Key, Key)) -> Error {
    Error::KeyRange { path: path.to_owned(), row: index, key, first, last }
}

fn describe(row: &Row) -> String {
    format!("{} {} group {:#x}", row.key, row.mv, row.group.bits())
}
