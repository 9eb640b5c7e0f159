//! Chunks that one thread has counted since its last record.

use std::collections::BTreeMap;

use extsort::RunGroup;
use pgn::input::{BlockHashes, Chunk, Spans};

use super::{
    Resume,
    record::{Group, GroupInput, List, Run},
};
use crate::{Result, status::InputStatus};

/// How much more than any chunk so far the next one may give a byte, in quarters: a chunk that overflows the
/// buffer all the same becomes part of a group of several runs.
const MARGIN_QUARTERS: u64 = 5;
/// Text that is counted without a record at most: where few games pass the filters, a buffer may never be
/// full.
const TEXT_BYTES_MAX: u64 = 4 << 30;
/// Bytes of text by which what chunks give is measured.
const MEASURE_BYTES: u64 = 1 << 10;

/// The chunks of one thread since its last record.
pub(crate) struct PendingGroup<'r> {
    resume: &'r Resume,
    hashes: &'r BlockHashes,
    inputs: BTreeMap<u32, PendingInput>,
    /// Text in them.
    text_bytes: u64,
    /// The most items that a chunk gave for each [`MEASURE_BYTES`].
    items_max: u64,
}

/// Those of one input.
#[derive(Default)]
struct PendingInput {
    chunks: u64,
    spans: BTreeMap<u32, Spans>,
    counts: InputStatus,
}

impl<'r> PendingGroup<'r> {
    /// No chunks yet.
    pub(crate) fn new(resume: &'r Resume, hashes: &'r BlockHashes) -> Self {
        Self { resume, hashes, inputs: BTreeMap::new(), text_bytes: 0, items_max: 0 }
    }

    /// Whether the chunks should be recorded before `chunk` is counted: it may not fit where there is room
    /// for `room_items` more.
    pub(crate) fn ends_before(&self, chunk: &Chunk, room_items: u64) -> bool {
        let measures = (chunk.text.len() as u64).div_ceil(MEASURE_BYTES);
        let items = measures * self.items_max * MARGIN_QUARTERS / 4;
        !self.inputs.is_empty() && (room_items < items || self.text_bytes > TEXT_BYTES_MAX)
    }

    /// Adds a chunk that gave `items`.
    pub(crate) fn add(&mut self, chunk: &Chunk, counts: &InputStatus, items: u64) {
        self.items_max = self.items_max.max(items * MEASURE_BYTES / (chunk.text.len() as u64).max(1) + 1);
        self.text_bytes += chunk.text.len() as u64;
        let pending = self.inputs.entry(chunk.place.input).or_default();
        pending.chunks += 1;
        pending.spans.entry(chunk.place.part).or_default().insert(chunk.span());
        pending.counts.add(counts);
    }

    /// Records the chunks, which are wholly in `runs`, and the list of their rejected games.
    pub(crate) fn record(&mut self, runs: &RunGroup, list: Option<List>) -> Result<()> {
        let of_input = |(input, pending): (u32, PendingInput)| GroupInput {
            input,
            chunks: pending.chunks,
            spans: pending
                .spans
                .iter()
                .map(|(part, spans)| (*part, spans.iter().map(|span| (span.start, span.end)).collect()))
                .collect(),
            counts: pending.counts,
            blocks: Vec::new(),
        };
        let group = Group {
            runs: runs.runs.iter().map(Run::of).collect(),
            items: runs.items,
            inputs: std::mem::take(&mut self.inputs).into_iter().map(of_input).collect(),
            list,
        };
        self.text_bytes = 0;
        self.resume.record(group, |input, from| self.hashes.of(input, from))
    }
}
