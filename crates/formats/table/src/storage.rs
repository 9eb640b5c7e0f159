//! Storage code shared by tables and experience files: it reads Parquet at given offsets, reports damage
//! along with the file's name, and hashes the contents of files.

pub use crate::{
    file_bytes::FileBytes,
    hash::hash_all,
    hex::digits,
    part::{PAGE_ROWS, Sink, guarded, schema::zstd_level},
};
