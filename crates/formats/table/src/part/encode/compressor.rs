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

/// Shorter repetitions are not looked for: in packed indices they are chance, and cost more
/// than the bytes they replace.
const MIN_MATCH_BYTES: u32 = 7;

/// The step between the places where a repetition is looked for; more than a page has, so that none is.
const NO_MATCHES: u32 = 128 * 1024;

/// Two ways to make zstd frames.
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

    /// The codec that a reader must know for the frames.
    pub(super) fn codec(&self) -> Compression {
        Compression::ZSTD(self.level)
    }

    /// The page with long repetitions replaced, and the rest coded by frequency.
    pub(super) fn matches(&mut self, page: &[u8]) -> Result<Body> {
        Ok(Body { bytes: self.matches.compress(page)?, uncompressed: page.len() })
    }

    /// The page with its bytes coded by their frequency, and nothing else: a row's count says nothing about
    /// the next row's, so bytes repeat by chance only, and coding by frequency alone is both smaller and much
    /// faster.
    pub(super) fn entropy(&mut self, page: &[u8]) -> Result<Body> {
        Ok(Body { bytes: self.entropy.compress(page)?, uncompressed: page.len() })
    }
}
