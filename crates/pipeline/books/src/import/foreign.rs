//! Handles files that are not in the format that the user named.

use std::path::Path;

use query::Artefact;
use run::{Error, Limits, Result};

use crate::BooksError;

/// Refuses a path that is not a file, and a file whose import would not fit in memory. The file is read
/// whole, and importing it takes about three times its size.
pub(super) fn check(path: &Path) -> Result<()> {
    // Unreadable metadata is not treated as an error here, because opening the file will fail too, with an
    // error that gives the reason.
    let Ok(metadata) = path.metadata() else { return Ok(()) };
    if !metadata.is_file() {
        let got = Artefact::open(path)?.kind();
        return Err(BooksError::NeedsNoImport { path: path.into(), got }.into());
    }
    let (bytes, bytes_max) = (metadata.len(), Limits::default().memory_bytes());
    if bytes > bytes_max {
        return Err(BooksError::TooLarge { path: path.into(), bytes, bytes_max }.into());
    }
    Ok(())
}

/// The error for a file that could not be read in the named format. If the file's real format is known, the
/// error names it.
pub(super) fn explained(path: &Path, error: book::Error) -> Error {
    let ending = match error {
        book::Error::NotAnAbk { .. } => "abk",
        book::Error::NotACtg { .. } | book::Error::Ctg { .. } => "ctg",
        _ => return error.into(),
    };
    // If the file has the extension of the named format, an error that says why the file could not be read is
    // more helpful than an error that names another format.
    let is_named = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(ending));
    match Artefact::open(path) {
        Ok(artefact) => BooksError::NeedsNoImport { path: path.into(), got: artefact.kind() }.into(),
        Err(known @ query::Error::Foreign { .. }) if !is_named => known.into(),
        _ => error.into(),
    }
}
