//! Reads a file of blocks: a single entry, or all entries.

use std::{
    collections::VecDeque,
    fmt,
    io::Read as _,
    marker::PhantomData,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

use serde::de::DeserializeOwned;
use xxhash_rust::xxh3::xxh3_64;
use zstd::bulk::Decompressor;

use super::{Block, BlocksInfo, decoded};
use crate::{Error, Result, file_bytes::FileBytes, hash::check_hash, hex};

/// The maximum size of a decompressed block: one entry may be as large as a game.
const BLOCK_BYTES_MAX: usize = 1 << 27;
/// How many blocks a reader of single entries remembers.
const REMEMBERED: usize = 256;

/// Decompresses blocks, with the file's dictionary if it has one.
struct Unpacker(Mutex<Decompressor<'static>>);

impl Unpacker {
    fn new(path: &Path, dictionary: &[u8]) -> Result<Self> {
        Decompressor::with_dictionary(dictionary)
            .map(|decompressor| Self(Mutex::new(decompressor)))
            .map_err(Error::io(path))
    }

    fn unpack(&self, path: &Path, packed: &[u8]) -> Result<Vec<u8>> {
        let bytes = Decompressor::upper_bound(packed).unwrap_or(0).min(BLOCK_BYTES_MAX);
        let mut decompressor = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        decompressor.decompress(packed, bytes).map_err(Error::io(path))
    }
}

impl fmt::Debug for Unpacker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Unpacker")
    }
}

/// Reads a file of entries of one type.
///
/// # Memory
///
/// The dictionary, the index, about 20 bytes for each block, and the blocks that were asked for last.
#[derive(Debug)]
pub(in crate::examples) struct Blocks<T> {
    path: PathBuf,
    file: Arc<FileBytes>,
    entries: u64,
    unpacker: Unpacker,
    /// Each block, and where it begins.
    index: Vec<(u64, Block)>,
    /// The blocks that were asked for last, each with the place where it begins; the latest one comes last.
    remembered: Mutex<VecDeque<(u64, Arc<Vec<u8>>)>>,
    entry: PhantomData<fn() -> T>,
}

impl<T: DeserializeOwned> Blocks<T> {
    /// Opens a file; its length, its dictionary and its index are checked.
    pub(in crate::examples) fn open(path: &Path, file: Arc<FileBytes>, info: &BlocksInfo) -> Result<Self> {
        let bytes = file.count();
        if bytes != info.bytes || info.index_at > bytes {
            return Err(Error::Length { path: path.to_owned(), expected: info.bytes, got: bytes });
        }
        let mut unpacker = Unpacker::new(path, &[])?;
        let checked = |at, bytes: u64, xxh3: &str, unpacker: &Unpacker| {
            let packed = read(path, &file, at, bytes as usize)?;
            check_hash(xxh3_64(&packed), path, xxh3)?;
            unpacker.unpack(path, &packed)
        };
        let index = checked(info.index_at, bytes - info.index_at, &info.xxh3, &unpacker)?;
        let index: Vec<Block> = decoded(path, &mut &index[..])?;
        let mut at = 0;
        if let Some(known) = info.dictionary.as_ref().filter(|known| known.bytes <= info.index_at) {
            unpacker = Unpacker::new(path, &checked(0, known.bytes, &known.xxh3, &unpacker)?)?;
            at = known.bytes;
        }
        let placed = |block: Block| {
            at += u64::from(block.bytes);
            (at - u64::from(block.bytes), block)
        };
        let index = index.into_iter().map(placed).collect();
        let (path, entries, remembered, entry) =
            (path.to_owned(), info.entries, Mutex::default(), PhantomData);
        let blocks = Self { path, file, entries, unpacker, index, remembered, entry };
        if at == info.index_at {
            Ok(blocks)
        } else {
            Err(blocks.bad("its blocks do not end where its index begins"))
        }
    }

    /// The value of the entry with this number, if there is such an entry.
    pub(in crate::examples) fn get(&self, number: u64) -> Result<Option<T>> {
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
    pub(in crate::examples) fn all(&self) -> impl Iterator<Item = Result<(u64, T)>> + '_ {
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

    /// Checks that the file has as many entries as the manifest says, and that they ascend; passes each entry
    /// to `each`.
    pub(in crate::examples) fn check(&self, mut each: impl FnMut(u64, T) -> Result<()>) -> Result<()> {
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

    pub(in crate::examples) fn bad(&self, what: &str) -> Error {
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
        let packed = read(&self.path, &self.file, at, block.bytes as usize)?;
        check_hash(xxh3_64(&packed), &self.path, &hex::digits(block.xxh3))?;
        self.unpacker.unpack(&self.path, &packed)
    }

    /// Removes an entry from the front of `rest`, if there is another one.
    fn take(&self, rest: &mut &[u8]) -> Result<Option<(u64, T)>> {
        let Some((number, value)) = rest.split_first_chunk() else { return Ok(None) };
        *rest = value;
        Ok(Some((u64::from_le_bytes(*number), decoded(&self.path, rest)?)))
    }
}

fn read(path: &Path, file: &FileBytes, at: u64, bytes: usize) -> Result<Vec<u8>> {
    let mut packed = vec![0; bytes];
    file.read_from(at).read_exact(&mut packed).map_err(Error::io(path))?;
    Ok(packed)
}
