//! Encodes the columns of a table, page by page.
//!
//! Dictionaries are sorted, and a single array look-up finds the index of a move or step, because these have
//! only 16 bits. Nearly all counts are below 128, and such a count is its own index: no look-up is needed.

mod column;
mod count_column;
mod dictionary;

pub(crate) use column::ColumnEncoder;
pub(crate) use count_column::CountColumn;
