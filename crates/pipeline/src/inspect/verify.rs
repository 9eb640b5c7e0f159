//! Checks an artefact to the last bit.

use std::{path::Path, sync::atomic::AtomicBool};

use super::Artefact;
use crate::{Error, Result};

/// Reads all of what `path` names and checks it: checksums, order, ranges, counts. What was checked, in a few words.
/// Setting `cancel` stops it.
///
/// # Errors
///
/// At the first thing that is wrong, with the file and what is wrong with it; [`Error::Empty`] for an empty file, which is a Polyglot
/// book without a move, but nothing in it shows that it was meant to be one.
pub fn verify(path: &Path, threads: usize, cancel: &AtomicBool) -> Result<String> {
    Ok(match Artefact::open(path)? {
        Artefact::Book(book) => {
            let stats = book.verify()?;
            format!("{} positions, {} moves", stats.positions, stats.edges)
        }
        Artefact::Table(table) => {
            let verified = table.verify(threads, cancel, &|_| ())?;
            format!("{} edges in {} shards", verified.rows, table.shards().len())
        }
        Artefact::Experience(file) => {
            let rows = file.read()?.try_fold(0u64, |rows, row| row.map(|_| rows + 1))?;
            format!("{rows} rows")
        }
        Artefact::Polyglot(reader) if reader.entries() == 0 => {
            return Err(Error::Empty { path: path.into() });
        }
        Artefact::Polyglot(reader) => {
            let positions = reader.verify()?;
            format!("{positions} positions, {} moves", reader.entries())
        }
    })
}
