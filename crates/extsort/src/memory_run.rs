//! A sorted run in memory: pages of blocks.
//!
//! # Format
//!
//! A page is a sequence of frames: bucket (4 bytes, little-endian), length of the block (4 bytes), the
//! [block](crate::block). Buckets ascend; a block never crosses a bucket's border or a page's end.

use std::path::Path;
use std::sync::Arc;

use crate::block::{BlockReader, Shape};
use crate::merge::Source;
use crate::pool::Pool;
use crate::{Error, Result, Row};

const FRAME_BYTES: usize = 8;

/// A piece of a run, filled once and then only read.
#[derive(Debug)]
pub(crate) struct Page {
    bytes: Vec<u8>,
    bucket_last: u32,
}

impl Page {
    pub(crate) fn new(capacity: usize) -> Self {
        Self { bytes: Vec::with_capacity(capacity), bucket_last: 0 }
    }

    pub(crate) fn capacity(&self) -> usize {
        self.bytes.capacity()
    }

    /// The bytes a block of `block_bytes` bytes takes in a page.
    pub(crate) fn frame_bytes(block_bytes: usize) -> usize {
        FRAME_BYTES + block_bytes
    }

    pub(crate) fn has_room(&self, block_bytes: usize) -> bool {
        self.bytes.len() + Self::frame_bytes(block_bytes) <= self.bytes.capacity()
    }

    pub(crate) fn push(&mut self, bucket: u32, block: &[u8]) {
        self.bytes.extend_from_slice(&bucket.to_le_bytes());
        self.bytes.extend_from_slice(&(block.len() as u32).to_le_bytes());
        self.bytes.extend_from_slice(block);
        self.bucket_last = bucket;
    }

    /// Empties the page for another use.
    pub(crate) fn clear(&mut self) {
        self.bytes.clear();
    }

    /// Gives back what was not filled.
    pub(crate) fn shrink(&mut self) {
        self.bytes.shrink_to_fit();
    }

    /// The frame at `at`: its bucket, and where its block starts and ends.
    fn frame(&self, at: usize) -> Option<(u32, usize, usize)> {
        let (bucket, rest) = self.bytes.get(at..)?.split_first_chunk::<4>()?;
        let (length, rest) = rest.split_first_chunk::<4>()?;
        let length = u32::from_le_bytes(*length) as usize;
        let start = at + FRAME_BYTES;
        (length <= rest.len()).then_some((u32::from_le_bytes(*bucket), start, start + length))
    }

    /// Where the first frame of `bucket` or a later one starts.
    fn seek(&self, bucket: u32) -> usize {
        let mut at = 0;
        while let Some((found, _, end)) = self.frame(at) {
            if found >= bucket {
                break;
            }
            at = end;
        }
        at
    }
}

/// A sorted run in memory.
#[derive(Debug, Default)]
pub(crate) struct MemoryRun {
    pub(crate) pages: Vec<Page>,
    pub(crate) rows: u64,
}

impl MemoryRun {
    pub(crate) fn bytes(&self) -> u64 {
        self.pages.iter().map(|page| page.capacity() as u64).sum()
    }
}

/// Who holds the pages that a cursor reads.
enum Pages {
    /// The run stays; one bucket of it is read.
    Shared { run: Arc<MemoryRun>, page: usize },
    /// The run is used up; every page goes back to the pool as soon as it is read.
    Drained { page: Option<Page>, rest: std::vec::IntoIter<Page>, pool: Arc<Pool> },
}

impl Pages {
    fn current(&self) -> Option<&Page> {
        match self {
            Self::Shared { run, page } => run.pages.get(*page),
            Self::Drained { page, .. } => page.as_ref(),
        }
    }

    fn advance(&mut self) {
        match self {
            Self::Shared { page, .. } => *page += 1,
            Self::Drained { page, rest, pool } => {
                if let Some(read) = std::mem::replace(page, rest.next()) {
                    pool.recycle(read);
                }
            }
        }
    }
}

impl Drop for Pages {
    fn drop(&mut self) {
        if let Self::Drained { page, rest, pool } = self {
            page.take().into_iter().chain(rest).for_each(|page| pool.recycle(page));
        }
    }
}

/// Reads a run in memory, one bucket of it or all.
pub(crate) struct MemorySource {
    pages: Pages,
    at: usize,
    /// The only bucket to read, if not all.
    bucket: Option<u32>,
    payload_bits: u32,
    block: Option<(BlockReader, usize, usize)>,
}

impl MemorySource {
    /// Reads one bucket.
    pub(crate) fn bucket(run: Arc<MemoryRun>, bucket: u32, payload_bits: u32) -> Self {
        let page = run.pages.partition_point(|page| page.bucket_last < bucket);
        let at = run.pages.get(page).map_or(0, |page| page.seek(bucket));
        let pages = Pages::Shared { run, page };
        Self { pages, at, bucket: Some(bucket), payload_bits, block: None }
    }

    /// Reads all and gives each page back to the pool as soon as it is done with.
    pub(crate) fn drain(run: MemoryRun, pool: Arc<Pool>, payload_bits: u32) -> Self {
        let mut rest = run.pages.into_iter();
        let pages = Pages::Drained { page: rest.next(), rest, pool };
        Self { pages, at: 0, bucket: None, payload_bits, block: None }
    }

    /// Opens the next block; `false` at the end.
    fn next_block<const LANES: usize>(&mut self) -> Result<bool> {
        while let Some(page) = self.pages.current() {
            if let Some((bucket, start, end)) = page.frame(self.at) {
                if self.bucket.is_some_and(|only| only != bucket) {
                    return Ok(false);
                }
                let shape = Shape::parse(&page.bytes[start..end], LANES)
                    .map_err(|damage| Error::corrupt(Path::new("run in memory"), start as u64, damage.0))?;
                self.block = Some((BlockReader::new(shape, self.payload_bits), start, end));
                self.at = end;
                return Ok(true);
            }
            self.pages.advance();
            self.at = 0;
        }
        Ok(false)
    }
}

impl<const LANES: usize> Source<LANES> for MemorySource {
    fn refill(&mut self, rows: &mut [Row<LANES>]) -> Result<usize> {
        loop {
            if let (Some((reader, start, end)), Some(page)) = (&mut self.block, self.pages.current()) {
                let count = reader
                    .read(&page.bytes[*start..*end], rows)
                    .map_err(|damage| Error::corrupt(Path::new("run in memory"), *start as u64, damage.0))?;
                if count > 0 {
                    return Ok(count);
                }
            }
            if !self.next_block::<LANES>()? {
                return Ok(0);
            }
        }
    }
}
