//! Columns of keys and of numbers, cut into pages and encoded.

use std::io::Write;

use pages::{
    BYTE_INDICES, Body, ColumnChunk, Compressor, DataPage, PAGE_ROWS, add_levels, byte_page, encode_deltas,
};
use parquet::{
    basic::{Compression, Encoding},
    errors::Result,
    file::writer::SerializedRowGroupWriter,
};
use position::Group;

use super::{count_column::CountColumn, dictionary::Dictionary};
use crate::part::schema::PartColumn;

/// The code of a row whose group has no value.
const NULL: u16 = 0;

/// Roughly the maximum number of bytes that a key takes up in a page.
const KEY_BYTES: usize = 6;

/// The maximum number of bytes that precede the indices in a page.
const BYTE_PAGE_HEAD: usize = 8;

/// Encodes the columns of row groups, one after the other.
///
/// # Memory
///
/// Holds a dictionary, the indices of a row group, a page before and after compression, and the chunk under
/// construction: less than 3 MB.
pub(crate) struct ColumnEncoder {
    dictionary: Dictionary,
    indices: Vec<u8>,
    codes: Vec<u16>,
    compressor: Compressor,
    chunk: Vec<u8>,
}

impl ColumnEncoder {
    pub(crate) fn new() -> Result<Self> {
        Ok(Self {
            dictionary: Dictionary::new(),
            indices: Vec::new(),
            codes: Vec::new(),
            compressor: Compressor::new()?,
            chunk: Vec::new(),
        })
    }

    /// Adds a column of ascending keys, stored as the gaps between them, which are packed into bits. The gaps
    /// are practically random, so compressing them would gain nothing.
    pub(crate) fn add_keys<W: Write + Send>(
        &mut self,
        row_group: &mut SerializedRowGroupWriter<'_, W>,
        column: &PartColumn,
        keys: &[u64],
    ) -> Result<()> {
        let mut chunk = column.chunk(&mut self.chunk);
        for page_keys in keys.chunks(PAGE_ROWS) {
            let mut page = Vec::with_capacity(page_keys.len() * KEY_BYTES);
            encode_deltas(page_keys, &mut page);
            let ends = (page_keys[0], page_keys[page_keys.len() - 1]);
            let (body, encoding) = (Body::plain(page), Encoding::DELTA_BINARY_PACKED);
            chunk.add_page(DataPage::full(body, encoding, page_keys.len(), ends))?;
        }
        chunk.finish(row_group, Compression::UNCOMPRESSED)
    }

    /// Adds a column of numbers as a dictionary and indices into it; both may be compressed.
    pub(crate) fn add_numbers<W: Write + Send, T: Copy + Ord + Into<u64>>(
        &mut self,
        row_group: &mut SerializedRowGroupWriter<'_, W>,
        column: &PartColumn,
        numbers: &[T],
    ) -> Result<()> {
        let compressed = column.kind.is_compressed();
        self.dictionary.build(numbers.iter().copied());
        let distinct = &self.dictionary.values;
        let mut chunk = column.chunk(&mut self.chunk);
        if compressed && distinct.len() <= BYTE_INDICES {
            self.indices.clear();
            self.dictionary.index_bytes(numbers, &mut self.indices);
            add_bytes(&mut chunk, &mut self.compressor, (column, distinct), &self.indices)?;
        } else if compressed {
            let compressor = &mut self.compressor;
            add_packed(&mut chunk, (column, &self.dictionary), numbers, |page| compressor.matches(&page))?;
        } else {
            add_packed(&mut chunk, (column, &self.dictionary), numbers, |page| Ok(Body::plain(page)))?;
        }
        let codec = if compressed { self.compressor.codec() } else { Compression::UNCOMPRESSED };
        chunk.finish(row_group, codec)
    }

    /// Adds a column of counts.
    pub(crate) fn add_counts<W: Write + Send>(
        &mut self,
        row_group: &mut SerializedRowGroupWriter<'_, W>,
        column: &PartColumn,
        counts: &mut CountColumn,
    ) -> Result<()> {
        let Some((distinct, indices)) = counts.index() else {
            return self.add_numbers(row_group, column, &counts.wide());
        };
        let mut chunk = column.chunk(&mut self.chunk);
        add_bytes(&mut chunk, &mut self.compressor, (column, &distinct), indices)?;
        chunk.finish(row_group, self.compressor.codec())
    }

    /// Adds a column of groups. The column consists of three parts: levels, which say which rows have a
    /// value; a dictionary of the values; and indices into the dictionary. If no row has a value, there is no
    /// dictionary.
    pub(crate) fn add_groups<W: Write + Send>(
        &mut self,
        row_group: &mut SerializedRowGroupWriter<'_, W>,
        column: &PartColumn,
        groups: &[Group],
    ) -> Result<()> {
        let Self { dictionary, codes, compressor, chunk, .. } = self;
        let field = column.kind.codes();
        codes.clear();
        codes.extend(groups.iter().map(|group| group.number(field)));
        dictionary.build(codes.iter().copied().filter(|&code| code != NULL));
        let has_values = !dictionary.values.is_empty();
        // Months spread over many years are practically random, so compressing their indices would save
        // almost nothing.
        let compressed = dictionary.values.len() <= BYTE_INDICES;
        let codec = if compressed { compressor.codec() } else { Compression::UNCOMPRESSED };
        let mut body =
            |page: &[u8]| if compressed { compressor.matches(page) } else { Ok(Body::plain(page.to_vec())) };
        let encoding = if has_values { Encoding::RLE_DICTIONARY } else { Encoding::PLAIN };
        let mut chunk = column.chunk(chunk);
        if has_values {
            chunk.add_dictionary(body(&column.plain(&dictionary.values))?, dictionary.values.len(), true)?;
        }
        let (mut page, mut levels, mut known) = (Vec::new(), Vec::new(), Vec::new());
        for codes in codes.chunks(PAGE_ROWS) {
            page.clear();
            levels.clear();
            levels.extend(codes.iter().map(|&code| u8::from(code != NULL)));
            add_levels(&levels, 1, &mut page);
            let values = if codes.contains(&NULL) {
                known.clear();
                known.extend(codes.iter().copied().filter(|&code| code != NULL));
                &known
            } else {
                codes
            };
            if has_values {
                dictionary.pack(values, &mut page);
            }
            let bounds = (!values.is_empty()).then(|| bounds(values));
            let bounds = bounds.map(|(smallest, largest)| (smallest.into(), largest.into()));
            let (rows, nulls) = (codes.len(), codes.len() - values.len());
            chunk.add_page(DataPage { body: body(&page)?, encoding, rows, values: rows, nulls, bounds })?;
        }
        chunk.finish(row_group, codec)
    }
}

/// Adds a dictionary with values in ascending order, and indices into the dictionary, one byte each.
fn add_bytes(
    chunk: &mut ColumnChunk<'_>,
    compressor: &mut Compressor,
    (column, distinct): (&PartColumn, &[u64]),
    indices: &[u8],
) -> Result<()> {
    chunk.add_dictionary(compressor.entropy(&column.plain(distinct))?, distinct.len(), true)?;
    let mut page = Vec::with_capacity(PAGE_ROWS + BYTE_PAGE_HEAD);
    for indices in indices.chunks(PAGE_ROWS) {
        page.clear();
        byte_page(indices, &mut page);
        let (smallest, largest) = bounds(indices);
        let bounds = (distinct[usize::from(smallest)], distinct[usize::from(largest)]);
        let body = compressor.entropy(&page)?;
        chunk.add_page(DataPage::full(body, Encoding::RLE_DICTIONARY, indices.len(), bounds))?;
    }
    Ok(())
}

/// Adds a dictionary and indices into the dictionary. The indices are bit-packed with the smallest possible
/// width. `body` turns an encoded page into the bytes to be written.
fn add_packed<T: Copy + Ord + Into<u64>>(
    chunk: &mut ColumnChunk<'_>,
    (column, dictionary): (&PartColumn, &Dictionary),
    numbers: &[T],
    mut body: impl FnMut(Vec<u8>) -> Result<Body>,
) -> Result<()> {
    chunk.add_dictionary(body(column.plain(&dictionary.values))?, dictionary.values.len(), true)?;
    for numbers in numbers.chunks(PAGE_ROWS) {
        let mut page = Vec::with_capacity(2 * numbers.len());
        dictionary.pack(numbers, &mut page);
        let (smallest, largest) = bounds(numbers);
        let bounds = (smallest.into(), largest.into());
        chunk.add_page(DataPage::full(body(page)?, Encoding::RLE_DICTIONARY, numbers.len(), bounds))?;
    }
    Ok(())
}

/// The smallest and the largest value of a page.
fn bounds<T: Copy + Ord>(values: &[T]) -> (T, T) {
    let mut bounds = (values[0], values[0]);
    for &value in values {
        bounds = (bounds.0.min(value), bounds.1.max(value));
    }
    bounds
}
