//! Collects the games that do not count, chunk by chunk and from several threads.
//!
//! # Memory
//!
//! Chunks finish out of order, so their lines are written to a temporary file immediately ([`Chunks`]). Only
//! forty bytes per chunk are kept in memory. These are enough to restore the order at the end, when the lines
//! are read back one chunk at a time.

use std::{
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

use fault::FileFault;
use output::{Existing, Prepared};
use pgn::input::{Location, Place, ReadInputs};
use run::{Context, Result, RunRecord, Status};

use super::{
    Number, RejectEntry, RejectList,
    chunks::Chunks,
    join,
    reject_entry::{Original, PendingEntry},
};
use crate::{
    encoding::decode,
    resume::{List, Resume},
};

/// Collects games from all workers.
pub struct RejectLog {
    path: PathBuf,
    /// Whether filtered games and copies are listed too.
    pub filtered: bool,
    /// Whether the list covers one section of the inputs, and another machine will [join](super::join()) it
    /// with the lists of the other sections.
    pub(crate) unplaced: bool,
    existing: Existing,
    temp_dir: PathBuf,
    /// The name of the temporary file in `temp_dir`; empty if the file has no name.
    name: String,
    spool: Mutex<Chunks>,
}

impl RejectLog {
    /// Begins a list that will be published at `path`. `filtered` says whether filtered games and copies are
    /// listed too. If `resume` is set, continues the list that an earlier run recorded.
    pub fn create(path: &Path, filtered: bool, context: &Context, resume: Option<&Resume>) -> Result<Self> {
        let temp_dir = resume.map_or(context.temp_dir.as_path(), RunRecord::folder).to_owned();
        let (name, chunks) = match resume {
            None => (String::new(), tempfile::tempfile_in(&temp_dir).map(Chunks::new)),
            Some(resume) => (resume.next_list(), Ok(Chunks::resume(resume)?)),
        };
        let spool = chunks.map_err(FileFault::of("write in", &temp_dir))?.into();
        let existing = context.existing();
        Ok(Self { path: path.into(), filtered, unplaced: false, existing, temp_dir, name, spool })
    }

    /// Waits until all lines written so far are synced to disk. Returns an entry for the ledger, which
    /// describes these lines.
    pub fn sync(&self) -> Result<List> {
        let mut spool = self.spool.lock().unwrap_or_else(PoisonError::into_inner);
        let (list, flushed) = (spool.list(&self.name), spool.flushed());
        // The lock is released here, so that other threads can add lines during the sync.
        drop(spool);
        flushed.and_then(|file| file.sync_data()).map_err(FileFault::of("write in", &self.temp_dir))?;
        Ok(list)
    }

    /// Takes the encoded lines of the chunk at `place`, which has `games` games. Chunks without any lines
    /// must be added too, because the numbers of later games depend on how many games these chunks have.
    pub fn chunk(&self, place: Place, games: u64, lines: &[u8]) -> Result<()> {
        let mut spool = self.spool.lock().unwrap_or_else(PoisonError::into_inner);
        spool.push(place, games, lines).map_err(FileFault::of("write in", &self.temp_dir))
    }

    /// Writes the list, with its lines in the order of the inputs.
    pub fn finish(self, inputs: &ReadInputs) -> Result<Prepared> {
        let mut chunks = self.spool.into_inner().unwrap_or_else(PoisonError::into_inner);
        if self.unplaced {
            return join::write_unplaced(&self.path, inputs, &mut chunks);
        }
        let mut list = RejectList::create(&self.path, self.existing)?;
        let index = chunks.in_order();
        let (mut numbering, mut encoded) = (Numbering::default(), Vec::new());
        for chunk in index {
            let start = numbering.start(inputs, chunk.place);
            chunks.read(&chunk, &mut encoded).map_err(FileFault::of("read in", &self.temp_dir))?;
            numbering.each_line(&encoded, &start, inputs, |line| list.push(line))?;
            numbering.games_before += chunk.games;
        }
        list.finish()
    }
}

/// Numbers games in their streams. Chunks must be passed in the order of the inputs.
#[derive(Default)]
pub(super) struct Numbering {
    stream: String,
    /// The number of games in the stream before the chunk.
    pub(super) games_before: u64,
}

impl Numbering {
    /// Moves to the next chunk, at `place`, and returns the location of its start.
    pub(super) fn start(&mut self, inputs: &ReadInputs, place: Place) -> Location {
        let start = inputs.locate(place);
        if start.name != self.stream {
            (self.stream, self.games_before) = (start.name.clone(), 0);
        }
        start
    }

    /// Calls `take` with each line of a chunk. The chunk begins at `start`.
    pub(super) fn each_line<E>(
        &self,
        mut encoded: &[u8],
        start: &Location,
        inputs: &ReadInputs,
        mut take: impl FnMut(&RejectEntry<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        while !encoded.is_empty() {
            let PendingEntry { offset, games_before, status } = decode(&mut encoded);
            let offset = start.offset + offset;
            let number = Number::Game(self.games_before + games_before + 1);
            let copy_of = match status {
                Status::Copy(Some(original)) => {
                    let Location { name: input, offset } = inputs.locate(original);
                    Some(Original::Read { input, offset })
                }
                Status::Copy(None) => Some(Original::Counted("table")),
                _ => None,
            };
            take(&RejectEntry { input: &start.name, offset, number, status, copy_of })?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use pgn::input::{Part, ReadInput};

    use super::*;
    use crate::rejects::ChunkStatus;
    use run::{Limits, RunOptions};

    fn source(name: &str) -> ReadInput {
        ReadInput { name: name.into(), parts: vec![Part::default()], ..ReadInput::default() }
    }

    #[test]
    fn lines_come_in_input_order_and_games_are_numbered_through() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("rejects.jsonl");
        let context = Context::new(&Limits::default(), dir.path().into(), RunOptions::default()).unwrap();
        let log = RejectLog::create(&path, false, &context, None).unwrap();
        let note = |input, offset, games, rejected: &[u64]| {
            let mut chunk = ChunkStatus::new(Place { input, part: 0, offset }, Some(log.filtered));
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
