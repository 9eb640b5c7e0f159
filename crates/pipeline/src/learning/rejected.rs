//! The list of rejected records and games, one JSON object a line, in input order.
//!
//! # Format
//!
//! `{"input":"a.lrn","offset":1234,"record":7,"ply":12,"reason":"illegal-move","text":"Bb6"}`: the byte offset is that of the
//! record's start in the decompressed stream, records count from 1 in each stream, `ply` is null where no move is at fault.

use std::{
    io::Write,
    path::{Path, PathBuf},
};

use output::{Existing, OutputFile};
use pgn::input::{Place, Sources};
use serde::Serialize;

use crate::{Error, Result};

/// Bytes gathered before they are written.
const PIECE_BYTES: usize = 1 << 16;

/// Writes the list; it appears when all is told.
pub(super) struct RejectedList {
    output: OutputFile,
    piece: Vec<u8>,
}

/// Something that taught nothing because it could not be read as meant.
pub(super) struct Rejected<'r> {
    pub(super) place: Place,
    pub(super) number: u64,
    pub(super) ply: Option<u32>,
    pub(super) reason: &'r str,
    pub(super) text: &'r str,
}

#[derive(Serialize)]
struct Line<'l> {
    input: &'l str,
    offset: u64,
    record: u64,
    ply: Option<u32>,
    reason: &'l str,
    text: &'l str,
}

impl RejectedList {
    pub(super) fn create(path: &Path, existing: Existing) -> Result<Self> {
        let output = OutputFile::create(path, existing).map_err(Error::output(path))?;
        Ok(Self { output, piece: Vec::new() })
    }

    pub(super) fn push(&mut self, sources: &Sources, rejected: &Rejected<'_>) -> Result<()> {
        let located = sources.locate(rejected.place);
        let &Rejected { number, ply, reason, text, .. } = rejected;
        let line = Line { input: &located.name, offset: located.offset, record: number, ply, reason, text };
        let Ok(()) = serde_json::to_writer(&mut self.piece, &line) else {
            unreachable!("strings and numbers serialise")
        };
        self.piece.push(b'\n');
        if self.piece.len() >= PIECE_BYTES { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> Result<()> {
        let written = self.output.file().write_all(&self.piece);
        self.piece.clear();
        written.map_err(Error::output(self.output.path()))
    }

    pub(super) fn finish(mut self) -> Result<PathBuf> {
        self.flush()?;
        let path = self.output.path().to_owned();
        self.output.finish().map_err(Error::output(&path))?;
        Ok(path)
    }
}
