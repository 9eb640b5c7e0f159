//! Checks all of an artefact.

use std::sync::atomic::AtomicBool;

use crate::{Artefact, Error, Result};

/// Reads all of `artefact` and checks it: checksums, order, ranges, counts. Returns what was checked, in
/// a few words. `stop` ends the check of a table between two of its parts; `threads` check parts at the
/// same time.
///
/// # Errors
///
/// The first thing that is wrong, with the file; [`Error::Empty`] for an empty file; [`Error::Stopped`].
pub fn verify(artefact: &Artefact, threads: usize, stop: &AtomicBool) -> Result<String> {
    Ok(match artefact {
        Artefact::Book(book) => {
            let stats = book.verify()?;
            format!("{} positions, {} moves", stats.positions, stats.edges)
        }
        Artefact::Table(table) => {
            let verified = table.verify(threads, stop, &|_| ())?;
            format!("{} edges in {} shards", verified.rows, table.shards().len())
        }
        Artefact::Experience(file) => {
            let rows = file.read()?.try_fold(0u64, |rows, row| row.map(|_| rows + 1))?;
            format!("{rows} rows")
        }
        Artefact::Polyglot(reader) if reader.entries() == 0 => {
            return Err(Error::Empty { path: reader.path().into() });
        }
        Artefact::Polyglot(reader) => {
            let positions = reader.verify()?;
            format!("{positions} positions, {} moves", reader.entries())
        }
    })
}
