//! Sums the reports of chunks as they arrive, to report the totals of each input.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use pgn::input::identity_of_blocks;
use run::{InputReport, InputStatus};
use serde::{Deserialize, Serialize};

use super::{chunk::digest_of, chunk_report::ChunkReport, list::ListDigest};

/// At most this many warnings from tasks are passed on to the user.
const WARNINGS_MAX: usize = 100;

/// The totals of an input, summed over the reports of its chunks.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
pub(super) struct InputTotals {
    /// An absolute path, or a URL.
    pub(super) file: String,
    pub(super) bytes: u64,
    /// A hash that combines the hashes of the input's blocks.
    pub(super) xxh3: String,
    /// How many of the plan's chunks belong to this input, and a digest that combines the digests of these
    /// chunks.
    pub(super) chunks: u32,
    pub(super) digest: u64,
    pub(super) status: InputStatus,
    /// How many observations were sorted, and how many runs and bytes were spilled for them.
    pub(super) observations: u64,
    pub(super) runs: u64,
    pub(super) bytes_spilled: u64,
}

/// The sums of the reports of chunks, which may arrive in any order.
///
/// # Memory
///
/// Uses about 50 bytes for each chunk, 8 bytes for each block of an input, and memory for each input's sums.
#[derive(Default)]
pub(super) struct ReportSums {
    chunks: BTreeMap<u32, KnownChunk>,
    inputs: Vec<InputTotals>,
    /// The index of each file in `inputs`.
    places: HashMap<String, u32>,
    /// The numbers of chunks and their warnings; only warnings from the lowest-numbered chunks are kept.
    warnings: BTreeSet<(u32, String)>,
    more_warnings: u64,
}

/// The data from a chunk's report that is kept until all reports have arrived.
struct KnownChunk {
    input: u32,
    digest: u64,
    blocks: Box<[u64]>,
    listed: Option<ListDigest>,
}

impl ReportSums {
    /// Whether no report has arrived yet.
    pub(super) fn is_empty(&self) -> bool {
        self.chunks.is_empty()
    }

    /// Whether the report of a chunk has arrived.
    pub(super) fn holds(&self, chunk: u32) -> bool {
        self.chunks.contains_key(&chunk)
    }

    /// Adds a report.
    pub(super) fn add(&mut self, report: ChunkReport) {
        let ChunkReport { chunk, status, blocks, observations, runs, bytes_spilled, warnings, listed } =
            report;
        let (number, digest) = (chunk.chunk, chunk.digest());
        let input = self.place_of(chunk.file, chunk.bytes);
        let sums = &mut self.inputs[input as usize];
        sums.status.add(&status);
        sums.observations += observations;
        sums.runs += runs;
        sums.bytes_spilled += bytes_spilled;
        self.chunks.insert(number, KnownChunk { input, digest, blocks: blocks.into(), listed });
        self.warnings.extend(warnings.into_iter().map(|warning| (number, warning)));
        while self.warnings.len() > WARNINGS_MAX {
            self.warnings.pop_last();
            self.more_warnings += 1;
        }
    }

    fn place_of(&mut self, file: String, bytes: u64) -> u32 {
        if let Some(place) = self.places.get(&file) {
            return *place;
        }
        let place = self.inputs.len() as u32;
        self.inputs.push(InputTotals { file: file.clone(), bytes, ..InputTotals::default() });
        self.places.insert(file, place);
        place
    }

    /// The first chunk below `chunks` whose report has not arrived.
    pub(super) fn missing(&self, chunks: u32) -> Option<u32> {
        (0..chunks).find(|chunk| !self.holds(*chunk))
    }

    /// The digests of the chunks' lists of rejected games.
    pub(super) fn lists(&self) -> impl Iterator<Item = (u32, &ListDigest)> {
        self.chunks.iter().filter_map(|(chunk, known)| Some((*chunk, known.listed.as_ref()?)))
    }

    /// The inputs in the order of the plan, and the warnings.
    pub(super) fn finish(mut self) -> (Vec<InputTotals>, Vec<String>) {
        let chunks: Vec<_> = std::mem::take(&mut self.chunks).into_values().collect();
        let of_inputs = chunks.chunk_by(|one, next| one.input == next.input);
        let inputs = of_inputs.map(|chunks| {
            let totals = std::mem::take(&mut self.inputs[chunks[0].input as usize]);
            let blocks: Vec<u64> = chunks.iter().flat_map(|chunk| chunk.blocks.iter().copied()).collect();
            InputTotals {
                xxh3: format!("{:016x}", identity_of_blocks(&blocks)),
                chunks: chunks.len() as u32,
                digest: digest_of(chunks.iter().map(|chunk| chunk.digest)),
                ..totals
            }
        });
        let inputs = inputs.collect();
        let more = self.more_warnings;
        let more = (more > 0).then(|| format!("{more} more warnings from tasks are not shown"));
        (inputs, self.warnings.into_iter().map(|(_, warning)| warning).chain(more).collect())
    }
}

impl InputTotals {
    /// Returns the report on the input.
    pub(super) fn report(&self) -> InputReport {
        let status = self.status.clone();
        InputReport {
            name: self.file.clone(),
            bytes: self.bytes,
            xxh3: Some(self.xxh3.clone()),
            games: status.games,
            accepted: status.accepted,
            filtered: status.passed_over,
            rejected: status.rejected,
            copies: status.copies,
            lenient: status.lenient,
            ..InputReport::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Chunk, PlanId, Trace};

    /// Returns the report of a chunk. Each file has a thousand chunks; each of the first three contains one
    /// game, and the others contain none.
    fn report(number: u32) -> ChunkReport {
        let (file, bytes) = (format!("{}.pgn", number / 1000), 1000);
        let (start, end) = (u64::from(number % 1000), u64::from(number % 1000) + 1);
        let (plan, trace, seal) = (PlanId::default(), Trace::default(), String::new());
        let chunk = Chunk { chunk: number, file, start, end, bytes, trace, seal, plan };
        let status = InputStatus { games: u64::from(number % 1000 < 3), ..InputStatus::default() };
        let warnings = vec![format!("chunk {number}")];
        let blocks = vec![number.into()];
        ChunkReport {
            chunk,
            status,
            blocks,
            observations: 1,
            runs: 0,
            bytes_spilled: 0,
            warnings,
            listed: None,
        }
    }

    fn sums(numbers: impl Iterator<Item = u32>) -> (Vec<InputTotals>, Vec<String>) {
        let mut sums = ReportSums::default();
        numbers.for_each(|number| sums.add(report(number)));
        assert_eq!(sums.missing(2000), None);
        sums.finish()
    }

    #[test]
    fn reports_in_any_order_make_the_same_sums_which_do_not_grow_with_chunks() {
        let (inputs, warnings) = sums(0..2000);
        assert!((inputs.clone(), warnings.clone()) == sums((0..2000).rev()));
        let of_input: Vec<_> = inputs.iter().map(|input| (input.chunks, input.observations)).collect();
        assert_eq!(of_input, [(1000, 1000), (1000, 1000)]);
        assert!(inputs.iter().all(|input| input.status.games == 3));
        let digests: Vec<u64> = (1000..2000).map(|number| report(number).chunk.digest()).collect();
        assert_eq!(inputs[1].digest, digest_of(digests.into_iter()));
        assert_eq!(
            (warnings.len(), warnings[100].as_str()),
            (101, "1900 more warnings from tasks are not shown")
        );
        assert!(serde_json::to_string(&inputs).unwrap().len() < 1000);
    }

    #[test]
    fn a_report_that_is_missing_is_known_by_its_number() {
        let mut sums = ReportSums::default();
        for number in [0, 1, 3] {
            sums.add(report(number));
        }
        assert!(sums.holds(3) && !sums.holds(2));
        assert_eq!((sums.missing(2), sums.missing(4)), (None, Some(2)));
    }
}
