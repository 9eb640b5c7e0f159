//! Lists of rejected games. The list of a chunk is split into pieces of up to 1 MiB, which are sent one by
//! one. The list of the whole count is kept next to the parts until the commit.

use std::{
    collections::BTreeMap,
    fs::File,
    io::{self, Read, Write as _},
    os::unix::fs::FileExt as _,
    path::{Path, PathBuf},
};

use fault::FileFault;
use output::{Existing, OutputFile, Prepared};
use run::{Result, RunOptions};
use store::Object;

use super::{
    Place, chunk_report,
    list::{ListDigest, WholeList},
    parts::Parts,
    shard_entries::lines_error,
    sink::RecordSink,
    stream::Record,
};

/// The sequence number of the first piece of a chunk's list. The sequence number of each further piece is one
/// lower than that of the piece before it.
pub(super) const FIRST: i32 = chunk_report::SEQUENCE - 1;
/// The name of the file, next to the parts, that lists the rejected games of the whole count.
const NAME: &str = "rejects.jsonl";
const PIECE_BYTES: u64 = 1 << 20;

/// Splits the file `list`, which contains the list of a chunk, into pieces, and sends them. Returns the
/// digest of the list.
pub(super) fn send(list: &Path, chunk: u32, sink: &impl RecordSink) -> Result<ListDigest> {
    let failed = FileFault::of("read", list);
    let open = || File::open(list).map_err(&failed);
    let (mut file, mut piece) = (open()?, Vec::new());
    sink.write(chunk_report::BUCKET, "rejects", |push| {
        for sequence in (i32::MIN..=FIRST).rev() {
            piece.clear();
            Read::by_ref(&mut file).take(PIECE_BYTES).read_to_end(&mut piece).map_err(&failed)?;
            if piece.is_empty() {
                break;
            }
            let bucket = chunk_report::BUCKET.cast_signed();
            push(Record { bucket, chunk: chunk.cast_signed(), sequence, run: &piece })?;
        }
        Ok(())
    })?;
    ListDigest::of(open()?).map_err(&failed)
}

/// Collects the pieces of all chunks' lists, which may arrive in any order.
///
/// # Memory
///
/// Uses about 32 bytes for each piece. The pieces themselves are stored in an unnamed temporary file.
pub(super) struct ReceivedLists {
    temp_dir: PathBuf,
    file: Option<File>,
    bytes: u64,
    /// The offset and length of each piece in `file`. The keys are pairs of a chunk's number and a piece's
    /// number in that chunk's list.
    pieces: BTreeMap<(u32, u32), (u64, u64)>,
}

impl ReceivedLists {
    pub(super) fn new(temp_dir: &Path) -> Self {
        Self { temp_dir: temp_dir.to_owned(), file: None, bytes: 0, pieces: BTreeMap::new() }
    }

    /// Stores one piece of the list of a chunk. Returns `false` if this piece had already arrived.
    pub(super) fn take(&mut self, chunk: u32, sequence: i32, piece: &[u8]) -> Result<bool> {
        let failed = FileFault::of("write in", &self.temp_dir);
        if self.file.is_none() {
            self.file = Some(tempfile::tempfile_in(&self.temp_dir).map_err(&failed)?);
        }
        let Some(mut file) = self.file.as_ref() else { unreachable!("it was made") };
        file.write_all(piece).map_err(failed)?;
        let place = (chunk, FIRST.abs_diff(sequence));
        let old = self.pieces.insert(place, (self.bytes, piece.len() as u64));
        self.bytes += piece.len() as u64;
        Ok(old.is_none())
    }

    /// Whether a chunk's list has arrived in full.
    pub(super) fn has(&self, chunk: u32, expected: &ListDigest) -> Result<bool> {
        let numbers = self.pieces.range((chunk, 0)..=(chunk, u32::MAX)).map(|((_, number), _)| *number);
        let digest = ListDigest::of(self.open(chunk)).map_err(FileFault::of("read in", &self.temp_dir))?;
        Ok(numbers.eq(0..expected.bytes.div_ceil(PIECE_BYTES) as u32) && digest == *expected)
    }

    /// Opens the list of a chunk for reading.
    fn open(&self, chunk: u32) -> Pieces<'_> {
        let pieces = self.pieces.range((chunk, 0)..=(chunk, u32::MAX)).map(|(_, piece)| *piece);
        Pieces { file: self.file.as_ref(), left: pieces.rev().collect() }
    }

    /// Joins the lists of all chunks into one file next to the parts, which a commit then copies to `file`.
    pub(super) fn join(&self, chunks: u32, parts: &Parts, file: &Path) -> Result<WholeList> {
        let open = |chunk| Ok(io::BufReader::new(self.open(chunk)));
        let mut digest = ListDigest::default();
        parts.write(NAME, &self.temp_dir, |path| {
            let list = games::rejects::join(chunks, open, path, Existing::Replace)?;
            let whole = list.temporary_path();
            digest = File::open(whole).and_then(ListDigest::of).map_err(FileFault::of("read", whole))?;
            Ok(list)
        })?;
        Ok(WholeList { file: file.to_owned(), digest })
    }
}

/// Reads a list piece by piece.
struct Pieces<'r> {
    file: Option<&'r File>,
    /// The offset and length of each piece that is still to be read, in reverse order: the last element is
    /// the piece that is read next.
    left: Vec<(u64, u64)>,
}

impl Read for Pieces<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let (Some(file), Some((at, bytes))) = (self.file, self.left.pop()) else { return Ok(0) };
        let wanted = bytes.min(buffer.len() as u64) as usize;
        let read = file.read_at(&mut buffer[..wanted], at)?;
        if read as u64 != bytes {
            self.left.push((at + read as u64, bytes - read as u64));
        }
        Ok(read)
    }
}

/// Copies the list, which is next to the parts, to the file that the user named.
///
/// # Errors
///
/// Fails with [`Lines`](super::ClusterError::Lines) if the list has changed since it was written.
pub(super) fn prepare(listed: &WholeList, parts: &Parts, run: &RunOptions) -> Result<Prepared> {
    let failed = fault::output(&listed.file);
    let mut list = OutputFile::create(&listed.file, run.existing()).map_err(&failed)?;
    let place = parts.file(NAME)?;
    let copied = match &place {
        Place::Folder(path) => {
            File::open(path).and_then(|mut from| io::copy(&mut from, list.file()).map(drop))
        }
        Place::Store(url) => Object::open(url)?.copy_to(list.file()),
    };
    copied.map_err(FileFault::of("copy", place.to_string().as_ref()))?;
    let digest = File::open(list.temp_path()).and_then(ListDigest::of).map_err(&failed)?;
    if digest != listed.digest {
        return Err(lines_error(format!("{place} has changed since the list was written")));
    }
    list.prepare().map_err(failed)
}
