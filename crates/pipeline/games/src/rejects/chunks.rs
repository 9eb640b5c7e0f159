//! Stores the lines of chunks in a file, in the order in which threads finish the chunks.
//!
//! # Format
//!
//! Each chunk begins with a header of six little-endian 64-bit numbers. The first number contains the input's
//! number in its upper half and the part's number in its lower half. The other five are the offset of the
//! chunk, the number of its games, the length of its lines in bytes, the XXH3-64 of the lines, and the
//! XXH3-64 of the first five numbers. The lines follow the header. In a run that can be resumed, the file has
//! a name. The ledger records how many bytes of the file are synced to disk, and the XXH3-64 of these bytes.
//! When the run is resumed, the chunks recorded as done are copied to a new file.

use std::{
    fs::{File, OpenOptions},
    io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write},
    path::Path,
};

use fault::FileFault;
use pgn::input::Place;
use run::{Result, RunRecord as _};
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use crate::resume::{List, Resume};

/// The lines of chunks, in the order in which threads finish the chunks.
pub(super) struct Chunks {
    file: BufWriter<File>,
    bytes: u64,
    /// The hash of all bytes written.
    hash: Xxh3,
    index: Vec<ChunkIndex>,
}

/// The place of a chunk in the inputs, and the location of its lines in the file.
pub(super) struct ChunkIndex {
    pub(super) place: Place,
    pub(super) games: u64,
    at: u64,
    bytes: u64,
}

/// The number of bytes before the lines of a chunk.
const HEADER_BYTES: usize = 48;

impl Chunks {
    pub(super) fn new(file: File) -> Self {
        Self { file: BufWriter::new(file), bytes: 0, hash: Xxh3::new(), index: Vec::new() }
    }

    /// Returns an entry for the ledger, which describes the bytes written so far to the file `name`.
    pub(super) fn list(&self, name: &str) -> List {
        List { name: name.into(), bytes: self.bytes, xxh3: self.hash.digest() }
    }

    /// Writes all buffered bytes to the file and returns it.
    pub(super) fn flushed(&mut self) -> io::Result<File> {
        self.file.flush()?;
        self.file.get_ref().try_clone()
    }

    /// Copies the finished chunks from the file that an earlier run recorded to a new file, and records the
    /// new file instead. Chunks that were not finished are read again.
    pub(super) fn resume(resume: &Resume) -> Result<Self> {
        let (folder, name) = (resume.folder(), resume.next_list());
        let make =
            || OpenOptions::new().read(true).write(true).create(true).truncate(true).open(folder.join(&name));
        let mut chunks = Self::new(make().map_err(FileFault::of("write in", folder))?);
        if let Some(before) = resume.list()? {
            let taken = chunks.take_over(&folder.join(&before.name), before, |place| resume.is_done(place));
            taken.map_err(|error| match error.kind() {
                io::ErrorKind::InvalidData | io::ErrorKind::NotFound => {
                    resume.refuse(format!("{}: {error}", before.name))
                }
                _ => FileFault::of("write in", folder)(error),
            })?;
        }
        let synced = chunks.flushed().and_then(|file| file.sync_data());
        let synced = synced.and_then(|()| File::open(folder)?.sync_all());
        synced.map_err(FileFault::of("write in", folder))?;
        resume.replace_list(chunks.list(&name))?;
        Ok(chunks)
    }

    /// Copies the finished chunks from the file at `path`. All of them lie within the recorded part,
    /// because a chunk is recorded as finished only after its lines are on disk.
    fn take_over(&mut self, path: &Path, recorded: &List, is_done: impl Fn(Place) -> bool) -> io::Result<()> {
        let mut before = BufReader::new(File::open(path)?.take(recorded.bytes));
        let (mut lines, mut hash) = (Vec::new(), Xxh3::new());
        while let Some((place, games)) = read_chunk(&mut before, &mut lines, &mut hash)? {
            if is_done(place) {
                self.push(place, games, &lines)?;
            }
        }
        if hash.digest() == recorded.xxh3 {
            return Ok(());
        }
        let why = "its checksum is not the recorded one, so the file is damaged or another one";
        Err(io::Error::new(io::ErrorKind::InvalidData, why))
    }

    pub(super) fn push(&mut self, place: Place, games: u64, encoded: &[u8]) -> io::Result<()> {
        let bytes = encoded.len() as u64;
        for bytes in [&header(place, games, encoded)[..], encoded] {
            self.file.write_all(bytes)?;
            self.hash.update(bytes);
        }
        self.index.push(ChunkIndex { place, games, at: self.bytes + HEADER_BYTES as u64, bytes });
        self.bytes += HEADER_BYTES as u64 + bytes;
        Ok(())
    }

    /// The chunks in the order of the inputs.
    pub(super) fn in_order(&mut self) -> Vec<ChunkIndex> {
        let mut index = std::mem::take(&mut self.index);
        index.sort_unstable_by_key(|chunk| chunk.place);
        index
    }

    /// Replaces the contents of `encoded` with the lines of a chunk.
    pub(super) fn read(&mut self, chunk: &ChunkIndex, encoded: &mut Vec<u8>) -> io::Result<()> {
        encoded.resize(chunk.bytes as usize, 0);
        // Seeking flushes the buffer first.
        self.file.seek(SeekFrom::Start(chunk.at))?;
        self.file.get_mut().read_exact(encoded)
    }
}

/// Makes the 48-byte header that precedes the lines of a chunk.
pub(super) fn header(place: Place, games: u64, encoded: &[u8]) -> Vec<u8> {
    let stream = u64::from(place.input) << 32 | u64::from(place.part);
    let numbers = [stream, place.offset, games, encoded.len() as u64, xxh3_64(encoded)];
    let mut header = numbers.map(u64::to_le_bytes).concat();
    header.extend(xxh3_64(&header).to_le_bytes());
    header
}

/// Reads the next chunk, and adds the bytes read to `hash`. Returns the place of the chunk and the number of
/// its games, and puts its lines into `lines`. Returns `None` at the end, or if the chunk is incomplete or
/// damaged.
pub(super) fn read_chunk(
    from: &mut impl Read,
    lines: &mut Vec<u8>,
    hash: &mut Xxh3,
) -> io::Result<Option<(Place, u64)>> {
    let mut header = [0; HEADER_BYTES];
    if !fill(from, &mut header)? {
        return Ok(None);
    }
    hash.update(&header);
    let numbers = header.as_chunks::<8>().0;
    let [stream, offset, games, bytes, lines_xxh3, xxh3] =
        std::array::from_fn(|at| u64::from_le_bytes(numbers[at]));
    if xxh3_64(&header[..HEADER_BYTES - 8]) != xxh3 {
        return Ok(None);
    }
    lines.resize(bytes as usize, 0);
    let whole = fill(from, lines)? && xxh3_64(lines) == lines_xxh3;
    hash.update(lines);
    let place = Place { input: (stream >> 32) as u32, part: stream as u32, offset };
    Ok(whole.then_some((place, games)))
}

/// Fills `bytes`. Returns `false` if the input ends before `bytes` is full.
fn fill(from: &mut impl Read, bytes: &mut [u8]) -> io::Result<bool> {
    match from.read_exact(bytes) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
        Err(error) => Err(error),
    }
}
