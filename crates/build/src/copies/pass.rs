//! The pass that finds copies.

use std::{
    convert::Infallible,
    sync::atomic::{AtomicU64, Ordering::Relaxed},
    time::Instant,
};

use extsort::{Least, Sorted, Sorter, Writer};
use pgn::{
    annotated::AnnotatedOptions,
    copies::{Fingerprinter, Players},
    input::{Chunk, Input, Sources},
};

use super::{
    DedupGames,
    beginnings::find_beginnings,
    candidate::{Candidate, WORDS},
    list::{Copies, Copy},
    moves::MovesFile,
    reread::Reread,
    settle::settle,
};
use crate::{
    Context, Result,
    driver::{Reading, Sink, Worker, source::Source, sweep},
    shard::for_each_shard,
};

/// Buckets that candidates are sorted into, so that several threads can look at them.
const BUCKETS: u32 = 16;
/// Games of a group at which those that are known to be copies leave it.
const GROUP_GAMES_MAX: usize = 1 << 19;

/// The inputs, to be read again, and the games in them that are copies of others.
///
/// `options` say which games count, and `open` opens the inputs as they are opened for the pass that
/// follows.
pub(crate) fn find(
    context: &Context,
    dedup: DedupGames,
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
    let copies = pass.finish(context, &sources)?;
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
    fn new(context: &Context, dedup: DedupGames, options: &'o AnnotatedOptions) -> Result<Self> {
        let moves = (dedup == DedupGames::Truncated).then(|| MovesFile::create(&context.temp_dir));
        Ok(Self {
            options,
            sorter: Sorter::new(sort_options(context, BUCKETS, context.memory.count / 2))?,
            moves: moves.transpose()?,
            workers: AtomicU64::new(0),
        })
    }

    /// Finds the copies among all candidates.
    fn finish(self, context: &Context, sources: &Sources) -> Result<Copies> {
        let candidates = self.sorter.finish()?;
        let copies = Sorter::<Copy, 2>::new(sort_options(context, 1, context.memory.leaves))?;
        match self.moves {
            None => for_each_shard(context, "comparing games", BUCKETS, |bucket| {
                let mut copies = copies.writer()?;
                settle_bucket(&candidates, bucket, &mut copies, |_| Ok(()))?;
                Ok(copies.close()?)
            })?,
            Some(moves) => {
                let options = sort_options(context, BUCKETS, context.memory.count / 2);
                let cut = Sorter::<Candidate, WORDS>::new(options)?;
                for_each_shard(context, "comparing games", BUCKETS, |bucket| {
                    let (mut copies, mut cut) = (copies.writer()?, cut.writer()?);
                    settle_bucket(&candidates, bucket, &mut copies, |game| {
                        let played = game.players.surnames_and_date();
                        played.map_or(Ok(()), |Players(group)| Ok(cut.push(Candidate { group, ..*game })?))
                    })?;
                    copies.close()?;
                    Ok(cut.close()?)
                })?;
                drop(candidates);
                let cut = cut.finish()?;
                for_each_shard(context, "comparing beginnings", BUCKETS, |bucket| {
                    let mut copies = copies.writer()?;
                    find_cut_in_bucket(&cut, bucket, &moves, &mut copies)?;
                    Ok(copies.close()?)
                })?
            }
        };
        Copies::write(&copies.finish()?, sources, &context.temp_dir)
    }
}

fn sort_options(context: &Context, buckets: u32, memory_bytes: u64) -> extsort::Options {
    extsort::Options {
        buckets,
        temp_dir: context.temp_dir.clone(),
        stop: context.interrupt(),
        ..extsort::Options::new(memory_bytes, context.threads)
    }
}

/// Finds the copies among the games of a bucket, and gives the others to `stays`.
fn settle_bucket(
    candidates: &Sorted<WORDS, Least>,
    bucket: u32,
    copies: &mut Writer<'_, Copy, 2>,
    mut stays: impl FnMut(&Candidate) -> Result<()>,
) -> Result<()> {
    let mut groups = Groups::open(candidates, bucket)?;
    let mut settle_group = |group: &mut Vec<Candidate>| {
        settle(group, |copy, original| {
            Ok(copies.push(Copy { place: copy.place, original: original.place })?)
        })
    };
    while groups.next(&mut settle_group)? {
        settle_group(&mut groups.group)?;
        groups.group.iter().try_for_each(&mut stays)?;
    }
    Ok(())
}

/// Finds the games of a bucket that are the beginning of others.
fn find_cut_in_bucket(
    candidates: &Sorted<WORDS, Least>,
    bucket: u32,
    moves: &MovesFile,
    copies: &mut Writer<'_, Copy, 2>,
) -> Result<()> {
    let mut groups = Groups::open(candidates, bucket)?;
    while groups.next(|_| Ok(()))? {
        find_beginnings(&groups.group, moves, |copy, original| {
            Ok(copies.push(Copy { place: copy.place, original: original.place })?)
        })?;
    }
    Ok(())
}

/// The groups of a bucket, one after another.
struct Groups {
    rows: extsort::BucketRows<WORDS, Least>,
    batch: Vec<extsort::Row<WORDS>>,
    at: usize,
    group: Vec<Candidate>,
}

impl Groups {
    fn open(sorted: &Sorted<WORDS, Least>, bucket: u32) -> Result<Self> {
        Ok(Self { rows: sorted.bucket(bucket)?, batch: Vec::new(), at: 0, group: Vec::new() })
    }

    /// Reads the next group; `false` at the end. A group that becomes large is given to `thin` before all of
    /// it is read, which may take games out of it.
    fn next(&mut self, mut thin: impl FnMut(&mut Vec<Candidate>) -> Result<()>) -> Result<bool> {
        self.group.clear();
        let mut games_max = GROUP_GAMES_MAX;
        while let Some(candidate) = self.peek()? {
            if self.group.first().is_some_and(|first| first.group != candidate.group) {
                break;
            }
            self.group.push(candidate);
            self.at += 1;
            if self.group.len() == games_max {
                thin(&mut self.group)?;
                games_max = games_max.max(2 * self.group.len());
            }
        }
        Ok(!self.group.is_empty())
    }

    fn peek(&mut self) -> Result<Option<Candidate>> {
        if self.at == self.batch.len() {
            self.at = 0;
            self.rows.next_batch(&mut self.batch)?;
        }
        Ok(self.batch.get(self.at).map(Candidate::of_row))
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

impl Worker for PassWorker<'_> {
    fn chunk(&mut self, _: u64, chunk: &mut Chunk, _: &Reading<'_>) -> Result<()> {
        let Self { fingerprinter, writer, moves_file, moves, candidates, serial } = self;
        moves.clear();
        candidates.clear();
        fingerprinter.read_chunk(chunk, |offset, fingerprint, game_moves| {
            if fingerprint.is_alone {
                return Ok::<_, Infallible>(());
            }
            *serial += 1;
            let mut moves_at = (0, 0);
            if moves_file.is_some() {
                moves_at = (moves.len() as u64, game_moves.len() as u64);
                moves.extend_from_slice(game_moves);
            }
            candidates.push(Candidate::new(fingerprint, chunk.place_of(offset), *serial, moves_at));
            Ok(())
        })
        .unwrap_or_else(|never| match never {});
        let room = moves_file.map_or(0, |file| file.take_room(moves.len() as u64));
        moves_file.map_or(Ok(()), |file| file.write(room, moves))?;
        candidates.iter_mut().for_each(|candidate| candidate.moves_at += room);
        candidates.iter().try_for_each(|candidate| Ok(writer.push(*candidate)?))
    }

    fn finish(self) -> Result<()> {
        Ok(self.writer.close()?)
    }
}
