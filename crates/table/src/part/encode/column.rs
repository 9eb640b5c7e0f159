//! Columns of keys and of numbers, cut into pages and encoded.

use std::io::Write;

use parquet::{
    basic::{Compression, Encoding, ZstdLevel},
    errors::Result,
    file::writer::SerializedRowGroupWriter,
    schema::types::ColumnDescPtr,
};

use super::{
    chunk::{Body, Chunk, plain},
    compressor::Compressor,
    counts::Counts,
    delta,
    dictionary::{BYTE_INDICES, Dictionary, byte_page},
};

/// Rows of every page but a row group's last: an eighth of a row group.
pub(crate) const PAGE_ROWS: usize = 16_384;

/// What a key takes in a page, at most about.
const KEY_BYTES: usize = 6;

/// What stands before the indices of a page, at most.
const BYTE_PAGE_HEAD: usize = 8;

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
/// A dictionary, a row group's indices, a page before and after compression, and the chunk being built: below 3 MB.
pub(crate) struct NumberWriter {
    dictionary: Dictionary,
    indices: Vec<u8>,
    compressor: Compressor,
}

impl NumberWriter {
    pub(crate) fn new(level: ZstdLevel) -> Result<Self> {
        Ok(Self { dictionary: Dictionary::new(), indices: Vec::new(), compressor: Compressor::new(level)? })
    }

    /// Adds a column of numbers: a dictionary and indices into it, compressed or as they are.
    pub(crate) fn add<W: Write + Send, T: Copy + Ord + Into<u64>>(
        &mut self,
        row_group: &mut SerializedRowGroupWriter<'_, W>,
        column: &ColumnDescPtr,
        values: &[T],
        compressed: bool,
    ) -> Result<()> {
        self.dictionary.build(values);
        if !compressed || self.dictionary.values().len() > BYTE_INDICES {
            return self.add_packed(row_group, column, values, compressed);
        }
        self.indices.clear();
        self.dictionary.index_bytes(values, &mut self.indices);
        add_bytes(&mut self.compressor, row_group, column, (self.dictionary.values(), &self.indices))
    }

    /// Adds a column of counts.
    pub(crate) fn add_counts<W: Write + Send>(
        &mut self,
        row_group: &mut SerializedRowGroupWriter<'_, W>,
        column: &ColumnDescPtr,
        counts: &mut Counts,
    ) -> Result<()> {
        if let Some((dictionary, indices)) = counts.index() {
            return add_bytes(&mut self.compressor, row_group, column, (&dictionary, indices));
        }
        self.add(row_group, column, &counts.wide(), true)
    }

    /// Adds a column whose indices are as narrow as they can be.
    fn add_packed<W: Write + Send, T: Copy + Ord + Into<u64>>(
        &mut self,
        row_group: &mut SerializedRowGroupWriter<'_, W>,
        column: &ColumnDescPtr,
        values: &[T],
        compressed: bool,
    ) -> Result<()> {
        let mut chunk = Chunk::new(column, Encoding::RLE_DICTIONARY);
        let distinct = self.dictionary.values();
        let page = dictionary_page(column, distinct);
        let mut body =
            |page: Vec<u8>| if compressed { self.compressor.matches(&page) } else { Ok(Body::plain(page)) };
        chunk.add_dictionary(body(page)?, distinct.len())?;
        for values in values.chunks(PAGE_ROWS) {
            let mut page = Vec::with_capacity(2 * values.len());
            self.dictionary.pack(values, &mut page);
            let (smallest, largest) = bounds(values);
            chunk.add_page(body(page)?, values.len(), (smallest.into(), largest.into()))?;
        }
        let codec = if compressed { self.compressor.codec() } else { Compression::UNCOMPRESSED };
        chunk.finish(row_group, values.len(), codec)
    }
}

/// Adds a column as its dictionary, which ascends, and a byte a row.
fn add_bytes<W: Write + Send>(
    compressor: &mut Compressor,
    row_group: &mut SerializedRowGroupWriter<'_, W>,
    column: &ColumnDescPtr,
    (dictionary, indices): (&[u64], &[u8]),
) -> Result<()> {
    let mut chunk = Chunk::new(column, Encoding::RLE_DICTIONARY);
    chunk.add_dictionary(compressor.entropy(&dictionary_page(column, dictionary))?, dictionary.len())?;
    let mut page = Vec::with_capacity(PAGE_ROWS + BYTE_PAGE_HEAD);
    for indices in indices.chunks(PAGE_ROWS) {
        page.clear();
        byte_page(indices, &mut page);
        let (smallest, largest) = bounds(indices);
        let bounds = (dictionary[usize::from(smallest)], dictionary[usize::from(largest)]);
        chunk.add_page(compressor.entropy(&page)?, indices.len(), bounds)?;
    }
    chunk.finish(row_group, indices.len(), compressor.codec())
}

/// Smallest and largest of the values of a page.
fn bounds<T: Copy + Ord>(values: &[T]) -> (T, T) {
    let mut bounds = (values[0], values[0]);
    for &value in values {
        bounds = (bounds.0.min(value), bounds.1.max(value));
    }
    bounds
}

fn dictionary_page(column: &ColumnDescPtr, values: &[u64]) -> Vec<u8> {
    values.iter().flat_map(|&value| plain(column, value)).collect()
}
