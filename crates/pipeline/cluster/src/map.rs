//! Counts one chunk and gives its sorted rows as records.

use std::{
    io::Write,
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
    stream::{Record, RecordWriter},
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
    let writer = Mutex::new(RecordWriter::new(out)?);
    match &counts.runs {
        Runs::Plain(runs) => send(&context, chunk.chunk, runs, &writer),
        Runs::Rated(runs) => send(&context, chunk.chunk, runs, &writer),
    }
    .map_err(run::Error::of_run)?;
    let mut writer = writer.into_inner().unwrap_or_else(PoisonError::into_inner);
    let account = Account::of(chunk, &context.summary()).to_bytes();
    writer.push(Record {
        bucket: account::BUCKET.cast_signed(),
        chunk: chunk.chunk.cast_signed(),
        sequence: account::SEQUENCE,
        run: &account,
    })?;
    writer.finish()
}

/// Sends all buckets of `runs`.
fn send<const SUMS: usize>(
    context: &Context,
    chunk: u32,
    runs: &Sorted<SUMS>,
    writer: &Mutex<RecordWriter<impl Write + Send>>,
) -> Result<()> {
    let senders = Mutex::new(Vec::new());
    let spare = || senders.lock().unwrap_or_else(PoisonError::into_inner).pop();
    context
        .for_each_shard("sending", runs.buckets(), |bucket| {
            let mut sender = spare().map_or_else(|| RunSender::new(runs), Ok)?;
            sender.bucket(bucket, runs.bucket(bucket)?, |Blob { bucket, sequence, bytes }| {
                writer.lock().unwrap_or_else(PoisonError::into_inner).push(Record {
                    bucket: bucket.cast_signed(),
                    chunk: chunk.cast_signed(),
                    sequence: sequence.cast_signed(),
                    run: bytes,
                })
            })?;
            senders.lock().unwrap_or_else(PoisonError::into_inner).push(sender);
            Ok(())
        })
        .map(drop)
}
