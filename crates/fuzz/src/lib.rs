//! What fuzz targets share.

use std::{fs, panic};

use tempfile::NamedTempFile;

/// A file that holds `data`; `None` if none can be made.
#[must_use]
pub fn file_of(data: &[u8]) -> Option<NamedTempFile> {
    let file = NamedTempFile::new().ok()?;
    fs::write(file.path(), data).ok()?;
    Some(file)
}

/// Lets panics inside the Parquet library pass: it panics over some damaged files, and the readers of tables
/// and experience files catch that and report damage. Every other panic is a finding still.
pub fn pass_panics_of_parquet() {
    let abort = panic::take_hook();
    panic::set_hook(Box::new(move |panic| {
        let file = panic.location().map_or("", |location| location.file());
        if !["/parquet-", "/arrow-"].iter().any(|library| file.contains(library)) {
            abort(panic);
        }
    }));
}
