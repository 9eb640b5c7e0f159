//! Reads one part of an input: text in, chunks out.

use super::{
    bounds::GameBounds,
    chunk::Chunk,
    cutter::{CutSizes, Cutter},
    fault::{Blame, FaultAt},
    places::{Part, Place},
    rule::Rule,
    source::{OpenPart, PartText},
};
use crate::Result;

/// Cuts one part of an input into chunks.
pub(crate) struct PartReader {
    input: u32,
    part: u32,
    member: Option<String>,
    rule: Rule,
    bounds: GameBounds,
    text: PartText,
    cutter: Cutter,
    blame: Blame,
    done: bool,
}

impl PartReader {
    pub(crate) fn new(
        input: u32,
        open: OpenPart,
        (chunk_bytes, bounds): (usize, GameBounds),
        blame: Blame,
    ) -> Self {
        let OpenPart { part, member, rule, text } = open;
        let cutter = Cutter::new(CutSizes { chunk_bytes, game_bytes_max: bounds.max_game_bytes }, rule);
        Self { input, part, member, rule, bounds, text, cutter, blame, done: false }
    }

    /// Reads the next chunk into `buffer`; the buffer comes back with the chunk, or stays at the end of the
    /// part.
    ///
    /// # Errors
    /// If the input cannot be read or unpacked; then the part is done.
    pub(crate) fn next(&mut self, buffer: &mut Vec<u8>) -> Result<Option<Chunk>> {
        if self.done {
            return Ok(None);
        }
        match self.cutter.next(&mut self.text, buffer) {
            Ok(Some(offset)) => Ok(Some(self.chunk(offset, std::mem::take(buffer)))),
            Ok(None) => {
                self.done = true;
                Ok(None)
            }
            Err(error) => {
                self.done = true;
                Err(self.blame.explain(error, self.fault_at()))
            }
        }
    }

    fn chunk(&self, offset: u64, text: Vec<u8>) -> Chunk {
        let before = match &self.text {
            PartText::Run(run) => run.skipped_bytes(),
            _ => 0,
        };
        let place = Place { input: self.input, part: self.part, offset: before + offset };
        Chunk { place, text, rule: self.rule, bounds: self.bounds }
    }

    fn fault_at(&self) -> FaultAt<'_> {
        let member = self.member.as_deref();
        match &self.text {
            PartText::Run(run) => FaultAt { member, stored: Some(run.stored_offset()), text: None },
            _ => FaultAt { member, stored: None, text: Some(self.cutter.read_bytes()) },
        }
    }

    /// What was read, for the report; `None` if nothing of it was text.
    pub(crate) fn account(&self) -> Option<(u32, u32, Part)> {
        let bytes = match &self.text {
            PartText::Whole(_) => self.cutter.offset(),
            PartText::Run(run) => run.own_bytes(),
            PartText::Hash(_) => return None,
        };
        Some((self.input, self.part, Part { member: self.member.clone(), bytes }))
    }
}
