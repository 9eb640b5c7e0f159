//! Reads an `.exp` file.

use std::{
    fs::File,
    io::{BufReader, Read as _, Seek as _, SeekFrom},
    path::{Path, PathBuf},
};

use fault::FileFault;

use super::{ExpError, Layout, Record};

pub(super) const SIGNATURE: &[u8] = b"SugaR";
pub(super) const SIGNATURE_2: &[u8] = b"SugaR Experience version 2";
pub(super) const RECORD_BYTES: usize = 24;
const WIDE_BYTES: usize = 34;
/// The lengths in bytes of the two parts that follow the signature in the wide layout's header. The first
/// part holds the version, the seed, the bucket and the record size; the second part holds two blocks.
const WIDE_HEADER: [usize; 2] = [17, 2 * 22];

/// A file in memory. For each move of a position, only the deepest record is kept, or the one with the
/// highest value if several are equally deep.
#[derive(Debug)]
pub struct ExpFile {
    pub(super) path: PathBuf,
    /// The layout of its records.
    pub layout: Layout,
    /// The number of records dropped because they had no move or no depth, or because the same move had a
    /// better record.
    pub left_out: u64,
    /// The kept records, sorted by key and then by move in ascending order.
    pub(super) records: Vec<Record>,
}

impl ExpFile {
    /// Reads all records of a file.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read, if its length matches no known layout, or if its records, at 16
    /// bytes each, need more than `memory` bytes.
    pub fn read(path: &Path, memory: u64) -> Result<Self, ExpError> {
        let failed = |source| FileFault::new("", path, source);
        let file = File::open(path).map_err(failed)?;
        let bytes = file.metadata().map_err(failed)?.len();
        let mut file = BufReader::with_capacity(1 << 16, file);
        let mut head = Vec::new();
        let head_bytes = SIGNATURE_2.len() + WIDE_HEADER[0];
        file.by_ref().take(head_bytes as u64).read_to_end(&mut head).map_err(failed)?;
        let found = placed(&head, bytes);
        let (layout, begin) = found.ok_or(ExpError::Length { path: path.to_owned(), bytes })?;
        let record_bytes = if layout == Layout::SugarWide { WIDE_BYTES } else { RECORD_BYTES };
        let count = (bytes - begin as u64) / record_bytes as u64;
        let need = count * size_of::<Record>() as u64;
        if need > memory {
            let (need, limit) = (need.div_ceil(1 << 20), memory >> 20);
            return Err(ExpError::Memory { path: path.to_owned(), need, limit });
        }
        file.seek(SeekFrom::Start(begin as u64)).map_err(failed)?;
        let mut records = Vec::with_capacity(count as usize);
        let mut record = [0; WIDE_BYTES];
        for _ in 0..count {
            file.read_exact(&mut record[..record_bytes]).map_err(failed)?;
            records
                .extend(Some(decoded(layout, &record)).filter(|record| record.mv != 0 && record.depth > 0));
        }
        records.sort_unstable_by_key(|record| {
            (record.key, record.mv, std::cmp::Reverse((record.depth, record.value)))
        });
        records.dedup_by_key(|record| (record.key, record.mv));
        Ok(Self { path: path.to_owned(), layout, left_out: count - records.len() as u64, records })
    }

    /// The number of records that are kept, one for each move of a position.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.records.len() as u64
    }

    /// Whether no records are kept.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }
}

/// Determines a file's layout and the offset of its records from its first bytes and its length.
fn placed(head: &[u8], bytes: u64) -> Option<(Layout, usize)> {
    let whole = |begin: usize, record: usize| {
        bytes.checked_sub(begin as u64).is_some_and(|rest| rest % record as u64 == 0)
    };
    let Some(after) = head.strip_prefix(SIGNATURE_2) else {
        let (layout, begin) = if head.starts_with(SIGNATURE) {
            (Layout::SugarV1, SIGNATURE.len())
        } else {
            (Layout::BrainLearn, 0)
        };
        return whole(begin, RECORD_BYTES).then_some((layout, begin));
    };
    let wide = SIGNATURE_2.len() + WIDE_HEADER.iter().sum::<usize>();
    let says_wide =
        after.get(WIDE_HEADER[0] - 4..).is_some_and(|size| size == (WIDE_BYTES as u32).to_le_bytes());
    if says_wide && whole(wide, WIDE_BYTES) {
        return Some((Layout::SugarWide, wide));
    }
    whole(SIGNATURE_2.len(), RECORD_BYTES).then_some((Layout::SugarV2, SIGNATURE_2.len()))
}

fn decoded(layout: Layout, bytes: &[u8; WIDE_BYTES]) -> Record {
    let short = |at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
    let int = |at: usize| i32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
    let key = u64::from_le_bytes(std::array::from_fn(|at| bytes[at]));
    let plies = |depth: i32| u16::try_from(depth.max(0)).unwrap_or(u16::MAX);
    match layout {
        Layout::BrainLearn => Record { key, mv: short(16), depth: plies(int(8)), value: int(12) },
        Layout::SugarV1 | Layout::SugarV2 => {
            Record { key, mv: short(8), depth: plies(int(16)), value: int(12) }
        }
        Layout::SugarWide => {
            let [value, depth] = [10, 12].map(|at| i32::from(short(at).cast_signed()));
            Record { key, mv: short(8), depth: plies(depth), value }
        }
    }
}
