//! Columns of keys and of numbers, cut into pages and encoded.

use std::io::Write;

use parquet::{
    basic::{Compression, Encoding, ZstdLevel},
    errors::Result,
    file::writer::SerializedRowGroupWriter,
    schema::types::ColumnDescPtr,
};

use super::{
    chunk::{Body, ColumnChunk},
    compressor::Compressor,
    count_column::CountColumn,
    delta,
    dictionary::{BYTE_INDICES, Dictionary, byte_page},
};

/// Rows of every page but a row group's last: an eighth of a row group.
pub const PAGE_ROWS: usize = 16_384;

/// About the most bytes that a key takes in a page.
const KEY_BYTES: usize = 6;

/// The most bytes before the indices of a page.
const BYTE_PAGE_HEAD: usize = 8;

/// Encodes the columns of row groups, one after the other.
///
/// # Memory
///
/// A dictionary, a row group's indices, a page before and after compression, and the chunk
/// being built: below 3 MB.
pub(crate) struct ColumnEncoder {
    dictionary: Dictionary,
    indices: Vec<u8>,
    compressor: Compressor,
    chunk: Vec<u8>,
}

impl ColumnEncoder {
    pub(crate) fn new(level: ZstdLevel) -> Result<Self> {
        Ok(Self {
            dictionary: Dictionary::new(),
            indices: Vec::new(),
            compressor: Compressor::new(level)?,
            chunk: Vec::new(),
        })
    }

    /// Adds a column of ascending keys: packed gaps. Gaps are as good as random, so nothing compresses them.
    pub(crate) fn add_keys<W: Write + Send>(
        &mut self,
        row_group: &mut SerializedRowGroupWriter<'_, W>,
        column: &ColumnDescPtr,
        keys: &[u64],
    ) -> Result<()> {
        let mut chunk = ColumnChunk::new(column, Encoding::DELTA_BINARY_PACKED, &mut self.chunk);
        for page_keys in keys.chunks(PAGE_ROWS) {
            let mut page = Vec::with_capacity(page_keys.len() * KEY_BYTES);
            delta::encode(page_keys, &mut page);
            let ends = (page_keys[0], page_keys[page_keys.len() - 1]);
            chunk.add_page(Body::plain(page), page_keys.len(), ends)?;
        }
        chunk.finish(row_group, keys.len(), Compression::UNCOMPRESSED)
    }

    /// Adds a column of numbers: a dictionary and indices into it, compressed or as they are.
    pub(crate) fn add_numbers<W: Write + Send, T: Copy + Ord + Into<u64>>(
        &mut self,
        row_group: &mut SerializedRowGroupWriter<'_, W>,
        column: &ColumnDescPtr,
        numbers: &[T],
        compressed: bool,
    ) -> Result<()> {
        self.dictionary.build(numbers);
        let distinct = self.dictionary.values();
        let mut chunk = ColumnChunk::new(column, Encoding::RLE_DICTIONARY, &mut self.chunk);
        if compressed && distinct.len() <= BYTE_INDICES {
            self.indices.clear();
            self.dictionary.index_bytes(numbers, &mut self.indices);
            add_bytes(&mut chunk, &mut self.compressor, distinct, &self.indices)?;
        } else if compressed {
            let compressor = &mut self.compressor;
            add_packed(&mut chunk, &self.dictionary, numbers, |page| compressor.matches(&page))?;
        } else {
            add_packed(&mut chunk, &self.dictionary, numbers, |page| Ok(Body::plain(page)))?;
        }
        let codec = if compressed { self.compressor.codec() } else { Compression::UNCOMPRESSED };
        chunk.finish(row_group, numbers.len(), codec)
    }

    /// Adds a column of counts.
    pub(crate) fn add_counts<W: Write + Send>(
        &mut self,
        row_group: &mut SerializedRowGroupWriter<'_, W>,
        column: &ColumnDescPtr,
        counts: &mut CountColumn,
    ) -> Result<()> {
        let Some((distinct, indices)) = counts.index() else {
            return self.add_numbers(row_group, column, &counts.wide(), true);
        };
        let mut chunk = ColumnChunk::new(column, Encoding::RLE_DICTIONARY, &mut self.chunk);
        add_bytes(&mut chunk, &mut self.compressor, &distinct, indices)?;
        chunk.finish(row_group, indices.len(), self.compressor.codec())
    }
}

/// Adds a dictionary, which ascends, and indices into it, a byte each.
fn add_bytes(
    chunk: &mut ColumnChunk<'_>,
    compressor: &mut Compressor,
    distinct: &[u64],
    indices: &[u8],
) -> Result<()> {
    chunk.add_dictionary(distinct, |page| compressor.entropy(&page))?;
    let mut page = Vec::with_capacity(PAGE_ROWS + BYTE_PAGE_HEAD);
    for indices in indices.chunks(PAGE_ROWS) {
        page.clear();
        byte_page(indices, &mut page);
        let (smallest, largest) = bounds(indices);
        let bounds = (distinct[usize::from(smallest)], distinct[usize::from(largest)]);
        chunk.add_page(compressor.entropy(&page)?, indices.len(), bounds)?;
    }
    Ok(())
}

/// Adds a dictionary and indices into it, as narrow as they can be; `body` makes of a page what goes to disk.
fn add_packed<T: Copy + Ord + Into<u64>>(
    chunk: &mut ColumnChunk<'_>,
    dictionary: &Dictionary,
    numbers: &[T],
    mut body: impl FnMut(Vec<u8>) -> Result<Body>,
) -> Result<()> {
    chunk.add_dictionary(dictionary.values(), &mut body)?;
    for numbers in numbers.chunks(PAGE_ROWS) {
        let mut page = Vec::with_capacity(2 * numbers.len());
        dictionary.pack(numbers, &mut page);
        let (smallest, largest) = bounds(numbers);
        chunk.add_page(body(page)?, numbers.len(), (smallest.into(), largest.into()))?;
    }
    Ok(())
}

/// Smallest and largest of the values of a page.
fn bounds<T: Copy + Ord>(values: &[T]) -> (T, T) {
    let mut bounds = (values[0], values[0]);
    for &value in values {
        bounds = (bounds.0.min(value), bounds.1.max(value));
    }
    bounds
}
