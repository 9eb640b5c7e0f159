//! The report on a chunk's games. The report is sent along with the chunk's run, and therefore arrives as
//! often as the run does.

use run::{InputReport, InputStatus, Summary};
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use super::{Chunk, PlanId, list::ListDigest};

/// The bucket to which all chunks send their reports as records.
pub(super) const BUCKET: u32 = 0;
/// The sequence number of a record that contains a report rather than part of a run.
pub(super) const SEQUENCE: i32 = -1;

/// Reports how many of a chunk's games were accepted, rejected and so on, and how many observations were
/// sorted.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub(super) struct ChunkReport {
    pub(super) chunk: Chunk,
    pub(super) status: InputStatus,
    /// The hashes of the input's blocks that start in the chunk.
    pub(super) blocks: Vec<u64>,
    /// How many observations were sorted, and how many runs and bytes were spilled for them.
    pub(super) observations: u64,
    pub(super) runs: u64,
    pub(super) bytes_spilled: u64,
    pub(super) warnings: Vec<String>,
    /// The list of the chunk's rejected games, if one was asked for.
    pub(super) listed: Option<ListDigest>,
}

impl ChunkReport {
    /// Builds a chunk's report from the summary of its count.
    pub(super) fn of(chunk: &Chunk, summary: &Summary, listed: Option<ListDigest>) -> Self {
        let InputReport { games, accepted, filtered, rejected, copies, lenient, blocks, .. } =
            summary.inputs.first().cloned().unwrap_or_default();
        let (cut, passed_over) = (summary.cut, filtered);
        let status = InputStatus { games, accepted, cut, passed_over, rejected, copies, lenient };
        Self {
            chunk: chunk.clone(),
            status,
            blocks,
            observations: summary.observations,
            runs: summary.runs,
            bytes_spilled: summary.bytes_spilled,
            warnings: summary.warnings.clone(),
            listed,
        }
    }

    /// Encodes the report for sending: its checksum, then its text.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let Ok(text) = serde_json::to_vec(self) else { unreachable!("it has plain values") };
        let mut bytes = xxh3_64(&text).to_le_bytes().to_vec();
        bytes.extend_from_slice(&text);
        bytes
    }

    /// Parses the bytes that [`to_bytes`](Self::to_bytes) returned for a chunk of this plan. Returns `None`
    /// for any other bytes.
    pub(super) fn parse(bytes: &[u8], plan: PlanId) -> Option<Self> {
        let (checksum, text) = bytes.split_first_chunk()?;
        let is_sound = u64::from_le_bytes(*checksum) == xxh3_64(text);
        let report: Self = is_sound.then(|| serde_json::from_slice(text).ok()).flatten()?;
        Some(Self { chunk: Chunk { plan, ..report.chunk }, ..report })
    }
}
