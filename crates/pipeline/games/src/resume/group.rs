//! Tracks the chunks that a thread has counted since its last record.

use std::collections::BTreeMap;

use extsort::RunGroup;
use pgn::input::{BlockHashes, Chunk, Spans};
use run::{InputStatus, Result};

use super::{
    Resume,
    record::{CountedChunks, GroupInput, List, RecordedRun},
};

/// The next chunk is assumed to have at most 5/4 times as many items per byte of text as the densest chunk so
/// far. If the items of a chunk still overflow the buffer, the chunk's group has several runs.
const MARGIN_QUARTERS: u64 = 5;
/// Chunks are recorded once their text exceeds this many bytes, because the buffer may never fill up if few
/// games pass the filters.
const TEXT_BYTES_MAX: u64 = 4 << 30;
/// The density of a chunk is measured in items per this many bytes of text.
const MEASURE_BYTES: u64 = 1 << 10;

/// The chunks that one thread has counted since its last record.
pub struct PendingGroup<'r> {
    resume: &'r Resume,
    hashes: &'r BlockHashes,
    inputs: BTreeMap<u32, PendingInput>,
    /// Bytes of text in the chunks.
    text_bytes: u64,
    /// The density of the densest chunk: its number of items per [`MEASURE_BYTES`] of text.
    items_max: u64,
}

/// The chunks of one input.
#[derive(Default)]
struct PendingInput {
    chunks: u64,
    spans: BTreeMap<u32, Spans>,
    counts: InputStatus,
}

impl<'r> PendingGroup<'r> {
    /// A group without chunks.
    pub fn new(resume: &'r Resume, hashes: &'r BlockHashes) -> Self {
        Self { resume, hashes, inputs: BTreeMap::new(), text_bytes: 0, items_max: 0 }
    }

    /// Checks whether the chunks so far must be recorded before `chunk` is counted. There are two reasons to
    /// record them: they contain more than 4 GiB of text, or the items of `chunk` might not fit into the
    /// buffer, which has room for `room_items` more items. Only runs that contain nothing but whole chunks
    /// can be recorded, so the buffer is spilled between two chunks.
    #[must_use]
    pub fn ends_before(&self, chunk: &Chunk, room_items: u64) -> bool {
        let measures = (chunk.text.len() as u64).div_ceil(MEASURE_BYTES);
        let items = measures * self.items_max * MARGIN_QUARTERS / 4;
        !self.inputs.is_empty() && (room_items < items || self.text_bytes > TEXT_BYTES_MAX)
    }

    /// Adds a chunk that produced `items` items.
    pub fn add(&mut self, chunk: &Chunk, counts: &InputStatus, items: u64) {
        self.items_max = self.items_max.max(items * MEASURE_BYTES / (chunk.text.len() as u64).max(1) + 1);
        self.text_bytes += chunk.text.len() as u64;
        let pending = self.inputs.entry(chunk.place.input).or_default();
        pending.chunks += 1;
        pending.spans.entry(chunk.place.part).or_default().insert(chunk.span());
        pending.counts.add(counts);
    }

    /// Records the chunks and the list of their rejected games. All items of the chunks must be in `runs`.
    pub fn record(&mut self, runs: &RunGroup, list: Option<List>) -> Result<()> {
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
        let group = CountedChunks {
            runs: runs.runs.iter().map(RecordedRun::of).collect(),
            items: runs.items,
            inputs: std::mem::take(&mut self.inputs).into_iter().map(of_input).collect(),
            list,
        };
        self.text_bytes = 0;
        self.resume.record(group, |input, from| self.hashes.of(input, from))
    }
}
