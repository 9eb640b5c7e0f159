//! The storage that tables and experience files share: Parquet that is read at offsets, whose damage is an
//! error with the file's name, and hashes of the contents of files.

pub use crate::{
    file_bytes::FileBytes,
    hash::hash_all,
    hex::digits,
    part::{PAGE_ROWS, Sink, guarded, schema::zstd_level},
};
