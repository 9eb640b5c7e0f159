//! How pages are compressed.

use parquet::{
    basic::{Compression, ZstdLevel},
    errors::Result,
};
use zstd::{
    bulk,
    zstd_safe::{CParameter, ParamSwitch},
};

use super::chunk::Body;

/// The minimum length, in bytes, of the repetitions that zstd searches for. In bit-packed indices, shorter
/// repetitions occur only by chance and cost more bytes than they save.
const MIN_MATCH_BYTES: u32 = 7;

/// The distance between the offsets at which zstd searches for repetitions. This distance is longer than any
/// page, so zstd finds no repetitions.
const NO_MATCHES: u32 = 128 * 1024;

/// Compresses pages into zstd frames, with or without a search for repetitions.
pub(super) struct Compressor {
    matches: bulk::Compressor<'static>,
    entropy: bulk::Compressor<'static>,
    level: ZstdLevel,
}

impl Compressor {
    pub(super) fn new(level: ZstdLevel) -> Result<Self> {
        let mut matches = bulk::Compressor::new(level.compression_level())?;
        matches.set_parameter(CParameter::MinMatch(MIN_MATCH_BYTES))?;
        let mut entropy = bulk::Compressor::new(level.compression_level())?;
        entropy.set_parameter(CParameter::TargetLength(NO_MATCHES))?;
        entropy.set_parameter(CParameter::LiteralCompressionMode(ParamSwitch::Enable))?;
        Ok(Self { matches, entropy, level })
    }

    /// The codec that readers need to read the frames.
    pub(super) fn codec(&self) -> Compression {
        Compression::ZSTD(self.level)
    }

    /// Compresses a page by replacing long repetitions and entropy-coding the rest.
    pub(super) fn matches(&mut self, page: &[u8]) -> Result<Body> {
        Ok(Body { bytes: self.matches.compress(page)?, uncompressed: page.len() })
    }

    /// Compresses a page by entropy coding alone. The counts of neighbouring rows are unrelated, so bytes
    /// repeat only by chance; without a search for repetitions, compression is both better and much faster.
    pub(super) fn entropy(&mut self, page: &[u8]) -> Result<Body> {
        Ok(Body { bytes: self.entropy.compress(page)?, uncompressed: page.len() })
    }
}
