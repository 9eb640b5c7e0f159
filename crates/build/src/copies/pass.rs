//! The pass that finds copies.

use std::{
    collections::HashSet,
    convert::Infallible,
    sync::atomic::{AtomicU64, Ordering::Relaxed},
    time::Instant,
};

use extsort::{Sorted, Sorter, Writer};
use pgn::{
    annotated::AnnotatedOptions,
    copies::Fingerprinter,
    input::{Chunk, Input, Place},
};
use table::Table;

use super::{
    Dedup, DedupGames,
    beginnings::find_beginnings,
    candidate::{Candidate, WORDS},
    groups::Groups,
    list::{Copies, Copy},
    moves::MovesFile,
    reread::Reread,
    settle::settle,
    stayed::{StayedGames, Stays},
};
use crate::{
    Context, Result,
    driver::{Reading, Sink, Worker, source::Source, sweep},
    shard::for_each_shard,
};

/// Buckets that candidates are sorted into, so that several threads can look at them.
const BUCKETS: u32 = 16;

/// The inputs, to be read again, and the games in them that are copies of others.
///
/// `options` say which games count, and `open` opens the inputs as they are opened for the pass that
/// follows. `keep`: whether by what the games that stay are known is kept.
pub(crate) fn find(
    context: &Context,
    (dedup, keep): (&Dedup, bool),
    options: &AnnotatedOptions,
    inputs: Vec<Input>,
    open: impl Fn(Vec<Input>, &Reading<'_>) -> Result<Source>,
) -> Result<(Vec<Input>, Copies)> {
    let start = Instant::now();
    let inputs: Vec<Reread> =
        inputs.into_iter().map(|input| Reread::of(input, context)).collect::<Result<_>>()?;
    let again = || inputs.iter().map(|input| input.input(&context.temp_dir)).collect::<Result<Vec<_>>>();
    let pass = Pass::new(context, dedup, options)?;
    let reading = Reading::new(context, None);
    let source = open(again()?, &reading)?;
    let sources = sweep(reading, source, &pass, "looking for copies")?;
    let found = pass.finish(context, dedup, keep)?;
    let copies = Copies::write(found, &sources, &context.temp_dir)?;
    context.add_seconds(Some("copies"), start.elapsed().as_secs_f64());
    Ok((again()?, copies))
}

/// The first pass: gathers what counts.
struct Pass<'o> {
    options: &'o AnnotatedOptions,
    sorter: Sorter<Candidate, WORDS>,
    /// The moves of all candidates, if beginnings are looked for.
    moves: Option<MovesFile>,
    workers: AtomicU64,
}

impl<'o> Pass<'o> {
    fn new(context: &Context, dedup: &Dedup, options: &'o AnnotatedOptions) -> Result<Self> {
        let is_truncated = dedup.dedup_games == DedupGames::Truncated;
        let moves = is_truncated.then(|| MovesFile::create(&context.temp_dir));
        let sorter = Sorter::new(sort_options(context, BUCKETS, context.memory.count / 2))?;
        Ok(Self { options, sorter, moves: moves.transpose()?, workers: AtomicU64::new(0) })
    }

    /// Finds the copies among all candidates.
    ///
    /// # Memory
    ///
    /// Of the count's part a half for the candidates and a half for what is made of them; the leaves' part
    /// for the copies.
    fn finish(self, context: &Context, dedup: &Dedup, keep: bool) -> Result<Found> {
        let (half, leaves) = (context.memory.count / 2, context.memory.leaves);
        let candidates = self.sorter.finish()?;
        let stayed = || Sorter::<Stays, 1>::new(sort_options(context, 1, half));
        let mut finder =
            Finder { context, copies: Sorter::new(sort_options(context, 1, leaves))?, stayed: None };
        match &self.moves {
            None => {
                finder.stayed = keep.then(stayed).transpose()?;
                finder.settle(&candidates, dedup, None)?;
            }
            Some(moves) => {
                let games = Sorter::new(sort_options(context, BUCKETS, half))?;
                finder.settle(&candidates, dedup, Some(&games))?;
                drop(candidates);
                finder.stayed = keep.then(stayed).transpose()?;
                finder.find_cut(&games.finish()?, moves)?;
            }
        }
        let stayed = finder.stayed.map(Sorter::finish).transpose()?;
        let stayed = stayed.map(|sorted| StayedGames::write(&sorted, dedup.dedup_games, &context.temp_dir));
        Ok(Found { copies: finder.copies.finish()?, stayed: stayed.transpose()? })
    }
}

/// What the pass finds.
pub(super) struct Found {
    pub(super) copies: Sorted<2, extsort::Least>,
    /// By what the games that stay are known.
    pub(super) stayed: Option<StayedGames>,
}

fn sort_options(context: &Context, buckets: u32, memory_bytes: u64) -> extsort::Options {
    extsort::Options {
        buckets,
        temp_dir: context.temp_dir.clone(),
        stop: context.interrupt(),
        ..extsort::Options::new(memory_bytes, context.threads)
    }
}

/// Takes what is found out about candidates.
struct Finder<'c> {
    context: &'c Context,
    copies: Sorter<Copy, 2>,
    stayed: Option<Sorter<Stays, 1>>,
}

/// One thread's part of it.
struct FinderWriter<'f> {
    copies: Writer<'f, Copy, 2>,
    stayed: Option<Writer<'f, Stays, 1>>,
}

impl Finder<'_> {
    /// Compares the candidates with the same moves, and with the games that a table counts. Those that stay
    /// go to `cut`, by players and date, if beginnings are looked for.
    fn settle(
        &self,
        candidates: &Sorted<WORDS, extsort::Least>,
        dedup: &Dedup,
        cut: Option<&Sorter<Candidate, WORDS>>,
    ) -> Result<()> {
        for_each_shard(self.context, "comparing games", BUCKETS, |bucket| {
            let (mut found, mut groups) = (self.writer()?, Groups::open(candidates, bucket)?);
            let mut cut = cut.map(Sorter::writer).transpose()?;
            let table = dedup.held_by.as_deref().map(Table::open).transpose()?;
            let mut table = table.as_ref().map(Table::fingerprints).transpose()?.flatten();
            table.as_mut().map_or(Ok(()), |table| table.seek(u64::from(bucket) << (64 - BUCKETS.ilog2())))?;
            let mut held = Vec::new();
            while let Some(game) = groups.peek()?.map(|first| first.group) {
                held.clear();
                table.as_mut().map_or(Ok(()), |table| table.of_game(game, &mut held))?;
                groups.next(|group| settle(group, &held, |copy, original| found.copy(copy, original)))?;
                settle(&mut groups.group, &held, |copy, original| found.copy(copy, original))?;
                for game in &groups.group {
                    match &mut cut {
                        Some(cut) => cut.push(game.by_players())?,
                        None => found.stays(game)?,
                    }
                }
            }
            cut.map_or(Ok(()), Writer::close)?;
            found.close()
        })
        .map(drop)
    }

    /// Compares the games that stay and have the same players and date.
    fn find_cut(&self, games: &Sorted<WORDS, extsort::Least>, moves: &MovesFile) -> Result<()> {
        for_each_shard(self.context, "comparing beginnings", BUCKETS, |bucket| {
            let (mut found, mut groups) = (self.writer()?, Groups::open(games, bucket)?);
            while groups.next(|_| Ok(()))? {
                let cut = find_beginnings(&groups.group, moves)?;
                cut.iter().try_for_each(|(copy, original)| found.copy(copy, Some(original)))?;
                let cut: HashSet<Place> = cut.iter().map(|(copy, _)| copy.place).collect();
                let stay = groups.group.iter().filter(|game| !cut.contains(&game.place));
                stay.into_iter().try_for_each(|game| found.stays(game))?;
            }
            found.close()
        })
        .map(drop)
    }

    fn writer(&self) -> Result<FinderWriter<'_>> {
        let stayed = self.stayed.as_ref().map(Sorter::writer).transpose()?;
        Ok(FinderWriter { copies: self.copies.writer()?, stayed })
    }
}

impl FinderWriter<'_> {
    fn copy(&mut self, copy: &Candidate, original: Option<&Candidate>) -> Result<()> {
        Ok(self.copies.push(Copy::new(copy.place, original.map(|original| original.place)))?)
    }

    fn stays(&mut self, game: &Candidate) -> Result<()> {
        self.stayed.as_mut().map_or(Ok(()), |stayed| Ok(stayed.push(Stays(*game))?))
    }

    fn close(self) -> Result<()> {
        self.stayed.map_or(Ok(()), Writer::close)?;
        Ok(self.copies.close()?)
    }
}

impl Sink for Pass<'_> {
    type Worker<'s>
        = PassWorker<'s>
    where
        Self: 's;

    fn worker(&self) -> Result<PassWorker<'_>> {
        Ok(PassWorker {
            fingerprinter: Fingerprinter::new(self.options),
            writer: self.sorter.writer()?,
            moves_file: self.moves.as_ref(),
            moves: Vec::new(),
            candidates: Vec::new(),
            serial: self.workers.fetch_add(1, Relaxed) << GAMES_OF_WORKER_BITS,
        })
    }

    fn spilled_bytes(&self) -> u64 {
        self.sorter.stats().bytes_spilled
    }
}

/// Bits of a serial number that count a worker's games; those above are the worker's own.
const GAMES_OF_WORKER_BITS: u32 = 36;

/// One thread's part of the first pass.
struct PassWorker<'p> {
    fingerprinter: Fingerprinter,
    writer: Writer<'p, Candidate, WORDS>,
    moves_file: Option<&'p MovesFile>,
    /// The moves of a chunk's games, and the games.
    moves: Vec<u8>,
    candidates: Vec<Candidate>,
    serial: u64,
}

impl PassWorker<'_> {
    /// Replaces the candidates by those of a chunk, and their moves.
    fn gather(&mut self, chunk: &Chunk) {
        let Self { fingerprinter, moves_file, moves, candidates, serial, .. } = self;
        moves.clear();
        candidates.clear();
        let Ok(()) = fingerprinter.read_chunk(chunk, |offset, known, game_moves| {
            if !known.is_alone {
                *serial += 1;
                let mut moves_at = (0, 0);
                if moves_file.is_some() {
                    moves_at = (moves.len() as u64, game_moves.len() as u64);
                    moves.extend_from_slice(game_moves);
                }
                candidates.push(Candidate::new(known, chunk.place_of(offset), *serial, moves_at));
            }
            Ok::<_, Infallible>(())
        });
    }
}

impl Worker for PassWorker<'_> {
    fn chunk(&mut self, _: u64, chunk: &mut Chunk, _: &Reading<'_>) -> Result<()> {
        self.gather(chunk);
        let Self { writer, moves_file, moves, candidates, .. } = self;
        if let Some(file) = moves_file {
            let room = file.take_room(moves.len() as u64);
            file.write(room, moves)?;
            for candidate in candidates.iter_mut() {
                candidate.moves_at += room;
            }
        }
        candidates.iter().try_for_each(|candidate| Ok(writer.push(*candidate)?))
    }

    fn finish(self) -> Result<()> {
        Ok(self.writer.close()?)
    }
}
