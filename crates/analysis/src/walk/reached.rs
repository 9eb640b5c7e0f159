//! Where the walk came: every reached position with its shortest ply and its pieces.

use std::{
    fs::File,
    io::{BufWriter, Write},
    path::Path,
};

use position::Key;

use super::{
    placement::Placement,
    records::{FileRecords, Lookup, Merge, Record, TEMPORARY, write_record},
};
use crate::{Error, Result};

/// The reached positions of one part of the walk: one run of records a ply, in one unnamed temporary file.
pub(crate) struct Reached {
    file: BufWriter<File>,
    records: u64,
    /// Ply, and the first record of its run.
    plies: Vec<(u32, u64)>,
}

/// A position as the walk found it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found {
    /// Plies from the start position, by the shortest way.
    pub(crate) ply: u32,
    pub(crate) placement: Placement,
}

/// Finds positions, asked with ascending keys.
///
/// # Memory
///
/// 20 KB a ply.
pub(crate) struct FoundPositions<'r> {
    lookup: Lookup<FileRecords<'r>>,
    plies: &'r [(u32, u64)],
}

impl Reached {
    pub(crate) fn create(temp_dir: &Path) -> Result<Self> {
        let file = tempfile::tempfile_in(temp_dir).map_err(Error::io(temp_dir))?;
        Ok(Self { file: BufWriter::new(file), records: 0, plies: Vec::new() })
    }

    /// Begins the run of a ply.
    pub(crate) fn begin(&mut self, ply: u32) {
        self.plies.push((ply, self.records));
    }

    pub(crate) fn push(&mut self, record: &Record) -> Result<()> {
        self.records += 1;
        write_record(&mut self.file, record).map_err(Error::io(TEMPORARY.as_ref()))
    }

    /// Ends the input.
    pub(crate) fn finish(mut self) -> Result<Self> {
        self.file.flush().map_err(Error::io(TEMPORARY.as_ref()))?;
        Ok(self)
    }

    /// The positions from `first` on.
    pub(crate) fn find(&self, first: Key) -> Result<FoundPositions<'_>> {
        let ends = self.plies.iter().skip(1).map(|(_, start)| *start).chain([self.records]);
        let run = |((_, start), end): (&(u32, u64), u64)| {
            FileRecords::new(self.file.get_ref(), *start, end).skip_to(first)
        };
        let runs = self.plies.iter().zip(ends).map(run).collect::<Result<_>>()?;
        Ok(FoundPositions { lookup: Lookup::new(Merge::new(runs)?)?, plies: &self.plies })
    }
}

impl FoundPositions<'_> {
    pub(crate) fn find(&mut self, key: Key) -> Result<Option<Found>> {
        let found = self.lookup.find(key)?;
        Ok(found.map(|(record, run)| Found { ply: self.plies[run].0, placement: Placement(record.payload) }))
    }
}
