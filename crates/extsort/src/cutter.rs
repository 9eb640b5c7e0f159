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
    bucket_last: u128,
    sink: S,
}

impl<S: BlockSink<LANES>, const LANES: usize> Cutter<S, LANES> {
    pub(crate) fn new(block_rows: usize, buckets: u32, sink: S) -> Self {
        Self { rows: BlockEncoder::new(block_rows), buckets, id_last: 0, bucket_last: 0, sink }
    }

    /// Adds a row; its id must be above the last one's.
    #[inline]
    pub(crate) fn push(&mut self, id: u128, note: u16, sums: &[u64; LANES]) -> Result<()> {
        if self.rows.rows() == 0 {
            self.bucket_last = bucket_last(id, self.buckets);
        } else {
            assert!(id > self.id_last, "rows of a run ascend");
            if self.rows.is_full() || id > self.bucket_last {
                self.cut(id > self.bucket_last)?;
                self.bucket_last = bucket_last(id, self.buckets);
            }
        }
        self.rows.push(id, note, sums);
        self.id_last = id;
        Ok(())
    }

    #[cold]
    fn cut(&mut self, last: bool) -> Result<()> {
        self.sink.block(bucket_of(self.id_last, self.buckets), last, &mut self.rows)
    }

    /// Writes out the rows gathered so far as the last of their bucket.
    pub(crate) fn flush(&mut self) -> Result<()> {
        if self.rows.rows() > 0 { self.cut(true) } else { Ok(()) }
    }

    pub(crate) fn sink(&mut self) -> &mut S {
        &mut self.sink
    }

    pub(crate) fn into_sink(self) -> S {
        self.sink
    }
}
