//! Files that are no book of the format that was named.

use std::path::Path;

use query::Artefact;

use crate::{Error, books::BooksError};

/// The error for a file that could not be read as the format that was named: what it is, if that is known.
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

/// Whether the name of the file says that it is of the format that was named: then its fault says more.
fn is_named_by(path: &Path, error: &book::Error) -> bool {
    let expected = if matches!(error, book::Error::NotAnAbk { .. }) { "abk" } else { "ctg" };
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(expected))
}
