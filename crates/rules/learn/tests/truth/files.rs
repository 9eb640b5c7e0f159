//! Access to the files.

use std::fs;

use testing::corpus;

/// A file of the corpus or beside it as text; `None`, recorded as skipped, if it is missing.
pub(crate) fn read(name: &str) -> Option<String> {
    let bytes = fs::read(corpus(name)?).unwrap();
    // Some files have names in Latin-1; no test depends on those letters.
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// Rows of a tab-separated file without its comments and its header.
pub(crate) fn rows(text: &str) -> impl Iterator<Item = Vec<&str>> {
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines.skip(1).map(|line| line.split('\t').collect())
}
