//! A chunk of items into a sorted run in memory.

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

use crate::block::{BlockEncoder, block_bytes_max};
use crate::budget::MEMORY_BLOCK_ROWS;
use crate::chunk::Chunk;
use crate::cutter::{BlockSink, Cutter};
use crate::item::collapse;
use crate::memory_run::{MemoryRun, Page};
use crate::pool::Grant;
use crate::radix::PieceSorter;
use crate::spill::Shared;
use crate::{Item, Result, Row};

/// Rows summed at a time: they stay in the first-level cache.
const COLLAPSE_ROWS: usize = 128;

/// Sorts chunks, sums equal ids and encodes the rows into pages.
pub(crate) struct RunBuilder<const LANES: usize> {
    shared: Arc<Shared>,
    cutter: Cutter<PageSink, LANES>,
}

/// Where the blocks of a run in memory go.
struct PageSink {
    shared: Arc<Shared>,
    run: MemoryRun,
    block: Vec<u8>,
}

impl<const LANES: usize> RunBuilder<LANES> {
    pub(crate) fn new(shared: Arc<Shared>) -> Self {
        let block = Vec::with_capacity(block_bytes_max(MEMORY_BLOCK_ROWS, LANES));
        let sink = PageSink { shared: Arc::clone(&shared), run: MemoryRun::default(), block };
        let cutter = Cutter::new(MEMORY_BLOCK_ROWS, shared.options.buckets, sink);
        Self { shared, cutter }
    }

    /// What a builder holds beside the pages.
    pub(crate) const fn memory_bytes() -> usize {
        BlockEncoder::<LANES>::memory_bytes(MEMORY_BLOCK_ROWS) + block_bytes_max(MEMORY_BLOCK_ROWS, LANES)
    }

    /// Makes a run of the chunk's items and hands it to the pool; spills if the pool says so.
    pub(crate) fn build<I: Item<LANES>>(
        &mut self,
        chunk: &mut Chunk<I>,
        sorter: &mut PieceSorter<I>,
    ) -> Result<()> {
        chunk.drain_sorted(sorter, |piece| self.push(piece))?;
        self.cutter.flush()?;
        let run = std::mem::take(&mut self.cutter.sink().run);
        self.shared.counters.rows.fetch_add(run.rows, Relaxed);
        match self.shared.pool.publish(run)? {
            Some(spill) => self.shared.spill::<LANES>(spill),
            None => Ok(()),
        }
    }
}

impl<const LANES: usize> RunBuilder<LANES> {
    /// Adds the rows of sorted items.
    fn push<I: Item<LANES>>(&mut self, mut items: &[I]) -> Result<()> {
        let mut rows = [Row::EMPTY; COLLAPSE_ROWS];
        while !items.is_empty() {
            let (used, made) = collapse(items, &mut rows);
            for row in &rows[..made] {
                self.cutter.push(row.id, row.note, &row.sums)?;
            }
            items = &items[used..];
        }
        Ok(())
    }
}

impl PageSink {
    /// Gets an empty page; spills, or waits for another thread that does, until there is one.
    fn page<const LANES: usize>(&mut self) -> Result<Page> {
        loop {
            match self.shared.pool.page(&mut self.run)? {
                Grant::Page(page) => return Ok(page),
                Grant::Spill(spill) => self.shared.spill::<LANES>(spill)?,
            }
        }
    }
}

impl<const LANES: usize> BlockSink<LANES> for PageSink {
    fn block(&mut self, bucket: u32, _last: bool, rows: &mut BlockEncoder<LANES>) -> Result<()> {
        let count = rows.rows() as u64;
        self.block.clear();
        rows.encode(&mut self.block);
        if !self.run.pages.last().is_some_and(|page| page.has_room(self.block.len())) {
            let page = self.page::<LANES>()?;
            self.run.pages.push(page);
        }
        if let Some(page) = self.run.pages.last_mut() {
            page.push(bucket, &self.block);
        }
        self.run.rows += count;
        Ok(())
    }
}
