//! How tables and experience files are stored: Parquet that is read at its offsets, whose damage is an error
//! with the file's name, and hashes of what files hold.

pub use crate::{
    hash::hash_all,
    hex::digits,
    part::{PAGE_ROWS, PartBytes, Sink, guarded, schema::zstd_level},
};
