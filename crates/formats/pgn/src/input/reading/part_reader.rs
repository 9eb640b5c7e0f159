//! Reads one part of an input: turns its text into chunks.

use std::{
    io::{self, Read},
    iter::Peekable,
    ops::Range,
    vec,
};

use super::{
    done::Spans,
    open_input::{OpenPart, PartText},
    places::Part,
};
use crate::{
    Result,
    input::{
        cutting::{Chunk, CutSizes, Cutter, GameBounds, Place, Rule},
        packings::{Blame, FaultAt},
    },
};

/// Cuts one part of an input into chunks.
///
/// Spans that an earlier run has read are skipped. Spans begin and end where games start, so the text between
/// two spans is cut like a separate text.
pub(crate) struct PartReader {
    input: u32,
    part: u32,
    member: Option<String>,
    rule: Rule,
    sizes: CutSizes,
    bounds: GameBounds,
    text: PartText,
    cutter: Cutter,
    /// The offset in the part at which the cutter started; `None` if it started at the beginning of the text.
    resumed_at: Option<u64>,
    /// The number of bytes of text before the next span to skip; `u64::MAX` if there is none.
    bytes_left: u64,
    done_spans: Peekable<vec::IntoIter<Range<u64>>>,
    blame: Blame,
    done: bool,
}

impl PartReader {
    /// Reads the text that is not in `done_spans`.
    pub(crate) fn new(
        input: u32,
        open: OpenPart,
        (chunk_bytes, bounds): (usize, GameBounds),
        blame: Blame,
        done_spans: Option<&Spans>,
    ) -> Self {
        let OpenPart { part, member, rule, text } = open;
        let done_spans: Vec<_> = done_spans.into_iter().flat_map(Spans::iter).collect();
        let sizes = CutSizes { chunk_bytes, game_bytes_max: bounds.max_game_bytes };
        let resumed_at = match &text {
            PartText::Section(section) => Some(section.start),
            _ => None,
        };
        Self {
            input,
            part,
            member,
            rule,
            sizes,
            bounds,
            text,
            cutter: Cutter::new(sizes, rule),
            resumed_at,
            bytes_left: u64::MAX,
            done_spans: done_spans.into_iter().peekable(),
            blame,
            done: false,
        }
    }

    /// Reads the next chunk into `buffer`. If a chunk is returned, it owns the buffer; at the end of the
    /// part, the caller keeps the buffer.
    ///
    /// # Errors
    /// Fails if the input cannot be read or decompressed; the part then ends.
    pub(crate) fn next(&mut self, buffer: &mut Vec<u8>) -> Result<Option<Chunk>> {
        if self.done {
            return Ok(None);
        }
        match self.cut(buffer) {
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

    /// Cuts the next chunk; returns its offset in the cutter's text.
    fn cut(&mut self, buffer: &mut Vec<u8>) -> io::Result<Option<u64>> {
        if self.resumed_at.is_none() && self.done_spans.peek().is_some() {
            // The start of the text in a run of frames is known only after the first read. A read of zero
            // bytes is enough.
            let none = self.text.read(&mut [])?;
            debug_assert_eq!(none, 0, "nothing was asked for");
            self.begin_at(self.text_start());
        }
        loop {
            let mut text = self.text.by_ref().take(self.bytes_left);
            let cut = self.cutter.next(&mut text, buffer);
            self.bytes_left = text.limit();
            if let Some(offset) = cut? {
                return Ok(Some(offset));
            }
            let Some(span) = self.done_spans.next() else { return Ok(None) };
            if self.text.skip(span.end - span.start)? < span.end - span.start {
                return Err(self.blame.meter.changed());
            }
            self.begin_at(span.end);
        }
    }

    /// Starts a new cutter at an offset in the part, and limits it to the text before the next span to skip.
    fn begin_at(&mut self, offset: u64) {
        self.resumed_at = Some(offset);
        self.cutter = Cutter::new(self.sizes, self.rule);
        self.bytes_left = self.done_spans.peek().map_or(u64::MAX, |next| next.start.saturating_sub(offset));
    }

    /// The offset of the text's first byte in the part.
    fn text_start(&self) -> u64 {
        match &self.text {
            PartText::Run(run) => run.skipped_bytes,
            _ => 0,
        }
    }

    fn chunk(&self, offset: u64, text: Vec<u8>) -> Chunk {
        let start = self.resumed_at.unwrap_or_else(|| self.text_start());
        let place = Place { input: self.input, part: self.part, offset: start + offset };
        let end = start + self.cutter.offset;
        Chunk { place, text, end, rule: self.rule, bounds: self.bounds, copies: Vec::new() }
    }

    fn fault_at(&self) -> FaultAt<'_> {
        let member = self.member.as_deref();
        if let PartText::Run(run) = &self.text {
            return FaultAt { member, stored: Some(run.stored_offset()), text: None };
        }
        let text = self.resumed_at.unwrap_or(0) + self.cutter.read_bytes;
        FaultAt { member, stored: None, text: Some(text) }
    }

    /// The index of the input, the index of the part, and the part's entry in the report; `None` if the part
    /// has no text.
    pub(crate) fn account(&self) -> Option<(u32, u32, Part)> {
        let bytes = match &self.text {
            PartText::Whole(_) | PartText::Stored(_) | PartText::Section(_) => {
                self.resumed_at.unwrap_or(0) + self.cutter.offset
            }
            PartText::Run(run) => run.own_bytes,
            PartText::Hash(_) => return None,
        };
        Some((self.input, self.part, Part { member: self.member.clone(), bytes }))
    }
}
