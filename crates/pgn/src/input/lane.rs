//! One part of an input while it is read: text in, chunks out.

use super::{
    cut::{Games, pieces},
    cutter::{Cutter, Shape},
    fault::{Blame, FaultAt},
    places::{Part, Place},
    rule::Rule,
    source::{OpenPart, PartText},
};
use crate::Result;

/// Whole games, in the order they stand in their input.
#[derive(Clone, Debug)]
pub struct Chunk {
    /// Where its first byte stands.
    pub place: Place,
    /// Its bytes: from a game start, or the start of a stream, to another or the end.
    pub text: Vec<u8>,
    rule: Rule,
    game_bytes_max: usize,
}

impl Chunk {
    /// The games of the chunk.
    #[must_use]
    pub fn games(&self) -> Games<'_> {
        pieces(&self.text, self.rule, self.game_bytes_max)
    }

    /// Place of a byte of the chunk, such as [`super::Piece::offset`].
    #[must_use]
    pub fn place_of(&self, offset: usize) -> Place {
        Place { offset: self.place.offset + offset as u64, ..self.place }
    }
}

/// Cuts one part of an input.
pub(crate) struct Lane {
    input: u32,
    part: u32,
    member: Option<String>,
    rule: Rule,
    game_bytes_max: usize,
    text: PartText,
    cutter: Cutter,
    blame: Blame,
    done: bool,
}

impl Lane {
    pub(crate) fn new(input: u32, open: OpenPart, shape: Shape, blame: Blame) -> Self {
        let OpenPart { part, member, rule, text } = open;
        let (cutter, game_bytes_max) = (Cutter::new(shape, rule), shape.game_bytes_max);
        Self { input, part, member, rule, game_bytes_max, text, cutter, blame, done: false }
    }

    /// Reads the next chunk into `buffer`; the buffer comes back with the chunk, or stays at the end of the part.
    ///
    /// # Errors
    /// If the input cannot be read or unpacked; then the lane is done.
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
        Chunk { place, text, rule: self.rule, game_bytes_max: self.game_bytes_max }
    }

    fn fault_at(&self) -> FaultAt<'_> {
        let member = self.member.as_deref();
        match &self.text {
            PartText::Run(run) => FaultAt { member, stored: Some(run.stored_offset()), text: None },
            _ => FaultAt { member, stored: None, text: Some(self.cutter.read_bytes()) },
        }
    }

    /// What was read, for the account; none for what is no part of the text.
    pub(crate) fn account(&self) -> Option<(u32, u32, Part)> {
        let bytes = match &self.text {
            PartText::Whole(_) => self.cutter.offset(),
            PartText::Run(run) => run.own_bytes(),
            PartText::Hash(_) => return None,
        };
        Some((self.input, self.part, Part { member: self.member.clone(), bytes }))
    }
}
