//! The storage code that tables and experience files share: it reads Parquet at offsets, reports damage with
//! the name of the file, and hashes the contents of files.

pub use crate::{
    file_bytes::FileBytes,
    hash::hash_all,
    hex::digits,
    part::{PAGE_ROWS, Sink, guarded, schema::zstd_level},
};
