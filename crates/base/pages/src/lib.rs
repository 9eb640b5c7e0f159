//! Encodes the columns of Parquet files, page by page, and reads columns row by row.
//!
//! # Why not the library's encoders
//!
//! The Parquet library writes page headers, indexes, statistics and the footer. This crate itself encodes
//! the contents of the pages, for three reasons:
//!
//! - **Time.** Encoding takes most of the time needed to write a table, and a seventh of the time of an
//!   export. The library gathers values in arrays first, looks up every value of a dictionary twice, and
//!   collects statistics one value at a time.
//! - **Size.** The library packs dictionary indices and has zstd look for repetitions in them. The values of
//!   neighbouring rows are unrelated, so repetitions occur only by chance. Here, indices into a small
//!   dictionary take one byte each, and are entropy-coded without a search for repetitions. In a table of
//!   masters' games, such indices are a quarter smaller than the library's indices, and encoding them takes
//!   a third of the time. The library cannot be set to write such indices.
//! - **Exact bytes.** The same rows must give the same bytes, no matter in which batches they are written.
//!   The library ends dictionaries and pages according to its own estimate of memory; here, a page has
//!   16,384 rows, and a dictionary covers a row group.
//!
//! Readers need nothing special, because the pages use the standard encodings: `PLAIN`, `RLE_DICTIONARY`,
//! `DELTA_BINARY_PACKED` and `DELTA_LENGTH_BYTE_ARRAY`.

mod bits;
mod chunk;
mod column;
mod compressor;
mod damage;
mod delta;
mod indices;
mod interner;
mod levels;
mod order;
mod row_group;
mod rows;
mod values;

pub use self::{
    bits::width_of,
    chunk::{Body, Bounds, ColumnChunk, DataPage},
    column::{Column, Packing},
    compressor::{Compressor, zstd_level},
    damage::{guarded, is_guarded, open},
    delta::encode as encode_deltas,
    indices::{BYTE_INDICES, byte_page, packed_page},
    levels::add_levels,
    row_group::RowGroup,
    rows::{Cell, Rows},
};

/// The maximum number of rows in a row group. A row group has fewer rows only if it is the last of its file,
/// or if an export ended it early to save memory.
pub const ROW_GROUP_ROWS: usize = 131_072;

/// The number of rows in a page, an eighth of a row group; the last page of a row group may have fewer.
pub const PAGE_ROWS: usize = 16_384;
