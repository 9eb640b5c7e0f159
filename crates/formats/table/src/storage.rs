//! Storage code that tables and experience files share: it reads Parquet at given offsets, adds the file's
//! name to reports of damage, and computes checksums of files.

pub use crate::{file_bytes::FileBytes, hash::hash_all, hex::digits, part::guarded, sink::Sink};
