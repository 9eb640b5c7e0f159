//! How tables and experience files are stored: Parquet that is read at its offsets, whose damage is an error
//! with the file's name, and hashes of what files hold.

pub use crate::{
    file_bytes::FileBytes,
    hash::hash_all,
    hex::digits,
    part::{PAGE_ROWS, Sink, guarded, schema::zstd_level},
};
