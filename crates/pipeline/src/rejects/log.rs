//! Games that do not count and are met by many threads, chunk by chunk.
//!
//! # Memory
//!
//! Chunks finish out of order. What they say goes to a temporary file as it comes; in memory stay forty bytes a chunk, from which
//! the order is restored at the end, and then what one chunk said.

use std::{
    fs::File,
    io::{self, BufWriter, Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

use output::Existing;
use pgn::{
    input::{Place, Sources},
    verdict::Rejection,
};

use super::{Fate, Line, Number, RejectList};
use crate::{
    Error, Result,
    spool::{Decoder, Encoder},
};

/// Collects games from all workers.
pub(crate) struct RejectLog {
    path: PathBuf,
    existing: Existing,
    temp_dir: PathBuf,
    spool: Mutex<Chunks>,
}

/// What chunks said, as it came.
struct Chunks {
    file: BufWriter<File>,
    bytes: u64,
    index: Vec<ChunkIndex>,
}

/// Where it stands in the file what a chunk said.
struct ChunkIndex {
    place: Place,
    games: u64,
    at: u64,
    bytes: u64,
}

/// What one chunk says: for each game its offset in the chunk, its number there from 0, and its fate.
#[derive(Default)]
pub(crate) struct ChunkLog(Vec<u8>);

impl ChunkLog {
    /// Notes a rejected game: `offset` of its text in the chunk, `game` its number in the chunk from 0.
    pub(crate) fn rejected(&mut self, offset: usize, game: u64, rejection: &Rejection) {
        let Rejection { ply, reason, text, .. } = rejection;
        self.push(offset, game, Fate::Rejected { ply: *ply, reason: reason.name(), text });
    }

    /// Notes a game that a filter refused.
    pub(crate) fn filtered(&mut self, offset: usize, game: u64, filter: &'static str) {
        self.push(offset, game, Fate::Filtered { filter });
    }

    fn push(&mut self, offset: usize, game: u64, fate: Fate<'_>) {
        let mut entry = Encoder::new(&mut self.0);
        entry.number(offset as u64);
        entry.number(game);
        fate.write(&mut entry);
    }
}

impl RejectLog {
    /// A list at `path`, and what to do about a file that stands there at the end.
    pub(crate) fn create(path: &Path, existing: Existing, temp_dir: &Path) -> Result<Self> {
        let file = tempfile::tempfile_in(temp_dir).map_err(failed("write in", temp_dir))?;
        let chunks = Chunks { file: BufWriter::new(file), bytes: 0, index: Vec::new() };
        Ok(Self { path: path.into(), existing, temp_dir: temp_dir.into(), spool: chunks.into() })
    }

    /// Takes what the worker of the chunk at `place` has to say; every chunk must be told, also one of which all games count,
    /// because games are numbered through.
    pub(crate) fn chunk(&self, place: Place, games: u64, log: &ChunkLog) -> Result<()> {
        let mut spool = self.spool.lock().unwrap_or_else(PoisonError::into_inner);
        spool.push(place, games, &log.0).map_err(failed("write in", &self.temp_dir))
    }

    /// Puts the lines in order; the file appears when all are there.
    pub(crate) fn finish(self, sources: &Sources) -> Result<PathBuf> {
        let mut list = RejectList::create(&self.path, self.existing)?;
        let mut chunks = self.spool.into_inner().unwrap_or_else(PoisonError::into_inner);
        let index = chunks.in_order();
        let (mut stream, mut games_before, mut said) = (String::new(), 0, Vec::new());
        for chunk in index {
            let start = sources.locate(chunk.place);
            if start.name != stream {
                (stream, games_before) = (start.name, 0);
            }
            chunks.read(&chunk, &mut said).map_err(failed("read in", &self.temp_dir))?;
            write_chunk(&mut list, &said, &stream, start.offset, games_before)?;
            games_before += chunk.games;
        }
        list.finish()
    }
}

/// Writes what a chunk said that begins at `start` of a stream, after so many games of it.
fn write_chunk(list: &mut RejectList, said: &[u8], input: &str, start: u64, games: u64) -> Result<()> {
    let mut said = Decoder::new(said);
    while !said.is_empty() {
        let (offset, number) = (start + said.number(), Number::Game(games + said.number() + 1));
        list.push(&Line { input, offset, number, fate: Fate::read(&mut said) })?;
    }
    Ok(())
}

impl Chunks {
    fn push(&mut self, place: Place, games: u64, said: &[u8]) -> io::Result<()> {
        let (at, bytes) = (self.bytes, said.len() as u64);
        self.index.push(ChunkIndex { place, games, at, bytes });
        self.bytes += bytes;
        self.file.write_all(said)
    }

    /// The chunks in the order of the inputs.
    fn in_order(&mut self) -> Vec<ChunkIndex> {
        let mut index = std::mem::take(&mut self.index);
        index.sort_unstable_by_key(|chunk| chunk.place);
        index
    }

    /// Replaces `said` by what a chunk said.
    fn read(&mut self, chunk: &ChunkIndex, said: &mut Vec<u8>) -> io::Result<()> {
        said.resize(chunk.bytes as usize, 0);
        // Seeking flushes what was written.
        self.file.seek(SeekFrom::Start(chunk.at))?;
        self.file.get_mut().read_exact(said)
    }
}

fn failed<'f>(action: &'static str, folder: &'f Path) -> impl Fn(io::Error) -> Error + 'f {
    move |source| Error::File { action, path: folder.into(), source }
}

#[cfg(test)]
mod tests {
    use pgn::{
        input::{Packing, Part, SourceInfo},
        verdict::Reason,
    };

    use super::*;

    fn source(name: &str) -> SourceInfo {
        SourceInfo {
            name: name.into(),
            packing: Packing::Plain,
            bytes: 0,
            xxh3: None,
            parts: vec![Part::default()],
            skipped: Vec::new(),
        }
    }

    #[test]
    fn lines_come_in_input_order_and_games_are_numbered_through() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("rejects.jsonl");
        let log = RejectLog::create(&path, Existing::Refuse, dir.path()).unwrap();
        let tell = |input, offset, games, rejected: &[u64]| {
            let mut chunk = ChunkLog::default();
            for &game in rejected {
                chunk.rejected(
                    game as usize * 100,
                    game,
                    &Rejection::new(Reason::IllegalMove, Some(3), b"Bb6"),
                );
            }
            log.chunk(Place { input, part: 0, offset }, games, &chunk).unwrap();
        };
        tell(1, 0, 2, &[1]);
        tell(0, 5000, 5, &[0, 4]);
        tell(0, 0, 10, &[9]);
        log.finish(&Sources { list: vec![source("a.pgn"), source("b.pgn")] }).unwrap();
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
