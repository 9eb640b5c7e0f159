//! Games into sorted counts: every worker takes a chunk, replays its games and pushes what they give into the sorter.

mod runs;
mod seen;
mod summary;
mod verdicts;

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    thread,
};

use extsort::{Sorted, Sorter, Writer};
use pgn::{
    input::{self, Chunk, ChunkOptions, Chunks, PieceKind, Sources},
    replay,
    verdict::{Rejection, Verdict},
};
use table::Source;

pub(crate) use self::{
    runs::{BucketRows, Runs},
    seen::OUTCOMES,
    summary::{base_name, table_counting},
};
use self::{
    seen::{Observed, RatedObserved, Seen},
    verdicts::Verdicts,
};
use crate::{
    Context, Error, Result,
    counts::SortedCounts,
    rejects::{ChunkLog, RejectLog},
    stages::{ObservationStream, SortMergeSettings},
};

/// What the workers share.
struct Shared<'r, S: Seen<LANES>, const LANES: usize> {
    stream: &'r ObservationStream,
    chunks: Chunks,
    sorter: Sorter<S, LANES>,
    log: Option<RejectLog>,
    context: &'r Context,
    /// Set when one worker fails, so that the others stop.
    failed: Arc<AtomicBool>,
}

/// Counts the games of a stream.
pub(crate) fn count(
    context: &Context,
    stream: &ObservationStream,
    tally: &SortMergeSettings,
) -> Result<SortedCounts> {
    let (runs, sources) = if stream.options.ratings {
        let (runs, sources) = sort::<RatedObserved, _>(context, stream, tally)?;
        (Runs::Rated(runs), sources)
    } else {
        let (runs, sources) = sort::<Observed, _>(context, stream, tally)?;
        (Runs::Plain(runs), sources)
    };
    Ok(SortedCounts { runs, counting: table_counting(&stream.options), sources, complete: true })
}

/// Sorts and sums what the games of a stream give; and what was counted.
fn sort<S: Seen<LANES>, const LANES: usize>(
    context: &Context,
    stream: &ObservationStream,
    tally: &SortMergeSettings,
) -> Result<(Sorted<LANES>, Vec<Source>)> {
    let inputs = context.inputs(input::expand(&stream.games.settings.paths)?);
    context.progress.enter("reading", 0);
    let failed = Arc::new(AtomicBool::new(false));
    let shared = Shared::<S, LANES> {
        stream,
        chunks: Chunks::open(inputs, chunk_options(context, stream, &failed))?,
        sorter: Sorter::new(sorter_options(context, tally, &failed))?,
        log: reject_log(context, stream)?,
        context,
        failed,
    };
    let verdicts = shared.run()?;
    let Shared { chunks, sorter, log, .. } = shared;
    let read = chunks.finish();
    if let Some(log) = log {
        context.wrote(&log.finish(&read)?);
    }
    context.progress.enter("merging", tally.shards);
    let runs = sorter.finish()?;
    let inputs = summary::inputs(&read, &verdicts);
    let sources = inputs.iter().map(summary::source).collect();
    report_reading(context, &read, &verdicts);
    report_sorting(context, &runs.stats());
    for input in inputs {
        context.report().add_input(input);
    }
    Ok((runs, sources))
}

fn reject_log(context: &Context, stream: &ObservationStream) -> Result<Option<RejectLog>> {
    let create = |path| RejectLog::create(path, context.existing(), &context.temp_dir);
    stream.rejects.as_deref().map(create).transpose()
}

fn chunk_options(context: &Context, stream: &ObservationStream, failed: &Arc<AtomicBool>) -> ChunkOptions {
    let settings = &stream.games.settings;
    let defaults = ChunkOptions::default();
    ChunkOptions {
        threads: context.threads,
        chunk_bytes: settings.chunk_kib.map_or(defaults.chunk_bytes, |kib| (kib as usize) << 10),
        games_max: settings.limit,
        cancel: Arc::clone(failed),
        ..defaults
    }
}

fn sorter_options(
    context: &Context,
    tally: &SortMergeSettings,
    failed: &Arc<AtomicBool>,
) -> extsort::Options {
    let defaults = extsort::Options::new(context.shares.count, context.threads);
    extsort::Options {
        buckets: tally.shards,
        temp_dir: context.temp_dir.clone(),
        fan_in: tally.fan_in.unwrap_or(defaults.fan_in),
        cancel: Arc::clone(failed),
        ..defaults
    }
}

impl<S: Seen<LANES>, const LANES: usize> Shared<'_, S, LANES> {
    /// Runs the workers; what became of the games, by input.
    fn run(&self) -> Result<Vec<Verdicts>> {
        let results: Vec<Result<Vec<Verdicts>>> = thread::scope(|scope| {
            let start = |worker| {
                scope.spawn(move || self.work(worker).inspect_err(|_| self.failed.store(true, Relaxed)))
            };
            let workers: Vec<_> = (0..self.context.threads).map(start).collect();
            workers
                .into_iter()
                .map(|worker| worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
                .collect()
        });
        let mut all: Vec<Verdicts> = Vec::new();
        for verdicts in first_cause(results)? {
            all.resize(all.len().max(verdicts.len()), Verdicts::default());
            all.iter_mut().zip(&verdicts).for_each(|(sum, more)| sum.add(more));
        }
        Ok(all)
    }

    fn work(&self, number: usize) -> Result<Vec<Verdicts>> {
        let mut worker = Worker {
            shared: self,
            replay: replay::Replay::new(&self.stream.options),
            writer: self.sorter.writer()?,
            verdicts: Vec::new(),
        };
        let mut buffer = Vec::new();
        while let Some(chunk) = self.chunks.next(number, buffer)? {
            self.context.check_cancelled()?;
            worker.chunk(&chunk)?;
            buffer = chunk.text;
        }
        worker.writer.close()?;
        Ok(worker.verdicts)
    }

    fn show_progress(&self, games: u64, rejected: u64) {
        let (shown, read) = (&self.context.progress, self.chunks.progress());
        shown.bytes_done.store(read.bytes_done, Relaxed);
        shown.bytes_total.store(read.bytes_total.unwrap_or(0), Relaxed);
        shown.spilled_bytes.store(self.sorter.stats().bytes_spilled, Relaxed);
        shown.games.fetch_add(games, Relaxed);
        shown.rejected.fetch_add(rejected, Relaxed);
    }
}

/// One thread's part.
struct Worker<'s, S: Seen<LANES>, const LANES: usize> {
    shared: &'s Shared<'s, S, LANES>,
    replay: replay::Replay,
    writer: Writer<'s, S, LANES>,
    verdicts: Vec<Verdicts>,
}

impl<S: Seen<LANES>, const LANES: usize> Worker<'_, S, LANES> {
    fn chunk(&mut self, chunk: &Chunk) -> Result<()> {
        let mut log = self.shared.log.as_ref().map(|_| ChunkLog::default());
        let mut verdicts = Verdicts::default();
        for piece in chunk.games() {
            let verdict = match piece.kind {
                PieceKind::Game => self.replay.game(piece.text),
                PieceKind::Fragment => Verdict::Rejected(Rejection::fragment(piece.text)),
                PieceKind::Oversized => Verdict::Rejected(Rejection::oversized(piece.text)),
            };
            if let Verdict::Accepted { .. } = verdict {
                let ratings = self.replay.ratings();
                for observation in self.replay.observations() {
                    self.writer.push(S::new(observation, ratings))?;
                }
            } else if let Some(log) = &mut log {
                self.shared.stream.note(log, piece.offset, verdicts.games, &verdict);
            }
            verdicts.count(&verdict);
        }
        if let (Some(all), Some(log)) = (&self.shared.log, log) {
            all.chunk(chunk.place, verdicts.games, &log)?;
        }
        self.shared.show_progress(verdicts.games, verdicts.rejected.iter().sum());
        let input = chunk.place.input as usize;
        self.verdicts.resize(self.verdicts.len().max(input + 1), Verdicts::default());
        self.verdicts[input].add(&verdicts);
        Ok(())
    }
}

impl ObservationStream {
    fn note(&self, log: &mut ChunkLog, offset: usize, game: u64, verdict: &Verdict) {
        match verdict {
            Verdict::Rejected(rejection) => log.rejected(offset, game, rejection),
            Verdict::Filtered(filter) if self.rejects_filtered => log.filtered(offset, game, filter.name()),
            _ => {}
        }
    }
}

/// All results, or the error that made the workers stop, which is none of those that only followed.
fn first_cause<T>(results: Vec<Result<T>>) -> Result<Vec<T>> {
    let (values, errors): (Vec<_>, Vec<_>) = results.into_iter().partition(Result::is_ok);
    let follows =
        |error: &Error| error.is_interrupt() || matches!(error, Error::Sort(extsort::Error::Stopped));
    let cause = errors.into_iter().filter_map(Result::err).min_by_key(follows);
    cause.map_or_else(|| values.into_iter().collect(), Err)
}

fn report_reading(context: &Context, read: &Sources, verdicts: &[Verdicts]) {
    let mut report = context.report();
    report.cut += verdicts.iter().map(|verdicts| verdicts.cut).sum::<u64>();
    for (at, source) in read.list.iter().enumerate() {
        let same = read.list[..at].iter().find(|other| source.xxh3.is_some() && other.xxh3 == source.xxh3);
        report.warnings.extend(same.map(|other| {
            format!("{} holds the same bytes as {}: its games count twice", source.name, other.name)
        }));
        let skipped = |member: &String| format!("{}: {member} is not named *.pgn; skipped", source.name);
        report.warnings.extend(source.skipped.iter().map(skipped));
    }
}

fn report_sorting(context: &Context, stats: &extsort::Stats) {
    let mut report = context.report();
    report.observations += stats.items;
    report.runs += stats.runs_spilled;
    report.bytes_spilled += stats.bytes_spilled + stats.bytes_merged;
}
