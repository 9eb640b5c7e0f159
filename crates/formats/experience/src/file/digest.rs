//! The digest of an experience file's content. A reader uses it to check that the rows are those that were
//! written.
//!
//! # Format
//!
//! The digest is the XXH3-64 of the header's JSON followed by every row in turn. A row begins with `key` (8
//! bytes), `move` (2), kind (1), the bit pattern of `learn` as a single-precision float (4) and the four
//! counts (4 each). Then come `user_value`, `priority`, `nag`, `eval` and `depth`, each as a byte 1 and the
//! value, or as a byte 0 if there is no value; if the file has evaluations, `mate` and `nodes` follow in the
//! same way. The row ends with the number of sources (4) and, for each source, its index in the header (4),
//! the lesson (1), the count (4) and the last day (4). Numbers are little-endian. The digest is in the
//! key-value metadata as sixteen hexadecimal digits, under `tabia.xxh3`.

use position::ExperienceRow;
use xxhash_rust::xxh3::Xxh3;

use super::header::ExperienceHeader;
use table::storage::digits;

/// The digest's key in a file's key-value metadata.
pub(crate) const METADATA_KEY: &str = "tabia.xxh3";

/// Rows are buffered until they take up this many bytes, then hashed.
const GATHERED_BYTES: usize = 1 << 14;

/// The digest of the header and of the rows added so far.
#[derive(Clone)]
pub(crate) struct Digest {
    hash: Xxh3,
    /// The bytes that are not hashed yet.
    bytes: Vec<u8>,
    evaluations: bool,
}

impl Digest {
    pub(crate) fn new(header: &ExperienceHeader) -> Self {
        let mut hash = Xxh3::new();
        hash.update(header.to_json().as_bytes());
        Self { hash, bytes: Vec::new(), evaluations: header.evaluations }
    }

    pub(crate) fn push(&mut self, row: &ExperienceRow) {
        if self.bytes.len() >= GATHERED_BYTES {
            self.hash.update(&self.bytes);
            self.bytes.clear();
        }
        let (bytes, known) = (&mut self.bytes, &row.experience);
        bytes.extend(row.key.0.to_le_bytes());
        bytes.extend(row.mv.0.to_le_bytes());
        bytes.push(row.kind as u8);
        bytes.extend(known.learn.to_bits().to_le_bytes());
        for count in [known.learn_count, known.own.wins, known.own.draws, known.own.losses] {
            bytes.extend(count.to_le_bytes());
        }
        for value in [known.user_value, known.priority, known.nag] {
            option(bytes, value.map(u8::to_le_bytes));
        }
        option(bytes, known.eval.map(f32::to_le_bytes));
        option(bytes, known.depth.map(u16::to_le_bytes));
        if self.evaluations {
            option(bytes, known.mate.map(i16::to_le_bytes));
            option(bytes, known.nodes.map(u64::to_le_bytes));
        }
        bytes.extend((row.taught.len() as u32).to_le_bytes());
        for taught in &row.taught {
            bytes.extend(taught.source.to_le_bytes());
            bytes.push(taught.lesson as u8);
            bytes.extend(taught.count.to_le_bytes());
            bytes.extend(taught.last.to_le_bytes());
        }
    }

    pub(crate) fn digits(&self) -> String {
        let mut hash = self.hash.clone();
        hash.update(&self.bytes);
        digits(hash.digest())
    }
}

fn option<const N: usize>(bytes: &mut Vec<u8>, value: Option<[u8; N]>) {
    bytes.push(u8::from(value.is_some()));
    bytes.extend(value.into_iter().flatten());
}
