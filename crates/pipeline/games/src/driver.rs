//! The driver: each thread pulls chunks of whole games from a source, passes them through an operator and
//! pushes the results into a sink. Every pass over games or records runs through [`drive`] or, ahead of the
//! main pass, through [`sweep`].
//!
//! # Flow
//!
//! 1. [`Source`] opens the inputs and cuts them into chunks.
//! 2. The sink makes a [`Worker`] for each thread, which owns the thread's operator (replay, annotate, parse)
//!    and its writer into the sink.
//! 3. For each input, the pass counts how many games have each status ([`StatusCounts`]). Games that do not
//!    count are listed if the user asked for a list of rejected games.
//! 4. A sink that needs the order of the input is wrapped in [`InOrder`](in_order::InOrder).
//! 5. A second sink may take the same chunks ([`SecondSink`](tee::SecondSink)).
//!
//! # Stopping
//!
//! A run stops for one of two reasons: the user interrupts it, or one thread fails. Both set the flag that
//! libraries check; the libraries then return `Stopped`. The driver keeps the original error and reports it.
//! The threads that are stopped fail as well, but their errors are only consequences of the original error.

pub mod in_order;
mod read;
pub mod source;
pub mod tee;
mod turns;

use std::{
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
    },
    thread,
    time::{Duration, Instant},
};

use pgn::input::{Chunk, ReadInputs};
use run::{Context, Error, InputStatus, OnDrop, Result, RunError, StatusCounts};

pub use self::read::Read;
use self::{read::warn_of_inputs, source::Source};
use crate::{
    rejects::{ChunkStatus, FewRejects, RejectLog},
    resume::List,
};

/// Receives the results that operators compute from chunks.
pub trait Sink: Sync {
    /// Makes a worker for one more thread. The worker owns the thread's operator, and the writer that passes
    /// results into the sink.
    fn worker(&self) -> Result<impl Worker>;

    /// Wakes the waiting threads because another thread has failed.
    fn abort(&self) {}

    /// Bytes that the sink has spilled so far.
    fn spilled_bytes(&self) -> u64 {
        0
    }
}

/// One thread's part of a pipeline.
pub trait Worker {
    /// Passes chunk `number` of the input through the operator into the sink. The chunk keeps its text, so
    /// that the text's buffer can be reused.
    fn chunk(&mut self, number: u64, chunk: &mut Chunk, reading: &Reading<'_>) -> Result<()>;

    /// Pushes the remaining results.
    fn finish(self) -> Result<()>;
}

/// One pass over the inputs. All workers of the pass share this value.
#[must_use]
pub struct Reading<'c> {
    context: &'c Context,
    /// The unit that is read: `game` or `record`.
    what: &'static str,
    /// If `true`, a pass that counts nothing is not an error.
    may_be_empty: bool,
    /// Whether another pass reads the same chunks and reports the progress.
    is_second: bool,
    counts: Mutex<StatusCounts>,
    log: Option<RejectLog>,
    few: FewRejects,
    stop: Arc<AtomicBool>,
    cause: Mutex<Option<Error>>,
    times: Times,
}

/// Nanoseconds spent in the source and in the operator, summed over all threads.
#[derive(Default)]
struct Times {
    source: AtomicU64,
    operator: AtomicU64,
}

impl<'c> Reading<'c> {
    /// A pass over games. Games that do not count are listed in `log`, if there is one.
    pub fn new(context: &'c Context, log: Option<RejectLog>) -> Self {
        Self {
            context,
            what: "game",
            may_be_empty: false,
            is_second: false,
            counts: Mutex::default(),
            few: FewRejects::new(log.is_none() && context.options.resume.is_none()),
            log,
            stop: Arc::default(),
            cause: Mutex::default(),
            times: Times::default(),
        }
    }

    /// Makes the pass of a second sink, which receives the chunks that the main pass reads.
    fn second(context: &'c Context) -> Self {
        Self { is_second: true, few: FewRejects::new(false), ..Self::new(context, None) }
    }

    /// If `may_be_empty` is set, it is not an error if the pass counts nothing.
    pub fn possibly_empty(self, may_be_empty: bool) -> Self {
        Self { may_be_empty, ..self }
    }

    /// Starts with `counts`, the statistics with which an earlier pass ended.
    pub fn after(self, counts: StatusCounts) -> Self {
        Self { counts: Mutex::new(counts), ..self }
    }

    /// Waits until the lines of all added chunks are synced to disk. Returns a record of how much of the list
    /// is on disk.
    pub fn sync_log(&self) -> Result<Option<List>> {
        self.log.as_ref().map(RejectLog::sync).transpose()
    }

    /// The same pass, but reading records instead of games.
    pub fn of_records(self) -> Self {
        Self { what: "record", ..self }
    }

    /// The flag that libraries check. The flag is set if the pass must stop, for any reason.
    pub fn stop(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.stop)
    }

    /// Returns an empty status for a chunk, to which the caller adds the status of each game in the chunk.
    pub fn chunk_status(&self, chunk_place: pgn::input::Place) -> ChunkStatus {
        ChunkStatus::new(chunk_place, self.log.as_ref().map(|log| log.filtered))
    }

    /// Adds the statuses of a chunk's games to the statistics.
    pub fn add(&self, status: &ChunkStatus) -> Result<()> {
        let InputStatus { games, .. } = status.counts;
        if !self.is_second {
            self.context.progress().add_games(games, status.counts.rejected_games());
        }
        lock(&self.counts).of(status.place.input).add(&status.counts);
        if let Some(log) = &self.log {
            return log.chunk(status.place, games, &status.listed);
        }
        self.few.chunk(status.place, games, (&status.listed, status.counts.rejected_games()));
        Ok(())
    }

    /// Adds the time that an operator took.
    pub fn add_operator_time(&self, time: Duration) {
        self.times.operator.fetch_add(time.as_nanos() as u64, Relaxed);
    }

    /// Stops the pass because of `error`. The first error is kept, unless it is only a consequence of another
    /// one.
    fn fail(&self, error: Error) {
        let mut cause = lock(&self.cause);
        if cause.as_ref().is_none_or(Error::is_consequence) {
            *cause = Some(error);
        }
        self.stop.store(true, Relaxed);
    }
}

/// Reads all of `source` into `sink`.
pub fn drive<S: Sink>(reading: Reading<'_>, source: Source, sink: &S) -> Result<Read> {
    let context = reading.context;
    read_all(&reading, &source, sink, "reading");
    let Reading { what, may_be_empty, counts, log, few, cause, times, .. } = reading;
    if let Some(error) = into_inner(cause) {
        return Err(error);
    }
    record_times(context, &source, &times);
    let read = Read { what, inputs: source.finish()?, counts: into_inner(counts) };
    if !may_be_empty {
        read.check_any(context)?;
    }
    if let Some(log) = log {
        context.prepared_list(log.finish(&read.inputs)?);
    }
    context.summary().few_rejected.extend(few.named(&read.inputs));
    warn_of_inputs(context, &read.inputs);
    Ok(read)
}

/// Reads all of `source` into `sink` ahead of the main pass. Nothing is reported, since the main pass will
/// read the same games again.
pub fn sweep<S: Sink>(
    reading: Reading<'_>,
    source: Source,
    sink: &S,
    phase: &'static str,
) -> Result<ReadInputs> {
    read_all(&reading, &source, sink, phase);
    match into_inner(reading.cause) {
        Some(error) => Err(error),
        None => source.finish(),
    }
}

/// Reads all of `source` on all threads. If a thread fails, `reading` stores the error.
fn read_all<S: Sink>(reading: &Reading<'_>, source: &Source, sink: &S, phase: &'static str) {
    let (context, threads) = (reading.context, reading.context.threads);
    context.progress().enter(phase, 0);
    thread::scope(|scope| {
        for number in 0..threads {
            let work = move || {
                // `work` may also panic. Without this guard, the other threads would wait forever for the
                // chunk of the thread that panicked.
                let abort = OnDrop(|| {
                    reading.stop.store(true, Relaxed);
                    sink.abort();
                });
                match work(number, reading, source, sink) {
                    Ok(()) => std::mem::forget(abort),
                    Err(error) => reading.fail(error),
                }
            };
            if let Err(source) = thread::Builder::new().spawn_scoped(scope, work) {
                reading.fail(RunError::Threads { source }.into());
                sink.abort();
            }
        }
    });
}

fn work<S: Sink>(number: usize, reading: &Reading<'_>, source: &Source, sink: &S) -> Result<()> {
    let mut worker = sink.worker()?;
    let mut buffer = Vec::new();
    let mut reading_time = Duration::ZERO;
    loop {
        let start = Instant::now();
        let next = source.next(number, buffer)?;
        reading_time += start.elapsed();
        let Some((chunk_number, mut chunk)) = next else { break };
        reading.context.check_interrupt()?;
        worker.chunk(chunk_number, &mut chunk, reading)?;
        reading.context.progress().show_reading(source.progress(), sink.spilled_bytes());
        chunk.release_long_text();
        buffer = chunk.text;
    }
    reading.times.source.fetch_add(reading_time.as_nanos() as u64, Relaxed);
    worker.finish()
}

/// Records how much of the pass's time each stage took. Time that is not spent in the source or the operator
/// is spent in the sink.
fn record_times(context: &Context, source: &Source, times: &Times) {
    let threads = context.threads.try_into().unwrap_or(u32::MAX);
    let seconds = |nanoseconds: &AtomicU64| {
        Duration::from_nanos(nanoseconds.load(Relaxed)).as_secs_f64() / f64::from(threads)
    };
    let stages = &source.stages;
    context.add_seconds(stages.source.as_deref(), seconds(&times.source));
    context.add_seconds(stages.operator.as_deref(), seconds(&times.operator));
}

/// Takes a lock even if another thread panicked while holding it. This is safe because the values behind the
/// driver's locks are never left half changed.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn into_inner<T>(mutex: Mutex<T>) -> T {
    mutex.into_inner().unwrap_or_else(PoisonError::into_inner)
}
