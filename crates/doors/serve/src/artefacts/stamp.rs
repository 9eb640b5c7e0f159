//! Detects when a path refers to a different file or folder than before.

use std::{fs, os::unix::fs::MetadataExt as _, path::Path};

/// The file or folder that a path refers to, and when it last changed.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub(crate) struct Stamp {
    device: u64,
    number: u64,
    bytes: u64,
    changed: (i64, i64),
}

impl Stamp {
    /// The stamp of the file or folder at `path` now; `None` if it cannot be read.
    pub(crate) fn of(path: &Path) -> Option<Self> {
        let metadata = fs::metadata(path).ok()?;
        // A folder's time and size are left out, because they change whenever a file is created in it; a new
        // table is always a new folder.
        let changed = if metadata.is_dir() { (0, 0) } else { (metadata.mtime(), metadata.mtime_nsec()) };
        let bytes = if metadata.is_dir() { 0 } else { metadata.len() };
        Some(Self { device: metadata.dev(), number: metadata.ino(), bytes, changed })
    }
}
