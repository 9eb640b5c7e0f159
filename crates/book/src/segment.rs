//! Encoding positions to bytes, in as many pieces and threads as one likes.

use position::Key;

use crate::{
    Error, PositionEntry, Result,
    entries::{
        body::Body,
        bucket::{KeyBits, OpenBucket},
    },
};

/// Positions, edges and leaves.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(crate) struct Counts {
    pub(crate) positions: u64,
    pub(crate) edges: u64,
    pub(crate) leaves: u64,
}

impl Counts {
    pub(crate) fn count(&mut self, entry: &PositionEntry) {
        self.positions += 1;
        self.edges += entry.edges.len() as u64;
        self.leaves += u64::from(entry.is_leaf());
    }

    pub(crate) fn add(&mut self, other: Counts) {
        self.positions += other.positions;
        self.edges += other.edges;
        self.leaves += other.leaves;
    }
}

/// A run of positions, encoded for one book; goes to [`BookWriter::append`](crate::BookWriter::append).
///
/// # Memory
///
/// What the positions take in the book (about eight bytes each), and four bytes a bucket of 17–32 positions.
#[derive(Debug)]
pub struct Segment {
    pub(crate) bits: KeyBits,
    pub(crate) counts: Counts,
    /// First and last key; none in an empty segment.
    pub(crate) keys: Option<(Key, Key)>,
    /// The first bucket, which the segment before may have begun.
    pub(crate) first: OpenBucket,
    /// The buckets after the first, up to but without the last.
    pub(crate) lengths: Vec<u32>,
    pub(crate) bytes: Vec<u8>,
    /// The last bucket, unless it is the first; the segment after may go on with it.
    pub(crate) last: OpenBucket,
}

impl Segment {
    fn new(bits: KeyBits) -> Self {
        let (first, last) = (OpenBucket::default(), OpenBucket::default());
        Self {
            bits,
            counts: Counts::default(),
            keys: None,
            first,
            lengths: Vec::new(),
            bytes: Vec::new(),
            last,
        }
    }

    /// The last bucket, when `closed` buckets lie between it and the first.
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

/// The length of a bucket as the writer remembers it.
pub(crate) fn bucket_length(bytes: usize) -> Result<u32> {
    u32::try_from(bytes).map_err(|_| Error::BucketTooLong { got: bytes as u64 })
}

/// Encodes ascending positions into a [`Segment`]. Where one segment ends and the next begins leaves no trace in the book.
///
/// # Memory
///
/// That of its segment: empty it with [`take`](Self::take) as often as is right.
#[derive(Debug)]
pub struct SegmentEncoder {
    segment: Segment,
}

impl SegmentEncoder {
    pub(crate) fn new(bits: KeyBits) -> Self {
        Self { segment: Segment::new(bits) }
    }

    /// Adds a position.
    ///
    /// # Errors
    ///
    /// [`Error::Order`] if its key is not above the one before in this segment, [`Error::Entry`] if no book can hold it: its
    /// moves not ascending, one of them 0 or with an unknown promotion, more games in its moves than in itself, or more than
    /// 2^63 − 1 games. The segment stays as it was.
    pub fn push(&mut self, entry: &PositionEntry) -> Result<()> {
        let segment = &mut self.segment;
        let (key, first_key) = (entry.key, segment.keys.map_or(entry.key, |(first, _)| first));
        if let Some((_, previous)) = segment.keys.filter(|&(_, last)| last >= key) {
            return Err(Error::Order { previous, got: key });
        }
        let body = Body::of(entry).map_err(|broken| Error::Entry { key, what: broken.0 })?;
        let ahead = segment.bits.bucket_of(key) - segment.bits.bucket_of(first_key);
        let open = if ahead == 0 { &mut segment.first } else { segment.last_after(ahead - 1)? };
        open.push(key, body);
        segment.keys = Some((first_key, key));
        segment.counts.count(entry);
        Ok(())
    }

    /// Bytes encoded so far, without the first and last bucket.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.segment.bytes.len()
    }

    /// The segment so far; the encoder starts another one.
    #[must_use]
    pub fn take(&mut self) -> Segment {
        let empty = Segment::new(self.segment.bits);
        std::mem::replace(&mut self.segment, empty)
    }
}
