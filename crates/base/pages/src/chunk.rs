//! A column chunk: its pages, statistics and indexes.

use std::io::Write;

use bytes::Bytes;
use parquet::{
    basic::{BoundaryOrder, Compression, Encoding, PageType, Type as PhysicalType},
    column::{
        page::{CompressedPage, Page, PageWriter},
        writer::ColumnCloseResult,
    },
    data_type::{ByteArray, ByteArrayType, DataType, DoubleType, FloatType, Int32Type, Int64Type},
    errors::Result,
    file::{
        metadata::{ColumnChunkMetaData, ColumnIndexBuilder, OffsetIndexBuilder, PageEncodingStats},
        page_index::column_index::ColumnIndexMetaData,
        reader::{ChunkReader, Length},
        statistics::Statistics,
        writer::{SerializedPageWriter, SerializedRowGroupWriter, TrackedWrite},
    },
    schema::types::ColumnDescPtr,
};

/// A page's body as it is written to disk, and its length before compression.
pub struct Body {
    /// The bytes on disk.
    pub bytes: Vec<u8>,
    /// The length before compression.
    pub uncompressed: usize,
}

impl Body {
    /// A body that is not compressed.
    #[must_use]
    pub fn plain(bytes: Vec<u8>) -> Self {
        Self { uncompressed: bytes.len(), bytes }
    }
}

/// A data page, and what the headers and indexes record about it.
pub struct DataPage {
    /// The levels and the encoded values.
    pub body: Body,
    /// The encoding of the values.
    pub encoding: Encoding,
    /// The number of rows.
    pub rows: usize,
    /// The number of values, including nulls. In a column of lists, an empty list also counts as one.
    pub values: usize,
    /// The number of nulls.
    pub nulls: usize,
    /// The codes of the smallest and the largest value; `None` if all values are null, or if bounds are not
    /// recorded.
    pub bounds: Option<(u64, u64)>,
}

impl DataPage {
    /// A page without nulls.
    #[must_use]
    pub fn full(body: Body, encoding: Encoding, rows: usize, bounds: (u64, u64)) -> Self {
        Self { body, encoding, rows, values: rows, nulls: 0, bounds: Some(bounds) }
    }
}

/// Turns codes into values for the bounds. A code is a number that stands for a value; codes are in the order
/// of their values.
pub trait Bounds {
    /// The value in PLAIN encoding, but without the length that precedes a string.
    fn value(&self, code: u64) -> Vec<u8>;
}

/// Converts a length to the type that the metadata uses.
fn signed(length: usize) -> i64 {
    (length as u64).cast_signed()
}

/// What is left of a data page after it has been written.
struct Written {
    encoding: Encoding,
    values: usize,
    nulls: usize,
    bounds: Option<(u64, u64)>,
}

/// A column chunk that is being built.
pub struct ColumnChunk<'a> {
    description: &'a ColumnDescPtr,
    /// Bounds are recorded only if this is given.
    bounds: Option<&'a dyn Bounds>,
    pages: TrackedWrite<&'a mut Vec<u8>>,
    /// The total length in bytes of the headers and the uncompressed pages.
    uncompressed_bytes: usize,
    dictionary_bytes: Option<usize>,
    written: Vec<Written>,
    rows: usize,
    offset_index: OffsetIndexBuilder,
}

impl<'a> ColumnChunk<'a> {
    /// Creates a chunk that has no pages yet. The chunk is built in `buffer`, whose previous contents are
    /// discarded.
    pub fn new(
        description: &'a ColumnDescPtr,
        bounds: Option<&'a dyn Bounds>,
        buffer: &'a mut Vec<u8>,
    ) -> Self {
        buffer.clear();
        Self {
            description,
            bounds,
            pages: TrackedWrite::new(buffer),
            uncompressed_bytes: 0,
            dictionary_bytes: None,
            written: Vec::new(),
            rows: 0,
            offset_index: OffsetIndexBuilder::new(),
        }
    }

    /// Adds a dictionary of `count` values in PLAIN encoding.
    ///
    /// # Errors
    ///
    /// Fails if the page is too large.
    pub fn add_dictionary(&mut self, body: Body, count: usize, is_sorted: bool) -> Result<()> {
        let page = Page::DictionaryPage {
            buf: body.bytes.into(),
            num_values: count as u32,
            encoding: Encoding::PLAIN,
            is_sorted,
        };
        let (_, bytes) = self.add(page, body.uncompressed)?;
        self.dictionary_bytes = Some(bytes);
        Ok(())
    }

    /// Adds a data page.
    ///
    /// # Errors
    ///
    /// Fails if the page is too large.
    pub fn add_page(&mut self, page: DataPage) -> Result<()> {
        let DataPage { body, encoding, rows, values, nulls, bounds } = page;
        let page = Page::DataPage {
            buf: body.bytes.into(),
            num_values: values as u32,
            encoding,
            def_level_encoding: Encoding::RLE,
            rep_level_encoding: Encoding::RLE,
            statistics: None,
        };
        let (offset, bytes) = self.add(page, body.uncompressed)?;
        self.offset_index.append_offset_and_size(signed(offset), signed(bytes) as i32);
        self.offset_index.append_row_count(signed(rows));
        self.rows += rows;
        self.written.push(Written { encoding, values, nulls, bounds });
        Ok(())
    }

    /// Adds a page; returns its offset in the chunk, and its length including the header.
    fn add(&mut self, page: Page, uncompressed: usize) -> Result<(usize, usize)> {
        let spec =
            SerializedPageWriter::new(&mut self.pages).write_page(CompressedPage::new(page, uncompressed))?;
        self.uncompressed_bytes += spec.uncompressed_size;
        Ok((spec.offset as usize, spec.bytes_written as usize))
    }

    /// Writes the chunk to a row group. All its pages must be compressed with `codec`.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be written.
    pub fn finish<W: Write + Send>(
        self,
        row_group: &mut SerializedRowGroupWriter<'_, W>,
        codec: Compression,
    ) -> Result<()> {
        let column_index = self.bounds.map(|bounds| self.column_index(bounds)).transpose()?;
        let metadata = self.metadata(codec)?;
        let bytes = self.pages.into_inner()?;
        let close = ColumnCloseResult {
            bytes_written: bytes.len() as u64,
            rows_written: self.rows as u64,
            metadata,
            bloom_filter: None,
            column_index,
            offset_index: Some(self.offset_index.build()),
        };
        row_group.append_column(&Pages(bytes), close)
    }

    fn column_index(&self, bounds: &dyn Bounds) -> Result<ColumnIndexMetaData> {
        let mut index = ColumnIndexBuilder::new(self.description.physical_type());
        for page in &self.written {
            let (smallest, largest) = page.bounds.map_or_else(Default::default, |(smallest, largest)| {
                (bounds.value(smallest), bounds.value(largest))
            });
            index.append(page.bounds.is_none(), smallest, largest, signed(page.nulls), None);
        }
        let ascending = self.page_bounds().is_sorted_by(|a, b| a.0 <= b.0 && a.1 <= b.1);
        index.set_boundary_order(if ascending { BoundaryOrder::ASCENDING } else { BoundaryOrder::UNORDERED });
        index.build()
    }

    /// The codes of the smallest and the largest value of every page that has bounds.
    fn page_bounds(&self) -> impl Iterator<Item = (u64, u64)> {
        self.written.iter().filter_map(|page| page.bounds)
    }

    fn metadata(&self, codec: Compression) -> Result<ColumnChunkMetaData> {
        let stats = self.encoding_stats();
        let has_levels = self.description.max_def_level() > 0;
        let encodings = stats.iter().map(|stats| stats.encoding).chain(has_levels.then_some(Encoding::RLE));
        ColumnChunkMetaData::builder(self.description.clone())
            .set_compression(codec)
            .set_encodings(encodings.collect())
            .set_num_values(self.written.iter().map(|page| signed(page.values)).sum())
            .set_total_compressed_size(signed(self.pages.bytes_written()))
            .set_total_uncompressed_size(signed(self.uncompressed_bytes))
            .set_dictionary_page_offset(self.dictionary_bytes.map(|_| 0))
            .set_data_page_offset(signed(self.dictionary_bytes.unwrap_or(0)))
            .set_statistics(self.statistics())
            .set_page_encoding_stats(stats)
            .build()
    }

    /// How many pages of each kind and encoding the chunk has.
    fn encoding_stats(&self) -> Vec<PageEncodingStats> {
        let dictionary = self.dictionary_bytes.map(|_| PageEncodingStats {
            page_type: PageType::DICTIONARY_PAGE,
            encoding: Encoding::PLAIN,
            count: 1,
        });
        let mut stats: Vec<_> = dictionary.into_iter().collect();
        for &Written { encoding, .. } in &self.written {
            match stats
                .iter_mut()
                .find(|stats| (stats.page_type, stats.encoding) == (PageType::DATA_PAGE, encoding))
            {
                Some(stats) => stats.count += 1,
                None => stats.push(PageEncodingStats { page_type: PageType::DATA_PAGE, encoding, count: 1 }),
            }
        }
        stats
    }

    fn statistics(&self) -> Statistics {
        let nulls = Some(self.written.iter().map(|page| page.nulls as u64).sum());
        let smallest = self.page_bounds().map(|(smallest, _)| smallest).min();
        let largest = self.page_bounds().map(|(_, largest)| largest).max();
        let bounds = [smallest, largest].map(|code| Some(self.bounds?.value(code?)));
        match self.description.physical_type() {
            PhysicalType::INT32 => {
                statistics_of::<Int32Type>(bounds, nulls, |bytes| i32::from_le_bytes(fixed(&bytes)))
            }
            PhysicalType::INT64 => {
                statistics_of::<Int64Type>(bounds, nulls, |bytes| i64::from_le_bytes(fixed(&bytes)))
            }
            PhysicalType::FLOAT => {
                statistics_of::<FloatType>(bounds, nulls, |bytes| f32::from_le_bytes(fixed(&bytes)))
            }
            PhysicalType::DOUBLE => {
                statistics_of::<DoubleType>(bounds, nulls, |bytes| f64::from_le_bytes(fixed(&bytes)))
            }
            _ => statistics_of::<ByteArrayType>(bounds, nulls, ByteArray::from),
        }
    }
}

fn statistics_of<T: DataType>(
    bounds: [Option<Vec<u8>>; 2],
    nulls: Option<u64>,
    value: fn(Vec<u8>) -> T::T,
) -> Statistics {
    let [smallest, largest] = bounds.map(|bytes| bytes.map(value));
    Statistics::new(smallest, largest, None, nulls, false)
}

/// The bytes of a number.
fn fixed<const N: usize>(bytes: &[u8]) -> [u8; N] {
    bytes.first_chunk().copied().unwrap_or([0; N])
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
