//! Writes the list.

use std::{io::Write, path::Path};

use output::{Existing, OutputFile, Prepared};
use run::Result;

use super::RejectEntry;

/// The number of bytes that are buffered before they are written.
const PIECE_BYTES: usize = 1 << 16;

/// Writes lines in the order in which they are added.
pub struct RejectList {
    output: OutputFile,
    piece: Vec<u8>,
}

impl RejectList {
    /// Begins a list at `path`.
    pub fn create(path: &Path, existing: Existing) -> Result<Self> {
        let output = OutputFile::create(path, existing).map_err(fault::output(path))?;
        Ok(Self { output, piece: Vec::new() })
    }

    /// Writes one line.
    pub fn push(&mut self, line: &RejectEntry<'_>) -> Result<()> {
        line.write(&mut self.piece);
        if self.piece.len() >= PIECE_BYTES { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> Result<()> {
        let written = self.output.file().write_all(&self.piece);
        self.piece.clear();
        written.map_err(fault::output(self.output.path()))
    }

    /// Finishes the list, which will be published together with the run's outputs.
    pub fn finish(mut self) -> Result<Prepared> {
        self.flush()?;
        let path = self.output.path().to_owned();
        self.output.prepare().map_err(fault::output(&path))
    }
}
