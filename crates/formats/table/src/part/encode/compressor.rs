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

/// Shorter repetitions are not searched for: in packed indices they occur only by chance, and cost more than
/// the bytes that they replace.
const MIN_MATCH_BYTES: u32 = 7;

/// The distance between the offsets at which repetitions are searched for; larger than a page, so that none
/// is found.
const NO_MATCHES: u32 = 128 * 1024;

/// Makes zstd frames in two ways.
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

    /// The codec that readers need for the frames.
    pub(super) fn codec(&self) -> Compression {
        Compression::ZSTD(self.level)
    }

    /// Compresses a page: long repetitions are replaced, and the rest is coded according to its frequency.
    pub(super) fn matches(&mut self, page: &[u8]) -> Result<Body> {
        Ok(Body { bytes: self.matches.compress(page)?, uncompressed: page.len() })
    }

    /// Compresses a page only by coding its bytes according to their frequency. The counts of neighbouring
    /// rows are unrelated, so bytes repeat only by chance, and this coding alone is both smaller and much
    /// faster.
    pub(super) fn entropy(&mut self, page: &[u8]) -> Result<Body> {
        Ok(Body { bytes: self.entropy.compress(page)?, uncompressed: page.len() })
    }
}
