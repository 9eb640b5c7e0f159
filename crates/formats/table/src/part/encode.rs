//! Encodes the columns of a table, page by page.
//!
//! # Why not the library's encoders
//!
//! The Parquet library writes page headers, indexes, statistics and the footer. This module itself encodes
//! the contents of the pages, for three reasons:
//!
//! - **Time.** Encoding takes most of the time needed to write a table. The library hashes every value to
//!   find its place in a dictionary, and collects statistics one value at a time. Here, a single array
//!   look-up finds the index of a move or step, because these have only 16 bits. Nearly all counts are below
//!   128, and such a count is its own index: no look-up is needed.
//! - **Size.** The library packs dictionary indices and has zstd look for repetitions in them. The counts of
//!   neighbouring rows are unrelated, so repetitions occur only by chance. Here, indices of counts take one
//!   byte each, unless the dictionary has more than 256 entries, and are entropy-coded without a search for
//!   repetitions. In a table of masters' games, such indices are a quarter smaller than the library's
//!   indices, and encoding them takes a third of the time. The library cannot be set to write such indices.
//! - **Exact bytes.** The same rows must give the same bytes, no matter in which batches they are written and
//!   whether or not they come from `merge`. The library ends dictionaries and pages according to its own
//!   estimate of memory; here, a page has 16,384 rows, and a dictionary covers a row group.
//!
//! Readers need nothing special: the pages use the standard encodings `DELTA_BINARY_PACKED` and
//! `RLE_DICTIONARY`.

mod bits;
mod chunk;
mod column;
mod compressor;
mod count_column;
mod delta;
mod dictionary;
mod levels;

pub(crate) use column::ColumnEncoder;
pub use column::PAGE_ROWS;
pub(crate) use count_column::CountColumn;
