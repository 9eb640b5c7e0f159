//! Counts one chunk and writes its sorted rows as records.

use std::{
    io::Write,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

use count::{Part, Runs, Sorting, count_inputs};
use extsort::{Blob, Combine, RunSender, Sorted};
use games::{Copies, GameStream, ReadGames, copies::Section, driver::source::StageNames};
use output::Prepared;
use run::{Context, Limits, Outputs, Result, RunOptions};

use super::{
    Chunk, ClusterError, CountSettings, Place,
    chunk_report::{self, ChunkReport},
    copies,
    job::Job,
    parts::Parts,
    rejects,
    sink::{FolderSink, RecordSink, StreamSink},
    stream::Record,
};

/// One pass over a chunk.
#[derive(Clone, Debug)]
pub struct MapTask<'m> {
    /// The chunk.
    pub chunk: &'m Chunk,
    /// How the games of all chunks are counted.
    pub settings: &'m CountSettings,
    /// The purpose of this pass.
    pub pass: Pass,
    /// The folder of parts, with the files that list the copies to leave out.
    pub parts: Option<Place>,
}

/// The purpose of a pass over a chunk. If copies of games are left out, there are two passes over each chunk.
#[derive(Clone, Copy, Debug)]
pub enum Pass {
    /// The pass finds copies: it reads the chunk's games so that they can be compared with the games of all
    /// chunks.
    Copies,
    /// The pass counts the chunk's games and leaves out the copies.
    Counts,
}

/// Reads a chunk's games and writes the result to `out` as records. The records contain a run for every
/// bucket, even if that run is empty. If the games are counted, the records also contain the chunk's report.
/// A chunk may have no games.
///
/// # Errors
///
/// Fails if the settings require all games to be on one machine, if the count fails, or if `out` cannot be
/// written.
pub fn map(
    map: &MapTask<'_>,
    limits: &Limits,
    options: RunOptions,
    out: &mut (dyn Write + Send),
) -> Result<()> {
    map.send(limits, options, || StreamSink::new(out))
}

/// Reads a chunk's games as [`map`] does, but writes one file per bucket into a folder that all machines see,
/// for [`streams_of`](crate::streams_of) to read.
///
/// # Errors
///
/// Fails as [`map`] does.
pub fn map_to(map: &MapTask<'_>, limits: &Limits, options: RunOptions, folder: &Path) -> Result<()> {
    let folder = map.pass.records_in(folder);
    map.send(limits, options, || Ok(FolderSink { folder: &folder, chunk: map.chunk.chunk }))
}

impl Pass {
    /// Returns the folder for this pass's records, which is `folder` itself or a folder inside it. All
    /// machines must see `folder`.
    #[must_use]
    pub fn records_in(self, folder: &Path) -> PathBuf {
        match self {
            Self::Copies => folder.join("copies"),
            Self::Counts => folder.to_owned(),
        }
    }
}

impl MapTask<'_> {
    fn send<S: RecordSink>(
        &self,
        limits: &Limits,
        options: RunOptions,
        sink: impl FnOnce() -> Result<S>,
    ) -> Result<()> {
        let Self { chunk, settings, .. } = self;
        settings.check()?;
        let temp_dir = limits.temp_folder();
        let replay = settings.replay_of_section(&temp_dir);
        // A chunk without games is not an error. The commit, which gets the reports of all chunks, checks
        // that at least one game was counted.
        let context = Context::new(limits, temp_dir, RunOptions { allow_empty: true, ..options })?;
        let read = ReadGames { paths: vec![chunk.file.clone()], options: settings.read.clone() };
        let stream = GameStream { read, replay, stages: StageNames::default() };
        match self.pass {
            Pass::Copies => self.send_candidates(&context, &stream, sink),
            Pass::Counts => self.send_counts(context, &stream, sink),
        }
        .map_err(run::Error::of_run)
    }

    /// The source number in all segments of the chunk's run.
    fn run_source(&self) -> u64 {
        Job::new(self.chunk.plan, self.settings).source(self.chunk.chunk)
    }

    fn send_candidates<S: RecordSink>(
        &self,
        context: &Context,
        stream: &GameStream,
        sink: impl FnOnce() -> Result<S>,
    ) -> Result<()> {
        self.settings.check_finding()?;
        self.settings.check_plan(self.chunk.plan)?;
        let section = Section::new(self.chunk.chunk, self.settings.copy_buckets(), self.run_source());
        let candidates = stream.candidates(context, self.chunk.input()?, &section)?;
        self.chunk.check(true)?;
        let sink = sink()?;
        send(context, self.chunk.chunk, &candidates, &sink)?;
        sink.finish()
    }

    fn send_counts<S: RecordSink>(
        &self,
        context: Context,
        stream: &GameStream,
        sink: impl FnOnce() -> Result<S>,
    ) -> Result<()> {
        let (chunk, settings) = (self.chunk, self.settings);
        let sorting = Sorting { run_source: self.run_source(), ..settings.sorting.clone() };
        let copies = self.copies(&context)?;
        let part = Part { name: "", expression: None, sorting: &sorting, spools: None };
        let inputs = (vec![chunk.input()?], copies.clone());
        let counts = count_inputs(&context, stream, &[part], inputs, None)?.remove(0);
        chunk.check(true)?;
        let sink = sink()?;
        match &counts.runs {
            Runs::Plain(runs) => send(&context, chunk.chunk, runs, &sink),
            Runs::Rated(runs) => send(&context, chunk.chunk, runs, &sink),
        }?;
        let (summary, Outputs { lists, .. }) = context.finish();
        let send_list = |list: &Prepared| rejects::send(list.temporary_path(), chunk.chunk, &sink);
        let listed = lists.first().map(send_list).transpose()?;
        let report = ChunkReport::of(chunk, &summary, listed);
        let expected = copies.map_or(0, |copies| copies.count);
        if report.status.copies != expected {
            let (chunk, got) = (chunk.chunk, report.status.copies);
            return Err(ClusterError::Copies { chunk, expected, got }.into());
        }
        let report = report.to_bytes();
        sink.write(chunk_report::BUCKET, "report", |push| {
            push(Record {
                bucket: chunk_report::BUCKET.cast_signed(),
                chunk: chunk.chunk.cast_signed(),
                sequence: chunk_report::SEQUENCE,
                run: &report,
            })
        })?;
        sink.finish()
    }

    /// Reads the list of the chunk's copies, if copies are to be left out.
    fn copies(&self, context: &Context) -> Result<Option<Arc<Copies>>> {
        let (chunk, buckets) = (self.chunk, self.settings.copy_buckets());
        if buckets == 0 {
            return Ok(None);
        }
        let parts = self.parts.as_ref().ok_or(ClusterError::NoCopies)?;
        let of = (buckets, chunk.plan.chunks);
        Ok(Some(Arc::new(copies::of_chunk(context, &Parts::at(parts), chunk.chunk, of)?)))
    }
}

/// Sends all buckets of `runs`.
fn send<const SUMS: usize, C: Combine<SUMS>>(
    context: &Context,
    chunk: u32,
    runs: &Sorted<SUMS, C>,
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
