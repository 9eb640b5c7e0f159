//! Columns of keys and of numbers, cut into pages and encoded.

use std::io::Write;

use parquet::{
    basic::{Compression, Encoding, ZstdLevel},
    errors::Result,
    file::writer::SerializedRowGroupWriter,
    schema::types::ColumnDescPtr,
};
use zstd::zstd_safe::CParameter;

use super::{
    chunk::{Body, Chunk, plain},
    delta,
    dictionary::Dictionary,
};

/// Rows of every page but a row group's last: an eighth of a row group.
pub(crate) const PAGE_ROWS: usize = 16_384;

/// Shorter repetitions are not looked for: in packed indices they are chance, and cost more than the bytes they replace.
const MIN_MATCH_BYTES: u32 = 7;

/// What a key takes in a page, at most about.
const KEY_BYTES: usize = 6;

/// Adds a column of ascending keys: gaps, packed. They are as good as random, so nothing compresses them.
pub(crate) fn add_keys<W: Write + Send>(
    row_group: &mut SerializedRowGroupWriter<'_, W>,
    column: &ColumnDescPtr,
    keys: &[u64],
) -> Result<()> {
    let mut chunk = Chunk::new(column, Encoding::DELTA_BINARY_PACKED);
    for page_keys in keys.chunks(PAGE_ROWS) {
        let mut page = Vec::with_capacity(page_keys.len() * KEY_BYTES);
        delta::encode(page_keys, &mut page);
        let ends = (page_keys[0], page_keys[page_keys.len() - 1]);
        chunk.add_page(Body::plain(page), page_keys.len(), ends)?;
    }
    chunk.finish(row_group, keys.len(), Compression::UNCOMPRESSED)
}

/// Encodes columns of numbers into a row group, one after the other.
///
/// # Memory
///
/// A dictionary, a page before and after compression, and the chunk being built: below 3 MB.
pub(crate) struct NumberWriter {
    dictionary: Dictionary,
    compressor: zstd::bulk::Compressor<'static>,
    level: ZstdLevel,
}

impl NumberWriter {
    pub(crate) fn new(level: ZstdLevel) -> Result<Self> {
        let mut compressor = zstd::bulk::Compressor::new(level.compression_level())?;
        compressor.set_parameter(CParameter::MinMatch(MIN_MATCH_BYTES))?;
        Ok(Self { dictionary: Dictionary::new(), compressor, level })
    }

    /// Adds a column of numbers: a dictionary and indices into it, compressed or as they are.
    pub(crate) fn add<W: Write + Send, T: Copy + Ord + Into<u64>>(
        &mut self,
        row_group: &mut SerializedRowGroupWriter<'_, W>,
        column: &ColumnDescPtr,
        values: &[T],
        compressed: bool,
    ) -> Result<()> {
        let mut chunk = Chunk::new(column, Encoding::RLE_DICTIONARY);
        self.dictionary.build(values);
        let distinct = self.dictionary.values();
        let page = distinct.iter().flat_map(|&value| plain(column, value)).collect();
        let count = distinct.len();
        chunk.add_dictionary(self.body(page, compressed)?, count)?;
        for page_values in values.chunks(PAGE_ROWS) {
            let mut page = Vec::with_capacity(2 * page_values.len());
            self.dictionary.encode(page_values, &mut page);
            let mut bounds = (page_values[0], page_values[0]);
            for &value in page_values {
                bounds = (bounds.0.min(value), bounds.1.max(value));
            }
            chunk.add_page(
                self.body(page, compressed)?,
                page_values.len(),
                (bounds.0.into(), bounds.1.into()),
            )?;
        }
        let codec = if compressed { Compression::ZSTD(self.level) } else { Compression::UNCOMPRESSED };
        chunk.finish(row_group, values.len(), codec)
    }

    /// The page as it goes to disk.
    fn body(&mut self, page: Vec<u8>, compressed: bool) -> Result<Body> {
        if compressed {
            Ok(Body { bytes: self.compressor.compress(&page)?, uncompressed: page.len() })
        } else {
            Ok(Body::plain(page))
        }
    }
}
