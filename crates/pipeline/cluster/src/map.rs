//! Counts one chunk and gives its sorted rows as records.

use std::{
    io::Write,
    path::Path,
    sync::{Mutex, PoisonError},
};

use count::{CountedInputs, Runs, Sorting, count_inputs};
use extsort::{Blob, RunSender, Sorted};
use games::{GameStream, ReadGames};
use run::{Context, Limits, Result, RunOptions};
use teach::SecondMarks;

use super::{
    Chunk, CountSettings,
    account::{self, Account},
    job::Job,
    sink::{FolderSink, RecordSink, StreamSink},
    stream::Record,
};

/// Counts the games of a chunk and writes the result to `out` as records: a run for every bucket, even if
/// it is empty, and the chunk's account. A chunk without games is no error.
///
/// # Errors
///
/// Settings that need one machine; an error of the count; or a failure to write to `out`.
pub fn map(
    chunk: &Chunk,
    settings: &CountSettings,
    limits: &Limits,
    options: RunOptions,
    out: impl Write + Send,
) -> Result<()> {
    map_into(chunk, settings, limits, options, || StreamSink::new(out))
}

/// Counts the games of a chunk as [`map`] does, and writes a file for each bucket into a folder that all
/// machines see, which [`streams_of`](crate::streams_of) reads.
///
/// # Errors
///
/// Those of [`map`].
pub fn map_to(
    chunk: &Chunk,
    settings: &CountSettings,
    limits: &Limits,
    options: RunOptions,
    folder: &Path,
) -> Result<()> {
    map_into(chunk, settings, limits, options, || Ok(FolderSink { folder, chunk: chunk.chunk }))
}

fn map_into<S: RecordSink>(
    chunk: &Chunk,
    settings: &CountSettings,
    limits: &Limits,
    options: RunOptions,
    sink: impl FnOnce() -> Result<S>,
) -> Result<()> {
    settings.check()?;
    let temp_dir = limits.temp_dir.clone().unwrap_or_else(std::env::temp_dir);
    // Whether too few games counted is judged at the commit, which knows all chunks.
    let context = Context::new(limits, temp_dir, RunOptions { allow_empty: true, ..options })?;
    let stream = GameStream::alone(
        ReadGames { paths: vec![chunk.file.clone()], options: settings.read.clone() },
        settings.replay.clone(),
    );
    let job = Job::new(chunk.plan, settings);
    let sorting = Sorting { run_source: job.source(chunk.chunk), ..settings.sorting.clone() };
    let games = CountedInputs { inputs: vec![chunk.input()?], copies: None, spools: None };
    let counts = count_inputs(&context, &stream, &sorting, games, None::<&SecondMarks<'_>>)
        .map_err(run::Error::of_run)?;
    chunk.check(true)?;
    let sink = sink()?;
    match &counts.runs {
        Runs::Plain(runs) => send(&context, chunk.chunk, runs, &sink),
        Runs::Rated(runs) => send(&context, chunk.chunk, runs, &sink),
    }
    .map_err(run::Error::of_run)?;
    let account = Account::of(chunk, &context.summary()).to_bytes();
    sink.write(account::BUCKET, "account", |push| {
        push(Record {
            bucket: account::BUCKET.cast_signed(),
            chunk: chunk.chunk.cast_signed(),
            sequence: account::SEQUENCE,
            run: &account,
        })
    })?;
    sink.finish()
}

/// Sends all buckets of `runs`.
fn send<const SUMS: usize>(
    context: &Context,
    chunk: u32,
    runs: &Sorted<SUMS>,
    sink: &impl RecordSink,
) -> Result<()> {
    let senders = Mutex::new(Vec::new());
    let spare = || senders.lock().unwrap_or_else(PoisonError::into_inner).pop();
    context
        .for_each_shard("sending", runs.buckets(), |bucket| {
            let mut sender = spare().map_or_else(|| RunSender::new(runs), Ok)?;
            sink.write(bucket, "run", |push| {
                sender.bucket(bucket, runs.bucket(bucket)?, |Blob { bucket, sequence, bytes }| {
                    push(Record {
                        bucket: bucket.cast_signed(),
                        chunk: chunk.cast_signed(),
                        sequence: sequence.cast_signed(),
                        run: bytes,
                    })
                })
            })?;
            senders.lock().unwrap_or_else(PoisonError::into_inner).push(sender);
            Ok(())
        })
        .map(drop)
}
