//! Rows of ascending ids, cut into blocks at the borders of buckets.

use crate::Result;
use crate::block::BlockEncoder;
use crate::item::{bucket_last, bucket_of};

/// Where finished blocks go.
pub(crate) trait BlockSink<const LANES: usize> {
    /// Takes the rows out of `rows`, all of one bucket; `last` if they are the bucket's last.
    fn block(&mut self, bucket: u32, last: bool, rows: &mut BlockEncoder<LANES>) -> Result<()>;
}

/// Gathers rows into blocks for a sink.
pub(crate) struct Cutter<S, const LANES: usize> {
    rows: BlockEncoder<LANES>,
    buckets: u32,
    id_last: u128,
    /// The greatest high half of an id of the current bucket.
    high_last: u64,
    sink: S,
}

impl<S: BlockSink<LANES>, const LANES: usize> Cutter<S, LANES> {
    pub(crate) fn new(block_rows: usize, buckets: u32, sink: S) -> Self {
        Self { rows: BlockEncoder::new(block_rows), buckets, id_last: 0, high_last: 0, sink }
    }

    /// Adds a row; its id must be above the last one's.
    #[inline]
    pub(crate) fn push(&mut self, id: u128, note: u16, sums: &[u64; LANES]) -> Result<()> {
        if (id >> 64) as u64 > self.high_last || self.rows.is_full() {
            self.start_block(id)?;
        }
        assert!(id > self.id_last || self.rows.rows() == 0, "rows of a run ascend");
        self.rows.push(id, note, sums);
        self.id_last = id;
        Ok(())
    }

    /// Ends the block, if it has rows, because it is full or its bucket is another one than that of `id`.
    #[cold]
    fn start_block(&mut self, id: u128) -> Result<()> {
        let bucket = bucket_of(id, self.buckets);
        self.high_last = (bucket_last(id, self.buckets) >> 64) as u64;
        if self.rows.rows() > 0 { self.cut(bucket != bucket_of(self.id_last, self.buckets)) } else { Ok(()) }
    }

    fn cut(&mut self, last: bool) -> Result<()> {
        self.sink.block(bucket_of(self.id_last, self.buckets), last, &mut self.rows)
    }

    /// Writes out the rows gathered so far as the last of their bucket.
    pub(crate) fn flush(&mut self) -> Result<()> {
        self.high_last = 0;
        if self.rows.rows() > 0 { self.cut(true) } else { Ok(()) }
    }

    pub(crate) fn sink(&mut self) -> &mut S {
        &mut self.sink
    }

    pub(crate) fn into_sink(self) -> S {
        self.sink
    }
}
