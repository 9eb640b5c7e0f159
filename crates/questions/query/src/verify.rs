//! Checks an entire artefact.

use std::sync::atomic::AtomicBool;

use book::polyglot::Header;
use serde::Serialize;

use crate::{Artefact, Error, Result};

/// A summary of the contents of an artefact in which no fault was found.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize)]
#[serde(rename_all = "lowercase", tag = "kind")]
pub enum Verification {
    /// A book.
    Book {
        /// The number of positions in the book.
        positions: u64,
        /// The number of moves in these positions.
        moves: u64,
    },
    /// A table.
    Table {
        /// The number of rows in the table.
        edges: u64,
        /// The number of part files in the table.
        shards: u64,
    },
    /// An experience file.
    Experience {
        /// The number of rows in the file.
        rows: u64,
    },
    /// A Polyglot book.
    Polyglot {
        /// The number of positions in the book.
        positions: u64,
        /// The number of entries in the book.
        moves: u64,
        /// Whether the header has a count and a checksum, which then match the entries. If the header has
        /// neither, only the order of the entries was checked.
        checksum: bool,
    },
}

/// Reads the entire `artefact` and checks its checksums, order, ranges and counts. The parts of a table are
/// checked on `threads` threads. Once `stop` is `true`, no more parts are checked.
///
/// # Errors
///
/// Fails at the first fault, with an error that names the file; for an empty file, the error is
/// [`Error::Empty`]. Fails with [`Error::Stopped`] if `stop` ended the check early.
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
