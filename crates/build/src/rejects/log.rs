//! Games that do not count, noted by many threads, chunk by chunk.
//!
//! # Memory
//!
//! Chunks finish out of order. Their lines go to a temporary file as they come; in memory are forty bytes a
//! chunk, from which the order is restored at the end, and then the lines of one chunk.
//!
//! # Format
//!
//! For each chunk 48 bytes, six little-endian numbers: input and part, offset and games of the chunk, the
//! bytes of its lines, the XXH3-64 of those and the XXH3-64 of the five numbers before; then its lines. A run
//! that another may go on with gives the file a name; that other takes the chunks over that were recorded as
//! done.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

use output::{Existing, Prepared};
use pgn::input::{Location, Place, ReadInputs};

use xxhash_rust::xxh3::xxh3_64;

use super::{Line, Number, RejectList, line::Original};
use crate::{Context, Error, Result, resume::Resume, spool::Decoder, status::Status};

/// Collects games from all workers.
pub(crate) struct RejectLog {
    path: PathBuf,
    filtered: bool,
    existing: Existing,
    temp_dir: PathBuf,
    spool: Mutex<Chunks>,
}

/// The lines of chunks, as they came.
struct Chunks {
    file: BufWriter<File>,
    bytes: u64,
    index: Vec<ChunkIndex>,
}

/// Where the lines of a chunk are in the file.
struct ChunkIndex {
    place: Place,
    games: u64,
    at: u64,
    bytes: u64,
}

/// Bytes before the lines of a chunk.
const HEADER_BYTES: usize = 48;

impl RejectLog {
    /// A list that will be at `path`; `filtered`: of games that a filter refused, too. With `resume` it goes
    /// on with what is recorded there.
    pub(crate) fn create(
        path: &Path,
        filtered: bool,
        context: &Context,
        resume: Option<&Resume>,
    ) -> Result<Self> {
        let temp_dir = resume.map_or(context.temp_dir.as_path(), Resume::folder).to_owned();
        let chunks = match resume {
            None => tempfile::tempfile_in(&temp_dir).map(Chunks::new),
            Some(resume) => Chunks::resume(&resume.rejects_path(), |place| resume.is_done(place)),
        };
        let spool = chunks.map_err(failed("write in", &temp_dir))?.into();
        Ok(Self { path: path.into(), filtered, existing: context.existing(), temp_dir, spool })
    }

    /// Waits until all lines so far are safe on disk.
    pub(crate) fn sync(&self) -> Result<()> {
        let mut spool = self.spool.lock().unwrap_or_else(PoisonError::into_inner);
        let flushed = spool.file.flush();
        // Others go on adding lines while these are put on disk.
        let file = flushed.and_then(|()| spool.file.get_ref().try_clone());
        drop(spool);
        file.and_then(|file| file.sync_data()).map_err(failed("write in", &self.temp_dir))
    }

    /// Whether games that a filter refused are listed too.
    pub(crate) fn lists_filtered(&self) -> bool {
        self.filtered
    }

    /// Takes the encoded lines of the chunk at `place`, which holds `games` games; every chunk is noted, also
    /// one of which all games count, because games are numbered through.
    pub(crate) fn chunk(&self, place: Place, games: u64, lines: &[u8]) -> Result<()> {
        let mut spool = self.spool.lock().unwrap_or_else(PoisonError::into_inner);
        spool.push(place, games, lines).map_err(failed("write in", &self.temp_dir))
    }

    /// Puts the lines in order.
    pub(crate) fn finish(self, inputs: &ReadInputs) -> Result<Prepared> {
        let mut list = RejectList::create(&self.path, self.existing)?;
        let mut chunks = self.spool.into_inner().unwrap_or_else(PoisonError::into_inner);
        let index = chunks.in_order();
        let (mut numbering, mut encoded) = (Numbering::default(), Vec::new());
        for chunk in index {
            let start = numbering.start(inputs, chunk.place);
            chunks.read(&chunk, &mut encoded).map_err(failed("read in", &self.temp_dir))?;
            numbering.each_line(&encoded, &start, inputs, |line| list.push(line))?;
            numbering.games_before += chunk.games;
        }
        list.finish()
    }
}

/// The numbers of games in their streams, where chunks come in the order of the inputs.
#[derive(Default)]
pub(super) struct Numbering {
    stream: String,
    /// Games of the stream before the chunk.
    pub(super) games_before: u64,
}

impl Numbering {
    /// Where the next chunk begins, which is at `place`.
    pub(super) fn start(&mut self, inputs: &ReadInputs, place: Place) -> Location {
        let start = inputs.locate(place);
        if start.name != self.stream {
            (self.stream, self.games_before) = (start.name.clone(), 0);
        }
        start
    }

    /// Gives each line of a chunk that begins at `start` to `take`.
    pub(super) fn each_line<E>(
        &self,
        encoded: &[u8],
        start: &Location,
        inputs: &ReadInputs,
        mut take: impl FnMut(&Line<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut encoded = Decoder::new(encoded);
        while !encoded.is_empty() {
            let offset = start.offset + encoded.number();
            let number = Number::Game(self.games_before + encoded.number() + 1);
            let status = Line::read_status(&mut encoded);
            let copy_of = match status {
                Status::Copy(Some(original)) => {
                    let Location { name: input, offset } = inputs.locate(original);
                    Some(Original::Read { input, offset })
                }
                Status::Copy(None) => Some(Original::Counted("table")),
                _ => None,
            };
            take(&Line { input: &start.name, offset, number, status, copy_of })?;
        }
        Ok(())
    }
}

impl Chunks {
    fn new(file: File) -> Self {
        Self { file: BufWriter::new(file), bytes: 0, index: Vec::new() }
    }

    /// Goes on with the file at `path`, of which only the chunks stay that are done with: others will come
    /// again.
    fn resume(path: &Path, is_done: impl Fn(Place) -> bool) -> io::Result<Self> {
        let copy = path.with_extension("new");
        let file = OpenOptions::new().read(true).write(true).create(true).truncate(true).open(&copy)?;
        let mut chunks = Self::new(file);
        match File::open(path) {
            Ok(before) => chunks.take_over(&mut BufReader::new(before), is_done)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
        chunks.file.flush()?;
        chunks.file.get_ref().sync_data()?;
        fs::rename(&copy, path)?;
        File::open(path.parent().unwrap_or(Path::new(".")))?.sync_all()?;
        Ok(chunks)
    }

    /// Copies the chunks that are done with, up to the first that is not whole: all that are done with come
    /// before it, because they were on disk before they were recorded.
    fn take_over(&mut self, before: &mut impl Read, is_done: impl Fn(Place) -> bool) -> io::Result<()> {
        let mut lines = Vec::new();
        while let Some((place, games)) = read_chunk(before, &mut lines)? {
            if is_done(place) {
                self.push(place, games, &lines)?;
            }
        }
        Ok(())
    }

    fn push(&mut self, place: Place, games: u64, encoded: &[u8]) -> io::Result<()> {
        let bytes = encoded.len() as u64;
        let stream = u64::from(place.input) << 32 | u64::from(place.part);
        let numbers = [stream, place.offset, games, bytes, xxh3_64(encoded)];
        let header = numbers.map(u64::to_le_bytes).concat();
        self.file.write_all(&header)?;
        self.file.write_all(&xxh3_64(&header).to_le_bytes())?;
        self.file.write_all(encoded)?;
        self.index.push(ChunkIndex { place, games, at: self.bytes + HEADER_BYTES as u64, bytes });
        self.bytes += HEADER_BYTES as u64 + bytes;
        Ok(())
    }

    /// The chunks in the order of the inputs.
    fn in_order(&mut self) -> Vec<ChunkIndex> {
        let mut index = std::mem::take(&mut self.index);
        index.sort_unstable_by_key(|chunk| chunk.place);
        index
    }

    /// Replaces `encoded` by the lines of a chunk.
    fn read(&mut self, chunk: &ChunkIndex, encoded: &mut Vec<u8>) -> io::Result<()> {
        encoded.resize(chunk.bytes as usize, 0);
        // Seeking flushes what was written.
        self.file.seek(SeekFrom::Start(chunk.at))?;
        self.file.get_mut().read_exact(encoded)
    }
}

/// Reads the next chunk's place, games and lines; `None` at the end, or where it is not whole.
fn read_chunk(from: &mut impl Read, lines: &mut Vec<u8>) -> io::Result<Option<(Place, u64)>> {
    let mut header = [0; HEADER_BYTES];
    if !fill(from, &mut header)? {
        return Ok(None);
    }
    let mut header_rest = Decoder::new(&header);
    let [stream, offset, games, bytes, lines_xxh3, xxh3] = std::array::from_fn(|_| header_rest.number());
    if xxh3_64(&header[..HEADER_BYTES - 8]) != xxh3 {
        return Ok(None);
    }
    lines.resize(bytes as usize, 0);
    let whole = fill(from, lines)? && xxh3_64(lines) == lines_xxh3;
    let place = Place { input: (stream >> 32) as u32, part: stream as u32, offset };
    Ok(whole.then_some((place, games)))
}

/// Fills `bytes`; whether there were as many.
fn fill(from: &mut impl Read, bytes: &mut [u8]) -> io::Result<bool> {
    match from.read_exact(bytes) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
        Err(error) => Err(error),
    }
}

fn failed<'f>(action: &'static str, folder: &'f Path) -> impl Fn(io::Error) -> Error + 'f {
    move |source| Error::File { action, path: folder.into(), source }
}

#[cfg(test)]
mod tests {
    use pgn::input::{Packing, Part, ReadInput};

    use super::*;
    use crate::{Limits, RunOptions, rejects::ChunkStatus};

    fn source(name: &str) -> ReadInput {
        ReadInput {
            name: name.into(),
            packing: Packing::Plain,
            bytes: 0,
            xxh3: None,
            blocks: Vec::new(),
            whole_xxh3: None,
            parts: vec![Part::default()],
            skipped: Vec::new(),
        }
    }

    #[test]
    fn lines_come_in_input_order_and_games_are_numbered_through() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("rejects.jsonl");
        let context = Context::new(&Limits::default(), dir.path().into(), RunOptions::default()).unwrap();
        let log = RejectLog::create(&path, false, &context, None).unwrap();
        let note = |input, offset, games, rejected: &[u64]| {
            let mut chunk = ChunkStatus::new(Place { input, part: 0, offset }, Some(log.lists_filtered()));
            for game in 0..games {
                let illegal = Status::Rejected { ply: Some(3), reason: "illegal-move", text: "Bb6" };
                let accepted = Status::Accepted { cut: false };
                chunk.note(game as usize * 100, if rejected.contains(&game) { illegal } else { accepted });
            }
            log.chunk(chunk.place, games, &chunk.listed).unwrap();
        };
        note(1, 0, 2, &[1]);
        note(0, 5000, 5, &[0, 4]);
        note(0, 0, 10, &[9]);
        let list = log.finish(&ReadInputs { list: vec![source("a.pgn"), source("b.pgn")] }).unwrap();
        assert!(!path.exists(), "it appears with the other outputs");
        list.publish().unwrap();
        let text = std::fs::read_to_string(path).unwrap();
        let expected = [("a.pgn", 900, 10), ("a.pgn", 5000, 11), ("a.pgn", 5400, 15), ("b.pgn", 100, 2)].map(
            |(input, offset, game)| {
                format!(
                    r#"{{"input":"{input}","offset":{offset},"game":{game},"ply":3,"reason":"illegal-move","text":"Bb6"}}"#
                ) + "\n"
            },
        );
        assert_eq!(text, expected.concat());
    }
}
