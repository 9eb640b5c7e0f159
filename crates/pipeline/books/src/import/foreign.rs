//! Handles files that are not in the format that the user named.

use std::path::Path;

use query::Artefact;
use run::{Error, Limits, Result};

use crate::BooksError;

/// Refuses a path that is no file, and a file whose import takes more than the machine's memory. The file
/// is read whole, and the import takes about three times its size.
pub(super) fn check(path: &Path) -> Result<()> {
    // A file without metadata cannot be opened either, and that error says why.
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

/// The error for a file that could not be read in the format named. It says what the file is, if that is
/// known.
pub(super) fn explained(path: &Path, error: book::Error) -> Error {
    let is_other =
        matches!(error, book::Error::NotAnAbk { .. } | book::Error::NotACtg { .. } | book::Error::Ctg { .. });
    match Artefact::open(path) {
        Ok(artefact) if is_other => {
            BooksError::NeedsNoImport { path: path.into(), got: artefact.kind() }.into()
        }
        Err(known @ query::Error::Foreign { .. }) if is_other && !is_named_by(path, &error) => known.into(),
        _ => error.into(),
    }
}

/// Whether the file's name has the ending of the format named. Then the fault in the file explains more
/// than its kind.
fn is_named_by(path: &Path, error: &book::Error) -> bool {
    let expected = if matches!(error, book::Error::NotAnAbk { .. }) { "abk" } else { "ctg" };
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(expected))
}
