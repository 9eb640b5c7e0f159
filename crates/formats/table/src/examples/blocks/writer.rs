//! Writes a file of blocks.

use std::{
    fs::File,
    io::{BufWriter, Write as _},
    marker::PhantomData,
    path::PathBuf,
};

use serde::Serialize;
use xxhash_rust::xxh3::xxh3_64;
use zstd::bulk::Compressor;

use super::{Block, BlocksInfo, DictionaryInfo, LEVEL, encoded};
use crate::{Error, Result, hex};

/// How entries become blocks.
pub(in crate::examples) struct Packing<'d> {
    /// A block ends once its entries have this many bytes before compression.
    pub block_bytes: usize,
    /// Zstandard's level.
    pub level: i32,
    /// The dictionary that each block is compressed with; none if it is empty.
    pub dictionary: &'d [u8],
}

/// Writes a file of entries of one type.
pub(in crate::examples) struct BlocksWriter<T> {
    path: PathBuf,
    file: BufWriter<File>,
    block_bytes: usize,
    compressor: Compressor<'static>,
    dictionary: Option<DictionaryInfo>,
    index: Vec<Block>,
    /// The entries of the block that is being filled, and the number of the first.
    block: Vec<u8>,
    first: u64,
    last: Option<u64>,
    entries: u64,
    bytes: u64,
    entry: PhantomData<fn(&T)>,
}

impl<T: Serialize> BlocksWriter<T> {
    /// Begins a file.
    pub(in crate::examples) fn create(path: PathBuf, packing: &Packing<'_>) -> Result<Self> {
        let &Packing { block_bytes, level, dictionary } = packing;
        let file = BufWriter::new(File::create_new(&path).map_err(Error::io(&path))?);
        let compressor = Compressor::with_dictionary(level, dictionary).map_err(Error::io(&path))?;
        let mut writer = Self {
            path,
            file,
            block_bytes,
            compressor,
            dictionary: None,
            index: Vec::new(),
            block: Vec::new(),
            first: 0,
            last: None,
            entries: 0,
            bytes: 0,
            entry: PhantomData,
        };
        writer.write_dictionary(dictionary)?;
        Ok(writer)
    }

    fn write_dictionary(&mut self, dictionary: &[u8]) -> Result<()> {
        if dictionary.is_empty() {
            return Ok(());
        }
        let packed = zstd::bulk::compress(dictionary, LEVEL).map_err(Error::io(&self.path))?;
        let xxh3 = hex::digits(xxh3_64(&packed));
        self.dictionary = Some(DictionaryInfo { bytes: packed.len() as u64, xxh3 });
        self.write(&packed)
    }

    /// Adds an entry.
    ///
    /// # Panics
    ///
    /// Panics if numbers do not ascend.
    pub(in crate::examples) fn push(&mut self, number: u64, value: &T) -> Result<()> {
        assert!(self.last.is_none_or(|last| last < number), "entries ascend");
        if self.block.is_empty() {
            self.first = number;
        }
        self.block.extend(number.to_le_bytes());
        self.block = encoded(value, std::mem::take(&mut self.block));
        self.entries += 1;
        self.last = Some(number);
        if self.block.len() >= self.block_bytes { self.end_block() } else { Ok(()) }
    }

    fn end_block(&mut self) -> Result<()> {
        let packed = self.compressor.compress(&self.block).map_err(Error::io(&self.path))?;
        self.index.push(Block { first: self.first, bytes: packed.len() as u32, xxh3: xxh3_64(&packed) });
        self.block.clear();
        self.write(&packed)
    }

    fn write(&mut self, bytes: &[u8]) -> Result<()> {
        self.bytes += bytes.len() as u64;
        self.file.write_all(bytes).map_err(Error::io(&self.path))
    }

    /// Writes the remaining entries, and the index.
    pub(in crate::examples) fn end(mut self) -> Result<(BlocksInfo, File)> {
        if !self.block.is_empty() {
            self.end_block()?;
        }
        let index = encoded(&self.index, Vec::new());
        let index = zstd::bulk::compress(&index, LEVEL).map_err(Error::io(&self.path))?;
        let (index_at, xxh3) = (self.bytes, hex::digits(xxh3_64(&index)));
        self.write(&index)?;
        let Self { path, file, dictionary, entries, bytes, .. } = self;
        let file = file.into_inner().map_err(|error| Error::io(&path)(error.into_error()))?;
        Ok((BlocksInfo { entries, bytes, index_at, xxh3, dictionary }, file))
    }

    /// Does what [`end`](Self::end) does, and waits until the file is on disk.
    pub(in crate::examples) fn finish(self) -> Result<BlocksInfo> {
        let path = self.path.clone();
        let (info, file) = self.end()?;
        file.sync_all().map_err(Error::io(&path))?;
        Ok(info)
    }
}
