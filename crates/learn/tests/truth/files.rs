//! Where the files are.

use std::{fs, path::PathBuf};

/// The bytes of a file below the corpus folder, as text; `None`, loudly, where it is missing.
pub(crate) fn read(name: &str) -> Option<String> {
    let path = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared")).join(name);
    match fs::read(&path) {
        // Latin-1 names stand in some of them; nothing here depends on those letters.
        Ok(bytes) => Some(String::from_utf8_lossy(&bytes).into_owned()),
        Err(error) => {
            eprintln!("SKIPPED: {} is not there ({error}); nothing was checked", path.display());
            None
        }
    }
}

/// Rows of a tab-separated file without its comments and its header.
pub(crate) fn rows(text: &str) -> impl Iterator<Item = Vec<&str>> {
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines.skip(1).map(|line| line.split('\t').collect())
}
