//! The list of rejected games: one JSON object a line, in input order whatever the threads did.
//!
//! # Format
//!
//! `{"input":"a.zip!x.pgn","offset":1234,"game":7,"ply":12,"reason":"illegal-move","text":"Bb6"}`: the byte offset is that of
//! the game's start in the decompressed stream, games count from 1 in each stream, `ply` is null where no move is at fault.
//! Games that a filter refused, where asked for, have the filter's name under `filter` in place of `ply`, `reason` and `text`.
//!
//! # Memory
//!
//! Chunks finish out of order. Their lines go to a temporary file as they come; what stays in memory is forty bytes a chunk,
//! from which the order is restored at the end.

use std::{
    fs::File,
    io::{self, BufWriter, Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

use pgn::{
    input::{Place, Sources},
    verdict::Rejection,
};
use serde::Serialize;
use tempfile::NamedTempFile;

use output::folder_of;

use crate::{Error, Result};

/// Collects rejected games from all workers.
pub(crate) struct RejectLog {
    path: PathBuf,
    spool: Mutex<Spool>,
}

struct Spool {
    file: BufWriter<File>,
    bytes: u64,
    chunks: Vec<ChunkIndex>,
}

/// Where a chunk's lines stand in the spool.
struct ChunkIndex {
    place: Place,
    games: u64,
    lines: u64,
    at: u64,
}

/// The lines of one chunk.
#[derive(Default)]
pub(crate) struct ChunkLog {
    lines: u64,
    bytes: Vec<u8>,
}

/// Bytes before each spooled line: offset in the chunk, game of the chunk, length.
const LINE_HEADER_BYTES: usize = 24;

#[derive(Serialize)]
struct Rejected<'r> {
    ply: Option<u32>,
    reason: &'static str,
    text: &'r str,
}

#[derive(Serialize)]
struct Filtered {
    filter: &'static str,
}

#[derive(Serialize)]
struct Whereabouts<'w> {
    input: &'w str,
    offset: u64,
    game: u64,
}

impl ChunkLog {
    /// Notes a rejected game: `offset` of its text in the chunk, `game` its number in the chunk from 0.
    pub(crate) fn rejected(&mut self, offset: usize, game: u64, rejection: &Rejection) {
        let Rejection { ply, reason, text, .. } = rejection;
        self.line(offset, game, &Rejected { ply: *ply, reason: reason.name(), text });
    }

    /// Notes a game that a filter refused.
    pub(crate) fn filtered(&mut self, offset: usize, game: u64, filter: &'static str) {
        self.line(offset, game, &Filtered { filter });
    }

    fn line(&mut self, offset: usize, game: u64, fate: &impl Serialize) {
        let Ok(json) = serde_json::to_vec(fate) else { unreachable!("strings and numbers serialise") };
        for number in [offset as u64, game, json.len() as u64] {
            self.bytes.extend(number.to_le_bytes());
        }
        self.bytes.extend(json);
        self.lines += 1;
    }
}

impl RejectLog {
    pub(crate) fn create(path: &Path, temp_dir: &Path) -> Result<Self> {
        let file = tempfile::tempfile_in(temp_dir).map_err(|source| Error::File {
            action: "write in",
            path: temp_dir.into(),
            source,
        })?;
        let spool = Spool { file: BufWriter::new(file), bytes: 0, chunks: Vec::new() };
        Ok(Self { path: path.into(), spool: spool.into() })
    }

    /// Takes what the worker of the chunk at `place` has to say; every chunk must be told, also one without rejections,
    /// because games are numbered through.
    pub(crate) fn chunk(&self, place: Place, games: u64, log: &ChunkLog) -> Result<()> {
        let mut spool = self.spool.lock().unwrap_or_else(PoisonError::into_inner);
        let at = spool.bytes;
        spool.chunks.push(ChunkIndex { place, games, lines: log.lines, at });
        spool.bytes += log.bytes.len() as u64;
        spool.file.write_all(&log.bytes).map_err(|source| self.error(source))
    }

    /// Puts the lines in order; the file appears by rename.
    pub(crate) fn finish(self, sources: &Sources) -> Result<PathBuf> {
        self.persist(sources).map_err(|source| self.error(source))?;
        Ok(self.path)
    }

    fn persist(&self, sources: &Sources) -> io::Result<()> {
        let mut out = BufWriter::new(NamedTempFile::new_in(folder_of(&self.path))?);
        let mut spool = self.spool.lock().unwrap_or_else(PoisonError::into_inner);
        spool.write_in_order(sources, &mut out)?;
        let file = out.into_inner()?;
        file.as_file().sync_all()?;
        file.persist(&self.path)?;
        Ok(())
    }

    fn error(&self, source: io::Error) -> Error {
        Error::File { action: "write", path: self.path.clone(), source }
    }
}

impl Spool {
    fn write_in_order(&mut self, sources: &Sources, out: &mut impl Write) -> io::Result<()> {
        self.chunks.sort_by_key(|chunk| chunk.place);
        self.file.flush()?;
        let file = self.file.get_mut();
        let (mut stream, mut games_before) = (String::new(), 0);
        for chunk in &self.chunks {
            let start = sources.locate(chunk.place);
            if start.name != stream {
                (stream, games_before) = (start.name, 0);
            }
            file.seek(SeekFrom::Start(chunk.at))?;
            let mut lines = io::BufReader::new(&mut *file);
            for _ in 0..chunk.lines {
                copy_line(&mut lines, out, &stream, start.offset, games_before)?;
            }
            games_before += chunk.games;
        }
        Ok(())
    }
}

fn copy_line(
    lines: &mut impl Read,
    out: &mut impl Write,
    input: &str,
    start: u64,
    games: u64,
) -> io::Result<()> {
    let mut header = [0; LINE_HEADER_BYTES];
    lines.read_exact(&mut header)?;
    let [offset, game, length] = [0, 8, 16].map(|at| {
        let mut number = [0; 8];
        number.copy_from_slice(&header[at..at + 8]);
        u64::from_le_bytes(number)
    });
    let mut fate = vec![0; length as usize];
    lines.read_exact(&mut fate)?;
    let whereabouts = Whereabouts { input, offset: start + offset, game: games + game + 1 };
    let mut line = serde_json::to_vec(&whereabouts)?;
    // Two objects become one: drop the brace that ends the first and the one that begins the second.
    line.pop();
    line.push(b',');
    line.extend(&fate[1..]);
    line.push(b'\n');
    out.write_all(&line)
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
        let log = RejectLog::create(&path, dir.path()).unwrap();
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
