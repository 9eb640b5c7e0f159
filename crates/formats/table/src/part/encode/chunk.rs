//! A column chunk: its pages, statistics and indexes.

use std::io::Write;

use bytes::Bytes;
use parquet::{
    basic::{BoundaryOrder, Compression, Encoding, PageType, Type as PhysicalType},
    column::{
        page::{CompressedPage, Page, PageWriter},
        writer::ColumnCloseResult,
    },
    data_type::{ByteArrayType, DataType, Int32Type, Int64Type},
    errors::Result,
    file::{
        metadata::{ColumnChunkMetaData, ColumnIndexBuilder, OffsetIndexBuilder, PageEncodingStats},
        reader::{ChunkReader, Length},
        statistics::Statistics,
        writer::{SerializedPageWriter, SerializedRowGroupWriter, TrackedWrite},
    },
};

use crate::part::schema::{Column, PartColumn};

/// A page's body as it is written to disk, and its length before compression.
pub(super) struct Body {
    pub(super) bytes: Vec<u8>,
    pub(super) uncompressed: usize,
}

impl Body {
    pub(super) fn plain(bytes: Vec<u8>) -> Self {
        Self { uncompressed: bytes.len(), bytes }
    }
}

/// The statistics that the indexes record for a page.
pub(super) struct PageStats {
    pub(super) rows: usize,
    pub(super) nulls: usize,
    /// The smallest and the largest value; `None` if all values are null.
    pub(super) bounds: Option<(u64, u64)>,
}

impl PageStats {
    /// The statistics of a page without nulls.
    pub(super) fn of(rows: usize, bounds: (u64, u64)) -> Self {
        Self { rows, nulls: 0, bounds: Some(bounds) }
    }
}

/// Encodes values one after another in PLAIN encoding.
fn plain(column: Column, values: &[u64]) -> Vec<u8> {
    let values = values.iter().copied();
    match column.physical() {
        PhysicalType::INT32 => values.flat_map(|value| (column.number(value) as u32).to_le_bytes()).collect(),
        PhysicalType::BYTE_ARRAY => values.flat_map(|value| prefixed(column.text(value))).collect(),
        _ => values.flat_map(u64::to_le_bytes).collect(),
    }
}

/// A string prefixed with its length.
fn prefixed(text: &'static str) -> impl Iterator<Item = u8> {
    (text.len() as u32).to_le_bytes().into_iter().chain(text.bytes())
}

/// Encodes a value for the indexes, in PLAIN encoding but without the length prefix of strings.
fn bound(column: Column, value: u64) -> Vec<u8> {
    match column.physical() {
        PhysicalType::BYTE_ARRAY => column.text(value).as_bytes().to_owned(),
        _ => plain(column, &[value]),
    }
}

/// Converts a length to the type that the metadata uses.
fn signed(length: usize) -> i64 {
    (length as u64).cast_signed()
}

/// A column chunk that is being built.
pub(super) struct ColumnChunk<'a> {
    column: &'a PartColumn,
    pages: TrackedWrite<&'a mut Vec<u8>>,
    /// The total length in bytes of the headers and the uncompressed pages.
    uncompressed_bytes: usize,
    dictionary_bytes: Option<usize>,
    page_encoding: Encoding,
    /// The statistics of each data page.
    stats: Vec<PageStats>,
    offset_index: OffsetIndexBuilder,
}

impl<'a> ColumnChunk<'a> {
    /// Creates a chunk that has no pages yet. The chunk is built in `buffer`, whose previous contents are
    /// discarded.
    pub(super) fn new(column: &'a PartColumn, page_encoding: Encoding, buffer: &'a mut Vec<u8>) -> Self {
        buffer.clear();
        Self {
            column,
            pages: TrackedWrite::new(buffer),
            uncompressed_bytes: 0,
            dictionary_bytes: None,
            page_encoding,
            stats: Vec::new(),
            offset_index: OffsetIndexBuilder::new(),
        }
    }

    /// Adds a dictionary that consists of `values`, which must be in ascending order. `body` turns the
    /// encoded page of the dictionary into the bytes to be written.
    pub(super) fn add_dictionary(
        &mut self,
        values: &[u64],
        body: impl FnOnce(Vec<u8>) -> Result<Body>,
    ) -> Result<()> {
        let body = body(plain(self.column.kind, values))?;
        let page = Page::DictionaryPage {
            buf: body.bytes.into(),
            num_values: values.len() as u32,
            encoding: Encoding::PLAIN,
            is_sorted: true,
        };
        let (_, bytes) = self.add(page, body.uncompressed)?;
        self.dictionary_bytes = Some(bytes);
        Ok(())
    }

    pub(super) fn add_page(&mut self, body: Body, stats: PageStats) -> Result<()> {
        let page = Page::DataPage {
            buf: body.bytes.into(),
            num_values: stats.rows as u32,
            encoding: self.page_encoding,
            def_level_encoding: Encoding::RLE,
            rep_level_encoding: Encoding::RLE,
            statistics: None,
        };
        let (offset, bytes) = self.add(page, body.uncompressed)?;
        self.offset_index.append_offset_and_size(signed(offset), signed(bytes) as i32);
        self.offset_index.append_row_count(signed(stats.rows));
        self.stats.push(stats);
        Ok(())
    }

    /// Adds a page; returns its offset in the chunk, and its length including the header.
    fn add(&mut self, page: Page, uncompressed: usize) -> Result<(usize, usize)> {
        let spec =
            SerializedPageWriter::new(&mut self.pages).write_page(CompressedPage::new(page, uncompressed))?;
        self.uncompressed_bytes += spec.uncompressed_size;
        Ok((spec.offset as usize, spec.bytes_written as usize))
    }

    pub(super) fn finish<W: Write + Send>(
        self,
        row_group: &mut SerializedRowGroupWriter<'_, W>,
        rows: usize,
        codec: Compression,
    ) -> Result<()> {
        let column_index = self.column_index()?;
        let metadata = self.metadata(rows, codec)?;
        let bytes = self.pages.into_inner()?;
        let close = ColumnCloseResult {
            bytes_written: bytes.len() as u64,
            rows_written: rows as u64,
            metadata,
            bloom_filter: None,
            column_index: Some(column_index),
            offset_index: Some(self.offset_index.build()),
        };
        row_group.append_column(&Pages(bytes), close)
    }

    fn column_index(&self) -> Result<parquet::file::page_index::column_index::ColumnIndexMetaData> {
        let mut index = ColumnIndexBuilder::new(self.column.kind.physical());
        for page in &self.stats {
            let (smallest, largest) = page.bounds.map_or_else(Default::default, |(smallest, largest)| {
                (bound(self.column.kind, smallest), bound(self.column.kind, largest))
            });
            index.append(page.bounds.is_none(), smallest, largest, signed(page.nulls), None);
        }
        let ascending = self.bounds().is_sorted_by(|a, b| a.0 <= b.0 && a.1 <= b.1);
        index.set_boundary_order(if ascending { BoundaryOrder::ASCENDING } else { BoundaryOrder::UNORDERED });
        index.build()
    }

    /// The smallest and the largest value of every page that has values.
    fn bounds(&self) -> impl Iterator<Item = (u64, u64)> {
        self.stats.iter().filter_map(|page| page.bounds)
    }

    fn metadata(&self, rows: usize, codec: Compression) -> Result<ColumnChunkMetaData> {
        let dictionary = self.dictionary_bytes.map(|_| PageEncodingStats {
            page_type: PageType::DICTIONARY_PAGE,
            encoding: Encoding::PLAIN,
            count: 1,
        });
        let data = PageEncodingStats {
            page_type: PageType::DATA_PAGE,
            encoding: self.page_encoding,
            count: signed(self.stats.len()) as i32,
        };
        let levels = self.column.kind.is_nullable().then_some(Encoding::RLE);
        let pages = dictionary.iter().chain([&data]).map(|stats| stats.encoding);
        ColumnChunkMetaData::builder(self.column.description.clone())
            .set_compression(codec)
            .set_encodings(pages.chain(levels).collect())
            .set_page_encoding_stats(dictionary.into_iter().chain([data]).collect())
            .set_num_values(signed(rows))
            .set_total_compressed_size(signed(self.pages.bytes_written()))
            .set_total_uncompressed_size(signed(self.uncompressed_bytes))
            .set_dictionary_page_offset(self.dictionary_bytes.map(|_| 0))
            .set_data_page_offset(signed(self.dictionary_bytes.unwrap_or(0)))
            .set_statistics(self.statistics())
            .build()
    }

    fn statistics(&self) -> Statistics {
        let column = self.column.kind;
        match column.physical() {
            PhysicalType::INT32 => {
                self.statistics_of::<Int32Type>(|value| (column.number(value) as u32).cast_signed())
            }
            PhysicalType::BYTE_ARRAY => {
                self.statistics_of::<ByteArrayType>(|value| column.text(value).into())
            }
            _ => self.statistics_of::<Int64Type>(u64::cast_signed),
        }
    }

    fn statistics_of<T: DataType>(&self, value: impl Fn(u64) -> T::T) -> Statistics {
        let smallest = self.bounds().map(|(smallest, _)| smallest).min();
        let largest = self.bounds().map(|(_, largest)| largest).max();
        let nulls = self.stats.iter().map(|page| page.nulls as u64).sum();
        Statistics::new(smallest.map(&value), largest.map(value), None, Some(nulls), false)
    }
}

/// The bytes of a chunk. The library only borrows them, so the same memory can be reused for the next chunk.
struct Pages<'a>(&'a [u8]);

impl Length for Pages<'_> {
    fn len(&self) -> u64 {
        self.0.len() as u64
    }
}

impl<'a> ChunkReader for Pages<'a> {
    type T = &'a [u8];

    fn get_read(&self, start: u64) -> Result<Self::T> {
        Ok(&self.0[start as usize..])
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes> {
        Ok(Bytes::copy_from_slice(&self.0[start as usize..][..length]))
    }
}
