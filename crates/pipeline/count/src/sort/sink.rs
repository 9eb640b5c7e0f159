//! Turns games into sorted runs. Each thread replays the games of its chunks, and pushes each game's
//! observations into the sorters of all counts that include the game.

use std::sync::{Mutex, PoisonError};

use extsort::{Sorter, Writer};
use games::{
    GameStream, ReplayOperator,
    driver::{Reading, Sink, Worker},
    rejects::ChunkStatus,
    resume::{PendingGroup, Resume},
};
use pgn::{
    filter::Filter,
    input::{BlockHashes, Chunk, Piece},
    replay::Replay,
    tags::Tags,
    verdict::Verdict,
};
use run::{Result, Status, StatusCounts};

use super::Part;
use crate::{
    counts::ObservedItem,
    examples::{GameSpool, GameSpools},
};

/// The sink that replays a stream's games and pushes their observations into each part's sorter.
pub(super) struct CountSink<'r, S: ObservedItem<SUMS>, const SUMS: usize> {
    stream: &'r GameStream,
    parts: &'r [Part<'r>],
    pub(super) sorters: Vec<Sorter<S, SUMS>>,
    /// For each part, the number of games with each status. Empty if there is only one part, because the pass
    /// itself then counts the games by status.
    pub(super) counts: Vec<Mutex<StatusCounts>>,
    /// The record of what has been counted, in case a later run resumes this one. A run that can be resumed
    /// has a single part.
    resume: Option<&'r Resume>,
    hashes: BlockHashes,
}

impl<'r, S: ObservedItem<SUMS>, const SUMS: usize> CountSink<'r, S, SUMS> {
    /// Makes a sink; `sorters` contains one sorter for each part.
    pub(super) fn new(
        stream: &'r GameStream,
        parts: &'r [Part<'r>],
        sorters: Vec<Sorter<S, SUMS>>,
        (resume, hashes): (Option<&'r Resume>, BlockHashes),
    ) -> Self {
        let several = if parts.len() > 1 { parts } else { &[] };
        let counts = several.iter().map(|_| Mutex::default()).collect();
        Self { stream, parts, sorters, counts, resume, hashes }
    }
}

impl<S: ObservedItem<SUMS>, const SUMS: usize> Sink for CountSink<'_, S, SUMS> {
    fn worker(&self) -> Result<impl Worker> {
        let spools = self.parts.iter().map(|part| part.spools);
        Ok(CountWorker {
            replay: GameSpools::replay(spools.clone().flatten().next(), &self.stream.replay.options),
            ends: Ends {
                parts: self.parts,
                writers: self.sorters.iter().map(Sorter::writer).collect::<extsort::Result<_>>()?,
                spools: spools.map(|spools| spools.map(GameSpools::spool)).collect(),
                admitted: Vec::new(),
            },
            sink: self,
            group: self.resume.map(|resume| PendingGroup::new(resume, &self.hashes)),
        })
    }

    fn spilled_bytes(&self) -> u64 {
        self.sorters.iter().map(|sorter| sorter.stats().bytes_spilled).sum()
    }
}

/// One thread's worker: its replay, and the writers that fill the sorters.
pub(super) struct CountWorker<'s, S: ObservedItem<SUMS>, const SUMS: usize> {
    replay: ReplayOperator,
    ends: Ends<'s, S, SUMS>,
    sink: &'s CountSink<'s, S, SUMS>,
    /// The chunks whose observations are in the writer, in case a later run resumes this one.
    group: Option<PendingGroup<'s>>,
}

impl<S: ObservedItem<SUMS>, const SUMS: usize> CountWorker<'_, S, SUMS> {
    /// If the next chunk may not fit into the buffer, spills the counted chunks and records them, so that the
    /// buffer ends with a complete chunk.
    fn make_room(&mut self, chunk: &Chunk, reading: &Reading<'_>) -> Result<()> {
        let room = self.ends.room_items();
        match &self.group {
            Some(group) if group.ends_before(chunk, room) => self.end_group(reading),
            _ => Ok(()),
        }
    }

    /// Adds a chunk to the chunks that will be recorded; all its observations must be in the writer. If the
    /// writer spilled in the middle of this chunk, the chunk is spread over several runs. In that case, this
    /// chunk and the chunks that wait to be recorded with it are recorded immediately.
    fn chunk_ends(
        &mut self,
        chunk: &Chunk,
        status: &ChunkStatus,
        room: u64,
        reading: &Reading<'_>,
    ) -> Result<()> {
        let Some(group) = &mut self.group else { return Ok(()) };
        group.add(chunk, &status.counts, room.saturating_sub(self.ends.room_items()));
        if self.ends.writers[0].has_spilled() { self.end_group(reading) } else { Ok(()) }
    }

    fn end_group(&mut self, reading: &Reading<'_>) -> Result<()> {
        let Some(group) = &mut self.group else { return Ok(()) };
        let runs = self.ends.writers[0].end_group()?;
        group.record(&runs, reading.sync_log()?)?;
        Ok(self.sink.sorters[0].adopt(runs.runs)?)
    }
}

impl<S: ObservedItem<SUMS>, const SUMS: usize> Worker for CountWorker<'_, S, SUMS> {
    fn chunk(&mut self, _: u64, chunk: &mut Chunk, reading: &Reading<'_>) -> Result<()> {
        self.make_room(chunk, reading)?;
        let room = self.ends.room_items();
        let own = self.sink.counts.iter().map(|_| ChunkStatus::new(chunk.place, None)).collect();
        let mut taking = Taking { ends: &mut self.ends, status: reading.chunk_status(chunk.place), own };
        let replaying = self.replay.each_game(chunk, &mut taking, Taking::admits, Taking::take)?;
        let Taking { status, own, .. } = taking;
        reading.add_operator_time(replaying);
        reading.add(&status)?;
        for (counts, own) in self.sink.counts.iter().zip(own) {
            let mut counts = counts.lock().unwrap_or_else(PoisonError::into_inner);
            counts.of(chunk.place.input).add(&own.counts);
        }
        self.chunk_ends(chunk, &status, room, reading)
    }

    fn finish(self) -> Result<()> {
        self.ends.spools.into_iter().flatten().for_each(GameSpool::close);
        self.ends.writers.into_iter().try_for_each(|writer| Ok(writer.close()?))
    }
}

/// The writers with which one thread fills the sorters.
struct Ends<'s, S: ObservedItem<SUMS>, const SUMS: usize> {
    parts: &'s [Part<'s>],
    writers: Vec<Writer<'s, S, SUMS>>,
    /// For each part, the spool that stores its games, if examples will be chosen from these games.
    spools: Vec<Option<GameSpool<'s>>>,
    /// For each part, whether it counts the current game; empty until this has been decided.
    admitted: Vec<bool>,
}

impl<S: ObservedItem<SUMS>, const SUMS: usize> Ends<'_, S, SUMS> {
    /// How many more items the first writer has room for.
    fn room_items(&self) -> u64 {
        self.writers[0].room_items()
    }
}

/// A chunk whose games are pushed into the sorters.
struct Taking<'t, 's, S: ObservedItem<SUMS>, const SUMS: usize> {
    ends: &'t mut Ends<'s, S, SUMS>,
    /// The statuses of the chunk's games. Here, a game is accepted if at least one part counts it.
    status: ChunkStatus,
    /// For each part, the statuses of the chunk's games; empty if there is only one part.
    own: Vec<ChunkStatus>,
}

impl<S: ObservedItem<SUMS>, const SUMS: usize> Taking<'_, '_, S, SUMS> {
    fn admits(&mut self, tags: &Tags<'_>) -> bool {
        let Ends { parts, admitted, .. } = &mut *self.ends;
        admitted.extend(parts.iter().map(|part| part.expression.is_none_or(|wanted| wanted.matches(tags))));
        admitted.contains(&true)
    }

    #[inline]
    fn take(&mut self, piece: &Piece<'_>, verdict: &Verdict, replay: &Replay) -> Result<()> {
        let Ends { writers, admitted, spools, .. } = &mut *self.ends;
        let (offset, is_out) = (piece.offset, |part| admitted.get(part) == Some(&false));
        for (part, own) in self.own.iter_mut().enumerate() {
            // If a game is rejected or filtered before the expressions of the parts are applied to it, it has
            // the same status in all parts.
            if is_out(part) {
                own.note(offset, Status::Filtered(Filter::Where.into()));
            } else {
                own.note_verdict(offset, verdict);
            }
        }
        if let Verdict::Accepted { .. } = verdict {
            for (part, (writer, spool)) in writers.iter_mut().zip(spools).enumerate() {
                if is_out(part) {
                    continue;
                }
                if let Some(spool) = spool {
                    spool.push(replay, piece.text)?;
                }
                push_all(writer, replay)?;
            }
        }
        admitted.clear();
        self.status.note_verdict(offset, verdict);
        Ok(())
    }
}

/// Pushes the observations of a game.
#[inline]
fn push_all<S: ObservedItem<SUMS>, const SUMS: usize>(
    writer: &mut Writer<'_, S, SUMS>,
    game: &Replay,
) -> Result<()> {
    let ratings = game.ratings();
    // There are two loops because a chained iterator would check, for every observation, whether the first of
    // its two iterators has ended.
    for observation in game.observations() {
        writer.push(S::new(observation, ratings))?;
    }
    for observation in game.root_observations() {
        writer.push(S::new(observation, ratings))?;
    }
    Ok(())
}
