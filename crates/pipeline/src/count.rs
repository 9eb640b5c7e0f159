//! Games into sorted counts: every worker takes a chunk, replays its games and pushes what they give into the sorter.

use std::{
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    thread,
};

use extsort::{Sorter, Writer};
use pgn::{
    filter::Filter,
    input::{self, Chunk, ChunkOptions, Chunks, PieceKind, Sources},
    replay,
    verdict::{Reason, Rejection, Verdict},
};
use table::{Counting, Groups, IllegalMove, Repeats, Source};

use crate::{
    Context, Error, Result,
    counts::{OUTCOMES, Observed, SortedCounts, named_counts},
    rejects::{ChunkLog, RejectLog},
    report::InputReport,
    stages::{ObservationStream, SortMergeSettings},
};

/// What became of the games of one input.
#[derive(Clone, Default)]
struct Verdicts {
    games: u64,
    accepted: u64,
    cut: u64,
    filtered: [u64; Filter::ALL.len()],
    rejected: [u64; Reason::ALL.len()],
}

/// What the workers share.
struct Shared<'r> {
    stream: &'r ObservationStream,
    chunks: Chunks,
    sorter: Sorter<Observed, OUTCOMES>,
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
    let expanded = input::expand(&stream.games.settings.paths)?;
    for name in &expanded.repeated {
        context.report().warnings.push(format!("{name} was named more than once; it is read once"));
    }
    context.progress.enter("reading", 0);
    let failed = Arc::new(AtomicBool::new(false));
    let shared = Shared {
        stream,
        chunks: Chunks::open(expanded.inputs, chunk_options(context, stream, &failed))?,
        sorter: Sorter::new(sorter_options(context, tally, &failed))?,
        log: stream.rejects.as_deref().map(|path| RejectLog::create(path, &context.temp_dir)).transpose()?,
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
    report(context, &read, &verdicts, &runs);
    Ok(SortedCounts { runs, counting: counting(&stream.options), sources: sources(&read, &verdicts) })
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

impl Shared<'_> {
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
        //shown.spilled_bytes.store(self.sorter.stats().bytes_spilled, Relaxed);
        shown.games.fetch_add(games, Relaxed);
        shown.rejected.fetch_add(rejected, Relaxed);
    }
}

/// One thread's part.
struct Worker<'s> {
    shared: &'s Shared<'s>,
    replay: replay::Replay,
    writer: Writer<'s, Observed, OUTCOMES>,
    verdicts: Vec<Verdicts>,
}

impl Worker<'_> {
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
                for &observation in self.replay.observations() {
                    self.writer.push(Observed(observation))?;
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

impl Verdicts {
    fn count(&mut self, verdict: &Verdict) {
        self.games += 1;
        match verdict {
            Verdict::Accepted { cut, .. } => {
                self.accepted += 1;
                self.cut += u64::from(*cut);
            }
            Verdict::Filtered(filter) => self.filtered[*filter as usize] += 1,
            Verdict::Rejected(rejection) => self.rejected[rejection.reason as usize] += 1,
        }
    }

    fn add(&mut self, more: &Verdicts) {
        self.games += more.games;
        self.accepted += more.accepted;
        self.cut += more.cut;
        self.filtered.iter_mut().zip(more.filtered).for_each(|(sum, count)| *sum += count);
        self.rejected.iter_mut().zip(more.rejected).for_each(|(sum, count)| *sum += count);
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

fn report(context: &Context, read: &Sources, verdicts: &[Verdicts], runs: &extsort::Sorted<OUTCOMES>) {
    let stats = runs.stats();
    let mut report = context.report();
    report.observations += stats.items;
    report.runs += stats.runs_spilled;
    report.bytes_spilled += stats.bytes_spilled + stats.bytes_merged;
    for (at, source) in read.list.iter().enumerate() {
        let verdicts = verdicts.get(at).cloned().unwrap_or_default();
        report.cut += verdicts.cut;
        report.warnings.extend(
            source
                .skipped
                .iter()
                .map(|member| format!("{}: {member} is not named *.pgn; skipped", source.name)),
        );
        report.add_input(InputReport {
            name: source.name.clone(),
            bytes: source.bytes,
            xxh3: source.xxh3.map(|hash| format!("{hash:016x}")),
            games: verdicts.games,
            accepted: verdicts.accepted,
            filtered: named_counts(Filter::ALL.map(Filter::name), &verdicts.filtered),
            rejected: named_counts(Reason::ALL.map(Reason::name), &verdicts.rejected),
        });
    }
}

fn sources(read: &Sources, verdicts: &[Verdicts]) -> Vec<Source> {
    let source = |(at, info): (usize, &input::SourceInfo)| {
        let verdicts = verdicts.get(at).cloned().unwrap_or_default();
        Source {
            name: base_name(&info.name),
            xxh3: info.xxh3.map_or_else(String::new, |hash| format!("{hash:016x}")),
            bytes: info.bytes,
            games: verdicts.games,
            accepted: verdicts.accepted,
            filtered: named_counts(Filter::ALL.map(Filter::name), &verdicts.filtered),
            rejected: named_counts(Reason::ALL.map(Reason::name), &verdicts.rejected),
        }
    };
    read.list.iter().enumerate().map(source).collect()
}

/// Names in artefacts have no folders: they would differ from machine to machine.
fn base_name(name: &str) -> String {
    Path::new(name).file_name().map_or_else(|| name.to_owned(), |base| base.to_string_lossy().into_owned())
}

/// How the replay counts, as a table records it.
fn counting(options: &replay::ReplayOptions) -> Counting {
    Counting {
        max_ply: options.max_ply,
        repeats: match options.repeats {
            replay::Repeats::Each => Repeats::Each,
            replay::Repeats::Once => Repeats::Once,
        },
        illegal_move: match options.illegal_move {
            replay::IllegalMove::Reject => IllegalMove::Reject,
            replay::IllegalMove::KeepPrefix => IllegalMove::KeepPrefix,
        },
        from_position: options.from_position,
        groups: Groups {
            speed: options.groups.speed,
            rating_band: options.groups.rating_band,
            month: options.groups.month,
            player_color: options.groups.player_color.is_some(),
        },
        root: options.root.as_ref().map(replay::Root::key),
        filters: [options.filters.describe()].into(),
    }
}
