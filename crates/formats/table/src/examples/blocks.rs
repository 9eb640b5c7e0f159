//! A file of sorted entries in compressed blocks, of which one is read at a time.
//!
//! # Format
//!
//! Blocks, one after another, and the index. A block is Zstandard of its entries, each a number of eight
//! bytes (little-endian) and a value as `postcard` encodes it; numbers ascend strictly. The index is
//! Zstandard of the list of blocks as `postcard` encodes it: first number, length and XXH3-64 of each. The
//! manifest has the length of the file, where the index begins, and the XXH3-64 of the index as it is stored.

use std::{
    collections::VecDeque,
    fs::File,
    io::{BufWriter, Write as _},
    marker::PhantomData,
    os::unix::fs::FileExt as _,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

use serde::{Deserialize, Serialize, de::DeserializeOwned};
use xxhash_rust::xxh3::xxh3_64;

use crate::{Error, Result, hex};

/// The most that a block may unpack to: one entry may be as large as a game.
const BLOCK_BYTES_MAX: usize = 1 << 27;
const LEVEL: i32 = 9;

/// The manifest's entry for a file.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct BlocksInfo {
    /// Entries in it.
    pub entries: u64,
    /// Bytes of the file.
    pub bytes: u64,
    /// Where the index begins.
    pub index_at: u64,
    /// XXH3-64 of the index.
    pub xxh3: String,
}

/// What the index says of a block.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
struct Block {
    first: u64,
    bytes: u32,
    xxh3: u64,
}

/// Writes a file of entries of one type.
pub(super) struct BlocksWriter<T> {
    path: PathBuf,
    file: BufWriter<File>,
    block_bytes: usize,
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
    /// Begins a file whose blocks end after `block_bytes` bytes of entries, before compression.
    pub(super) fn create(path: PathBuf, block_bytes: usize) -> Result<Self> {
        let file = BufWriter::new(File::create_new(&path).map_err(Error::io(&path))?);
        let (index, block) = (Vec::new(), Vec::new());
        let (first, last, entries, bytes, entry) = (0, None, 0, 0, PhantomData);
        Ok(Self { path, file, block_bytes, index, block, first, last, entries, bytes, entry })
    }

    /// Adds an entry.
    ///
    /// # Panics
    ///
    /// Panics if numbers do not ascend.
    pub(super) fn push(&mut self, number: u64, value: &T) -> Result<()> {
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
        let packed = zstd::bulk::compress(&self.block, LEVEL).map_err(Error::io(&self.path))?;
        self.index.push(Block { first: self.first, bytes: packed.len() as u32, xxh3: xxh3_64(&packed) });
        self.block.clear();
        self.write(&packed)
    }

    fn write(&mut self, bytes: &[u8]) -> Result<()> {
        self.bytes += bytes.len() as u64;
        self.file.write_all(bytes).map_err(Error::io(&self.path))
    }

    /// Waits until all is on disk.
    pub(super) fn finish(mut self) -> Result<BlocksInfo> {
        if !self.block.is_empty() {
            self.end_block()?;
        }
        let index = encoded(&self.index, Vec::new());
        let index = zstd::bulk::compress(&index, LEVEL).map_err(Error::io(&self.path))?;
        let (index_at, xxh3) = (self.bytes, hex::digits(xxh3_64(&index)));
        self.write(&index)?;
        let Self { path, file, entries, bytes, .. } = self;
        let file = file.into_inner().map_err(|error| Error::io(&path)(error.into_error()))?;
        file.sync_all().map_err(Error::io(&path))?;
        Ok(BlocksInfo { entries, bytes, index_at, xxh3 })
    }
}

/// Blocks that a reader of single entries remembers.
const REMEMBERED: usize = 32;

/// Reads a file of entries of one type.
///
/// # Memory
///
/// The index, about 20 bytes for each block, and the blocks that were asked for last.
#[derive(Debug)]
pub(super) struct Blocks<T> {
    path: PathBuf,
    file: File,
    entries: u64,
    /// Each block, and where it begins.
    index: Vec<(u64, Block)>,
    /// Blocks that were asked for last, the latest one last, each with the place where it begins.
    remembered: Mutex<VecDeque<(u64, Arc<Vec<u8>>)>>,
    entry: PhantomData<fn() -> T>,
}

impl<T: DeserializeOwned> Blocks<T> {
    /// Opens a file; its length and its index are checked.
    pub(super) fn open(path: &Path, file: File, info: &BlocksInfo) -> Result<Self> {
        let bytes = file.metadata().map_err(Error::io(path))?.len();
        if bytes != info.bytes || info.index_at > bytes {
            return Err(Error::Length { path: path.to_owned(), expected: info.bytes, got: bytes });
        }
        let mut packed = vec![0; (bytes - info.index_at) as usize];
        file.read_exact_at(&mut packed, info.index_at).map_err(Error::io(path))?;
        check(path, &packed, &info.xxh3)?;
        let unpacked = unpacked(path, &packed)?;
        let blocks: Vec<Block> = decoded(path, &mut &unpacked[..])?;
        let mut at = 0;
        let placed = |block: Block| {
            at += u64::from(block.bytes);
            (at - u64::from(block.bytes), block)
        };
        let index = blocks.into_iter().map(placed).collect();
        let (path, remembered) = (path.to_owned(), Mutex::default());
        let blocks = Self { path, file, entries: info.entries, index, remembered, entry: PhantomData };
        if at == info.index_at {
            Ok(blocks)
        } else {
            Err(blocks.bad("its blocks do not end where its index begins"))
        }
    }

    /// The value of a number, if it has one.
    pub(super) fn get(&self, number: u64) -> Result<Option<T>> {
        let after = self.index.partition_point(|(_, block)| block.first <= number);
        let Some(&(at, block)) = after.checked_sub(1).and_then(|before| self.index.get(before)) else {
            return Ok(None);
        };
        let entries = self.remembered(at, block)?;
        let mut rest = &entries[..];
        while let Some((found, value)) = self.take(&mut rest)? {
            if found >= number {
                return Ok((found == number).then_some(value));
            }
        }
        Ok(None)
    }

    /// All entries, in order.
    pub(super) fn all(&self) -> impl Iterator<Item = Result<(u64, T)>> + '_ {
        let entries_of = |&(at, block): &(u64, Block)| -> Vec<Result<(u64, T)>> {
            let entries = match self.block(at, block) {
                Ok(entries) => entries,
                Err(error) => return vec![Err(error)],
            };
            let mut rest = &entries[..];
            std::iter::from_fn(|| self.take(&mut rest).transpose()).collect()
        };
        self.index.iter().flat_map(entries_of)
    }

    /// Checks that it has the entries that the manifest says, in order; returns their numbers to `each`.
    pub(super) fn check(&self, mut each: impl FnMut(u64, T) -> Result<()>) -> Result<()> {
        let (mut count, mut last) = (0, None);
        for entry in self.all() {
            let (number, value) = entry?;
            if last.is_some_and(|last| last >= number) {
                return Err(self.bad("the entries do not ascend"));
            }
            (count, last) = (count + 1, Some(number));
            each(number, value)?;
        }
        if count == self.entries {
            Ok(())
        } else {
            Err(self.bad("it does not have as many entries as it says"))
        }
    }

    pub(super) fn bad(&self, what: &str) -> Error {
        Error::Manifest { path: self.path.clone(), what: what.to_owned() }
    }

    /// The entries of a block, which are remembered.
    fn remembered(&self, at: u64, block: Block) -> Result<Arc<Vec<u8>>> {
        let lock = || self.remembered.lock().unwrap_or_else(PoisonError::into_inner);
        let take = |known: &mut VecDeque<(u64, Arc<Vec<u8>>)>| {
            known.iter().position(|(place, _)| *place == at).and_then(|index| known.remove(index))
        };
        let known = take(&mut lock());
        let entries =
            known.map_or_else(|| self.block(at, block).map(Arc::new), |(_, entries)| Ok(entries))?;
        let mut known = lock();
        known.push_back((at, Arc::clone(&entries)));
        if known.len() > REMEMBERED {
            known.pop_front();
        }
        Ok(entries)
    }

    /// The entries of a block.
    fn block(&self, at: u64, block: Block) -> Result<Vec<u8>> {
        let mut packed = vec![0; block.bytes as usize];
        self.file.read_exact_at(&mut packed, at).map_err(Error::io(&self.path))?;
        check(&self.path, &packed, &hex::digits(block.xxh3))?;
        unpacked(&self.path, &packed)
    }

    /// Takes an entry off `rest`, if there is one more.
    fn take(&self, rest: &mut &[u8]) -> Result<Option<(u64, T)>> {
        let Some((number, value)) = rest.split_first_chunk() else { return Ok(None) };
        *rest = value;
        Ok(Some((u64::from_le_bytes(*number), decoded(&self.path, rest)?)))
    }
}

fn encoded(value: &impl Serialize, bytes: Vec<u8>) -> Vec<u8> {
    let Ok(bytes) = postcard::to_extend(value, bytes) else {
        unreachable!("memory takes all that serde can write")
    };
    bytes
}

/// Takes a value off `bytes`. One that is none was written so: its block had the right checksum.
fn decoded<T: DeserializeOwned>(path: &Path, bytes: &mut &[u8]) -> Result<T> {
    let (value, rest) = postcard::take_from_bytes(bytes)
        .map_err(|error| Error::Manifest { path: path.to_owned(), what: error.to_string() })?;
    *bytes = rest;
    Ok(value)
}

fn check(path: &Path, packed: &[u8], expected: &str) -> Result<()> {
    let got = hex::digits(xxh3_64(packed));
    if got == expected {
        return Ok(());
    }
    Err(Error::Checksum { path: path.to_owned(), expected: expected.to_owned(), got })
}

fn unpacked(path: &Path, packed: &[u8]) -> Result<Vec<u8>> {
    zstd::bulk::decompress(
        packed,
        zstd::bulk::Decompressor::upper_bound(packed).unwrap_or(0).min(BLOCK_BYTES_MAX),
    )
    .map_err(Error::io(path))
}
