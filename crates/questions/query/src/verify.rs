//! Checks all of an artefact.

use std::sync::atomic::AtomicBool;

use book::polyglot::Header;
use serde::Serialize;

use crate::{Artefact, Error, Result};

/// What was checked of a sound artefact.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize)]
#[serde(rename_all = "lowercase", tag = "kind")]
pub enum Verification {
    /// A book.
    Book {
        /// Its positions.
        positions: u64,
        /// Their moves.
        moves: u64,
    },
    /// A table.
    Table {
        /// Its rows.
        edges: u64,
        /// Its part files.
        shards: u64,
    },
    /// An experience file.
    Experience {
        /// Its rows.
        rows: u64,
    },
    /// A Polyglot book.
    Polyglot {
        /// Its positions.
        positions: u64,
        /// Its entries.
        moves: u64,
        /// Whether its header has count and checksum, and they agree; without them only the order was
        /// checked.
        checksum: bool,
    },
}

/// Reads all of `artefact` and checks it: checksums, order, ranges, counts. `stop` ends the check of a table
/// between two of its parts; `threads` check parts at the same time.
///
/// # Errors
///
/// Fails with the first fault, which names the file; with [`Error::Empty`] for an empty file; with
/// [`Error::Stopped`] once it is stopped.
pub fn verify(artefact: &Artefact, threads: usize, stop: &AtomicBool) -> Result<Verification> {
    Ok(match artefact {
        Artefact::Book(book) => {
            let stats = book.verify()?;
            Verification::Book { positions: stats.positions, moves: stats.edges }
        }
        Artefact::Table(table) => {
            let verified = table.verify(threads, stop, &|_| ())?;
            Verification::Table { edges: verified.rows, shards: table.shards().len() as u64 }
        }
        Artefact::Experience(file) => {
            Verification::Experience { rows: file.read()?.try_fold(0, |rows, row| row.map(|_| rows + 1))? }
        }
        Artefact::Polyglot(reader) if reader.entries() == 0 => {
            return Err(Error::Empty(reader.path().into()));
        }
        Artefact::Polyglot(reader) => {
            let checksum = reader.header().and_then(Header::seal).is_some();
            Verification::Polyglot { positions: reader.verify()?, moves: reader.entries(), checksum }
        }
    })
}
