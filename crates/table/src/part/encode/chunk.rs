//! A column chunk: its pages, statistics and indexes.

use std::io::Write;

use bytes::Bytes;
use parquet::{
    basic::{BoundaryOrder, Compression, Encoding, PageType, Type as PhysicalType, ZstdLevel},
    column::{
        page::{CompressedPage, Page, PageWriter},
        writer::ColumnCloseResult,
    },
    errors::Result,
    file::{
        metadata::{ColumnChunkMetaData, ColumnIndexBuilder, OffsetIndexBuilder, PageEncodingStats},
        statistics::{Statistics, ValueStatistics},
        writer::{SerializedPageWriter, SerializedRowGroupWriter, TrackedWrite},
    },
    schema::types::ColumnDescPtr,
};

use super::{delta, dictionary::Dictionary};

/// Rows of every page but a row group's last: an eighth of a row group.
pub(crate) const PAGE_ROWS: usize = 16_384;

/// Encodes columns into a row group, one after the other.
///
/// # Memory
///
/// A dictionary, a page before and after compression, and the chunk being built: below 3 MB.
pub(crate) struct ChunkWriter {
    dictionary: Dictionary,
    compressor: zstd::bulk::Compressor<'static>,
    level: ZstdLevel,
    page: Vec<u8>,
}

impl ChunkWriter {
    pub(crate) fn new(level: ZstdLevel) -> Result<Self> {
        let compressor = zstd::bulk::Compressor::new(level.compression_level())?;
        Ok(Self { dictionary: Dictionary::new(), compressor, level, page: Vec::new() })
    }

    /// Adds a column of ascending keys: gaps, packed. They are as good as random, so nothing compresses them.
    pub(crate) fn add_keys<W: Write + Send>(
        &mut self,
        row_group: &mut SerializedRowGroupWriter<'_, W>,
        column: &ColumnDescPtr,
        keys: &[u64],
    ) -> Result<()> {
        let mut chunk = Chunk::new(column);
        for page_keys in keys.chunks(PAGE_ROWS) {
            self.page.clear();
            delta::encode(page_keys, &mut self.page);
            let ends = (page_keys[0], page_keys[page_keys.len() - 1]);
            chunk.add_page(
                self.page.clone(),
                self.page.len(),
                page_keys.len(),
                Encoding::DELTA_BINARY_PACKED,
                ends,
            )?;
        }
        chunk.finish(row_group, keys.len(), Compression::UNCOMPRESSED)
    }

    /// Adds a column of numbers: a dictionary and indices into it, compressed or as they are.
    pub(crate) fn add_numbers<W: Write + Send, T: Copy + Ord + Into<u64>>(
        &mut self,
        row_group: &mut SerializedRowGroupWriter<'_, W>,
        column: &ColumnDescPtr,
        values: &[T],
        compressed: bool,
    ) -> Result<()> {
        let mut chunk = Chunk::new(column);
        self.dictionary.build(values);
        self.page.clear();
        for &value in self.dictionary.values() {
            self.page.extend_from_slice(&plain(column, value));
        }
        chunk.add_dictionary(self.compress(compressed)?, self.page.len(), self.dictionary.values().len())?;
        for page_values in values.chunks(PAGE_ROWS) {
            self.page.clear();
            self.dictionary.encode(page_values, &mut self.page);
            let body = self.compress(compressed)?;
            let (smallest, largest) = page_values
                .iter()
                .fold((page_values[0], page_values[0]), |(min, max), &v| (min.min(v), max.max(v)));
            let bounds = (smallest.into(), largest.into());
            chunk.add_page(body, self.page.len(), page_values.len(), Encoding::RLE_DICTIONARY, bounds)?;
        }
        let codec = if compressed { Compression::ZSTD(self.level) } else { Compression::UNCOMPRESSED };
        chunk.finish(row_group, values.len(), codec)
    }

    /// The page as it goes to disk.
    fn compress(&mut self, compressed: bool) -> Result<Vec<u8>> {
        if compressed { Ok(self.compressor.compress(&self.page)?) } else { Ok(self.page.clone()) }
    }
}

/// A value as PLAIN has it: little-endian, as wide as its column.
fn plain(column: &ColumnDescPtr, value: u64) -> Vec<u8> {
    match column.physical_type() {
        PhysicalType::INT32 => (value as u32).to_le_bytes().to_vec(),
        _ => value.to_le_bytes().to_vec(),
    }
}

/// A length as the metadata has it.
fn signed(length: usize) -> i64 {
    (length as u64).cast_signed()
}

/// A chunk in the making.
struct Chunk {
    column: ColumnDescPtr,
    pages: TrackedWrite<Vec<u8>>,
    /// Bytes of headers and uncompressed pages.
    uncompressed_bytes: usize,
    dictionary_bytes: Option<usize>,
    page_encoding: Encoding,
    /// Smallest and largest value of every data page.
    bounds: Vec<(u64, u64)>,
    offset_index: OffsetIndexBuilder,
}

impl Chunk {
    fn new(column: &ColumnDescPtr) -> Self {
        Self {
            column: column.clone(),
            pages: TrackedWrite::new(Vec::new()),
            uncompressed_bytes: 0,
            dictionary_bytes: None,
            page_encoding: Encoding::PLAIN,
            bounds: Vec::new(),
            offset_index: OffsetIndexBuilder::new(),
        }
    }

    fn add_dictionary(&mut self, body: Vec<u8>, uncompressed: usize, count: usize) -> Result<()> {
        let page = Page::DictionaryPage {
            buf: body.into(),
            num_values: count as u32,
            encoding: Encoding::PLAIN,
            is_sorted: true,
        };
        let (_, bytes) = self.add(page, uncompressed)?;
        self.dictionary_bytes = Some(bytes);
        Ok(())
    }

    fn add_page(
        &mut self,
        body: Vec<u8>,
        uncompressed: usize,
        rows: usize,
        encoding: Encoding,
        bounds: (u64, u64),
    ) -> Result<()> {
        let page = Page::DataPage {
            buf: body.into(),
            num_values: rows as u32,
            encoding,
            def_level_encoding: Encoding::RLE,
            rep_level_encoding: Encoding::RLE,
            statistics: None,
        };
        let (offset, bytes) = self.add(page, uncompressed)?;
        self.page_encoding = encoding;
        self.bounds.push(bounds);
        self.offset_index.append_offset_and_size(signed(offset), signed(bytes) as i32);
        self.offset_index.append_row_count(signed(rows));
        Ok(())
    }

    /// Offset in the chunk, and bytes with the header.
    fn add(&mut self, page: Page, uncompressed: usize) -> Result<(usize, usize)> {
        let spec =
            SerializedPageWriter::new(&mut self.pages).write_page(CompressedPage::new(page, uncompressed))?;
        self.uncompressed_bytes += spec.uncompressed_size;
        Ok((spec.offset as usize, spec.bytes_written as usize))
    }

    fn finish<W: Write + Send>(
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
        row_group.append_column(&Bytes::from(bytes), close)
    }

    fn column_index(&self) -> Result<parquet::file::page_index::column_index::ColumnIndexMetaData> {
        let mut index = ColumnIndexBuilder::new(self.column.physical_type());
        for &(smallest, largest) in &self.bounds {
            index.append(false, plain(&self.column, smallest), plain(&self.column, largest), 0, None);
        }
        let ascending = self.bounds.is_sorted_by(|a, b| a.0 <= b.0 && a.1 <= b.1);
        index.set_boundary_order(if ascending { BoundaryOrder::ASCENDING } else { BoundaryOrder::UNORDERED });
        index.build()
    }

    fn metadata(&self, rows: usize, codec: Compression) -> Result<ColumnChunkMetaData> {
        let smallest = self.bounds.iter().map(|bounds| bounds.0).min();
        let largest = self.bounds.iter().map(|bounds| bounds.1).max();
        let dictionary = self.dictionary_bytes.map(|_| PageEncodingStats {
            page_type: PageType::DICTIONARY_PAGE,
            encoding: Encoding::PLAIN,
            count: 1,
        });
        let data = PageEncodingStats {
            page_type: PageType::DATA_PAGE,
            encoding: self.page_encoding,
            count: signed(self.bounds.len()) as i32,
        };
        let encodings = dictionary.iter().chain([&data]).map(|stats| stats.encoding).collect();
        ColumnChunkMetaData::builder(self.column.clone())
            .set_compression(codec)
            .set_encodings(encodings)
            .set_page_encoding_stats(dictionary.into_iter().chain([data]).collect())
            .set_num_values(signed(rows))
            .set_total_compressed_size(signed(self.pages.bytes_written()))
            .set_total_uncompressed_size(signed(self.uncompressed_bytes))
            .set_dictionary_page_offset(self.dictionary_bytes.map(|_| 0))
            .set_data_page_offset(signed(self.dictionary_bytes.unwrap_or(0)))
            .set_statistics(self.statistics(smallest, largest))
            .build()
    }

    fn statistics(&self, smallest: Option<u64>, largest: Option<u64>) -> Statistics {
        if self.column.physical_type() == PhysicalType::INT32 {
            let narrow = |value: Option<u64>| value.map(|value| (value as u32).cast_signed());
            ValueStatistics::new(narrow(smallest), narrow(largest), None, Some(0), false).into()
        } else {
            let wide = |value: Option<u64>| value.map(u64::cast_signed);
            ValueStatistics::new(wide(smallest), wide(largest), None, Some(0), false).into()
        }
    }
}
