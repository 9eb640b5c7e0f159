//! Encodes positions to bytes, in segments that threads can encode independently.

use position::Key;

use crate::{
    Error, PositionEntry, Result,
    tabia::entries::{
        body::Body,
        bucket::{KeyBits, OpenBucket},
    },
};

/// The numbers of positions, edges and leaves.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(crate) struct EntryCounts {
    pub(crate) positions: u64,
    pub(crate) edges: u64,
    pub(crate) leaves: u64,
}

impl EntryCounts {
    pub(crate) fn count(&mut self, entry: &PositionEntry) {
        self.positions += 1;
        self.edges += entry.edges.len() as u64;
        self.leaves += u64::from(entry.is_leaf());
    }

    pub(crate) fn add(&mut self, other: EntryCounts) {
        self.positions += other.positions;
        self.edges += other.edges;
        self.leaves += other.leaves;
    }
}

/// Consecutive positions that are encoded for one book, to be passed to
/// [`BookWriter::append`](crate::BookWriter::append). The bytes of the book do not depend on how positions
/// are divided into segments.
///
/// # Memory
///
/// Holds its positions as the book stores them (about eight bytes each), and four bytes for every 17–32
/// positions; [`take`](Self::take) empties it.
#[derive(Debug)]
#[must_use]
pub struct Segment {
    pub(crate) bits: KeyBits,
    pub(crate) counts: EntryCounts,
    /// The first and the last key; `None` if the segment is empty.
    pub(crate) keys: Option<(Key, Key)>,
    /// The first bucket. The previous segment may contain other positions of this bucket.
    pub(crate) first: OpenBucket,
    /// The lengths and the bytes of the buckets between the first and the last.
    pub(crate) lengths: Vec<u32>,
    pub(crate) bytes: Vec<u8>,
    /// The last bucket, if there are several. The next segment may contain other positions of this bucket.
    pub(crate) last: OpenBucket,
}

impl Segment {
    pub(crate) fn new(bits: KeyBits) -> Self {
        Self {
            bits,
            counts: EntryCounts::default(),
            keys: None,
            first: OpenBucket::default(),
            lengths: Vec::new(),
            bytes: Vec::new(),
            last: OpenBucket::default(),
        }
    }

    /// Adds a position.
    ///
    /// # Errors
    ///
    /// Fails with [`Error::Order`] if the key is not greater than the previous key in this segment, and with
    /// [`Error::Entry`] if no book can hold the position. This is the case if the moves are not in ascending
    /// order, if a move is 0 or has an unknown promotion, if the moves together have more games than the
    /// position, or if there are more than 2^63 − 1 games. After either error the segment is unchanged.
    pub fn push(&mut self, entry: &PositionEntry) -> Result<()> {
        let (key, first_key) = (entry.key, self.keys.map_or(entry.key, |(first, _)| first));
        if let Some((_, previous)) = self.keys.filter(|&(_, last)| last >= key) {
            return Err(Error::Order { previous, got: key });
        }
        let body = Body::of(entry).map_err(|malformed| Error::Entry { key, what: malformed.0 })?;
        let ahead = self.bits.bucket_of(key) - self.bits.bucket_of(first_key);
        let open = if ahead == 0 { &mut self.first } else { self.last_after(ahead - 1)? };
        open.push(key, body);
        self.keys = Some((first_key, key));
        self.counts.count(entry);
        Ok(())
    }

    /// The number of bytes encoded so far, excluding those of the first and the last bucket.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.bytes.len()
    }

    /// Returns the segment encoded so far and starts a new one.
    pub fn take(&mut self) -> Self {
        let empty = Self::new(self.bits);
        std::mem::replace(self, empty)
    }

    /// Makes the number of buckets between the first and the last bucket equal to `closed`. If there are
    /// fewer, closes the last bucket, adds empty buckets after it, and begins a new last bucket. Returns the
    /// last bucket, which is still open.
    fn last_after(&mut self, closed: u64) -> Result<&mut OpenBucket> {
        if (self.lengths.len() as u64) < closed {
            let before = self.bytes.len();
            self.last.close(self.bits, &mut self.bytes);
            self.lengths.push(bucket_length(self.bytes.len() - before)?);
            self.lengths.resize(closed as usize, 0);
        }
        Ok(&mut self.last)
    }
}

/// Converts the length of a bucket to the 32-bit number that the writer stores.
pub(crate) fn bucket_length(bytes: usize) -> Result<u32> {
    u32::try_from(bytes).map_err(|_| Error::BucketTooLong(bytes as u64))
}
