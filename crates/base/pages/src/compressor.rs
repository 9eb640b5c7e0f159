//! How pages are compressed.

use std::cell::RefCell;

use parquet::{
    basic::{Compression, ZstdLevel},
    errors::Result,
};
use zstd::{
    bulk,
    zstd_safe::{CParameter, ParamSwitch},
};

use crate::Body;

/// The compression level. The level has less effect than the choice between compressing with and without a
/// search for repetitions.
const ZSTD_LEVEL: i32 = 1;

/// The minimum length, in bytes, of the repetitions that zstd searches for. In bit-packed indices, shorter
/// repetitions occur only by chance and cost more bytes than they save.
const MIN_MATCH_BYTES: u32 = 7;

/// The distance between the offsets at which zstd searches for repetitions. This distance is longer than any
/// page, so zstd finds no repetitions.
const NO_MATCHES: u32 = 128 * 1024;

/// Compresses pages into zstd frames, with or without a search for repetitions.
pub struct Compressor {
    matches: bulk::Compressor<'static>,
    entropy: bulk::Compressor<'static>,
    level: ZstdLevel,
}

/// Memory that all columns of a thread share, because many files may be open at the same time.
pub(crate) struct Scratch {
    pub(crate) compressor: Compressor,
    pub(crate) chunk: Vec<u8>,
}

/// The scratch memory that is kept between two chunks.
const CHUNK_BYTES: usize = 4 << 20;

thread_local! {
    static SCRATCH: RefCell<Option<Scratch>> = const { RefCell::new(None) };
}

impl Scratch {
    /// Calls `work` with the scratch memory of this thread.
    pub(crate) fn with<T>(work: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        SCRATCH.with_borrow_mut(|scratch| {
            let scratch = match scratch {
                Some(scratch) => scratch,
                none => none.insert(Self { compressor: Compressor::new()?, chunk: Vec::new() }),
            };
            let done = work(scratch);
            scratch.chunk.clear();
            scratch.chunk.shrink_to(CHUNK_BYTES);
            done
        })
    }
}

/// The Zstandard level for the columns that are compressed.
///
/// # Errors
///
/// Never fails, because Zstandard has this level.
pub fn zstd_level() -> Result<ZstdLevel> {
    ZstdLevel::try_new(ZSTD_LEVEL)
}

impl Compressor {
    /// Creates a compressor for [`zstd_level`].
    ///
    /// # Errors
    ///
    /// Fails if Zstandard refuses a setting.
    pub fn new() -> Result<Self> {
        let level = zstd_level()?;
        let mut matches = bulk::Compressor::new(level.compression_level())?;
        matches.set_parameter(CParameter::MinMatch(MIN_MATCH_BYTES))?;
        let mut entropy = bulk::Compressor::new(level.compression_level())?;
        entropy.set_parameter(CParameter::TargetLength(NO_MATCHES))?;
        entropy.set_parameter(CParameter::LiteralCompressionMode(ParamSwitch::Enable))?;
        Ok(Self { matches, entropy, level })
    }

    /// The codec that readers need to read the frames.
    #[must_use]
    pub fn codec(&self) -> Compression {
        Compression::ZSTD(self.level)
    }

    /// Compresses a page by replacing long repetitions and entropy-coding the rest.
    ///
    /// # Errors
    ///
    /// Fails if Zstandard fails.
    pub fn matches(&mut self, page: &[u8]) -> Result<Body> {
        Ok(Body { bytes: self.matches.compress(page)?, uncompressed: page.len() })
    }

    /// Compresses a page by entropy coding alone. The counts of neighbouring rows are unrelated, so bytes
    /// repeat only by chance; without a search for repetitions, compression is both better and much faster.
    ///
    /// # Errors
    ///
    /// Fails if Zstandard fails.
    pub fn entropy(&mut self, page: &[u8]) -> Result<Body> {
        Ok(Body { bytes: self.entropy.compress(page)?, uncompressed: page.len() })
    }
}
