//! Encodes the columns that every table has, page by page.
//!
//! The Parquet library writes headers, statistics and the footer; these encoders make the bytes of its pages, because they
//! know what it cannot: that a column holds 16-bit numbers, so that a dictionary is two table look-ups and no hashing; or
//! counts of which nearly all are small, so that they are their own indices; and that neither repeats but by chance.

mod bits;
mod chunk;
mod column;
mod compressor;
mod counts;
mod delta;
mod dictionary;

pub(crate) use column::{ColumnEncoder, PAGE_ROWS};
pub(crate) use counts::Counts;
