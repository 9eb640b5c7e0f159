//! Merges the runs of all chunks into the part files of shards.

use std::io::BufRead;

use count::{BucketRows, OUTCOMES, OUTCOMES_AND_RATINGS};
use extsort::{Blob, Combine, Least, ReceivedRuns, Sum};
use games::copies::{CANDIDATE_PAYLOAD_BITS, CANDIDATE_WORDS};
use position::Observation;
use run::{Context, Limits, Result, RunOptions};
use table::ShardWriter;

use super::{
    ClusterError, CountSettings, Place, PlanId,
    chunk_report::{self, ChunkReport},
    copies,
    input_totals::ReportSums,
    job::Job,
    list::WholeList,
    parts::Parts,
    rejects::{self, ReceivedLists},
    shard_entry::{CountedGames, GamesOrigin},
    stream::{Record, read_records},
};

/// A task that makes part files from the records of a count.
#[derive(Clone, Debug)]
pub struct ReduceTask {
    /// The plan whose chunks were counted.
    pub plan: PlanId,
    /// How the chunks were counted.
    pub settings: CountSettings,
    /// The table to make.
    pub output: Place,
    /// The folder for part files; `None` for the default folder, whose name is computed from the plan and the
    /// settings.
    pub parts: Option<Place>,
    /// The name of this attempt, which must be unique among the attempts at the same shard and consist of
    /// letters, digits, `-` and `_`.
    pub attempt: String,
}

/// Reads all records of one or more buckets from `input`, which is one stream, or several streams one after
/// another. For each bucket, writes the part file of the shard, and calls `done` with the shard's line.
///
/// # Errors
///
/// Fails with [`ClusterError::Ledger`] unless, in every bucket, each chunk's run arrived complete and exactly
/// once. Also fails if merging fails or a part cannot be written. A shard that fails leaves nothing behind.
pub fn reduce(
    job: &ReduceTask,
    limits: &Limits,
    options: RunOptions,
    input: &mut dyn BufRead,
    done: &mut dyn FnMut(&str) -> Result<()>,
) -> Result<()> {
    job.settings.check()?;
    let context = Context::new(limits, limits.temp_folder(), options)?;
    let (of, sorting) = ((job, &context), (job.settings.shards(), context.memory.count));
    let payload_bits = Observation::PAYLOAD_BITS;
    let reduced = if job.settings.replay.options.counting.ratings {
        let runs = BucketRecords::<OUTCOMES_AND_RATINGS>::read(of, sorting, payload_bits, input);
        runs.and_then(|runs| runs.write_parts(BucketRows::rated, done))
    } else {
        let runs = BucketRecords::<OUTCOMES>::read(of, sorting, payload_bits, input);
        runs.and_then(|runs| runs.write_parts(BucketRows::plain, done))
    };
    reduced.map_err(run::Error::of_run)
}

/// Reads the candidates of all chunks for one or more buckets from `input`, which is one stream, or several
/// streams one after another. For each of these buckets, writes a file that lists the copies in the bucket;
/// the file is placed next to the parts.
///
/// # Errors
///
/// Fails as [`reduce`] does.
pub fn reduce_copies(
    job: &ReduceTask,
    limits: &Limits,
    options: RunOptions,
    input: &mut dyn BufRead,
) -> Result<()> {
    job.settings.check()?;
    job.settings.check_finding()?;
    let context = Context::new(limits, limits.temp_folder(), options)?;
    let sorting = (job.settings.copy_buckets(), context.memory.count / 2);
    let records = BucketRecords::<CANDIDATE_WORDS, Least>::read(
        (job, &context),
        sorting,
        CANDIDATE_PAYLOAD_BITS,
        input,
    );
    records.and_then(|records| records.write_copies()).map_err(run::Error::of_run)
}

/// All records of the buckets that one reduce task reads.
struct BucketRecords<'r, const SUMS: usize, C = Sum> {
    job: &'r ReduceTask,
    context: &'r Context,
    number: Job,
    runs: ReceivedRuns<SUMS, C>,
    reports: ReportSums,
    lists: ReceivedLists,
}

impl<'r, const SUMS: usize, C: Combine<SUMS>> BucketRecords<'r, SUMS, C> {
    fn read(
        (job, context): (&'r ReduceTask, &'r Context),
        (buckets, memory_bytes): (u32, u64),
        payload_bits: u32,
        input: &mut dyn BufRead,
    ) -> Result<Self> {
        // Unless the settings say otherwise, as many runs are merged at once as memory allows, because each
        // further pass would read and write all of them again.
        let fan_in = job.settings.sorting.fan_in.unwrap_or(usize::MAX);
        let sorting = context.sorting(buckets, memory_bytes, context.threads);
        let options = extsort::Options { fan_in, ..sorting };
        let runs = ReceivedRuns::new(options, payload_bits)?;
        let number = Job::new(job.plan, &job.settings);
        let (reports, lists) = (ReportSums::default(), ReceivedLists::new(&context.temp_dir));
        let mut received = Self { job, context, number, runs, reports, lists };
        read_records(input, |record| received.take(record))?;
        Ok(received)
    }

    fn take(&mut self, record: Record<'_>) -> Result<()> {
        self.context.check_interrupt()?;
        let number = |value: i32| {
            let why =
                || ClusterError::Stream(format!("{value} is not the number of a bucket, chunk or blob"));
            u32::try_from(value).map_err(|_| why())
        };
        let (bucket, chunk) = (number(record.bucket)?, number(record.chunk)?);
        if record.sequence == chunk_report::SEQUENCE {
            return self.take_report(bucket, chunk, record.run);
        }
        if record.sequence <= rejects::FIRST {
            let is_new = self.lists.take(chunk, record.sequence, record.run)?;
            let twice = || ledger(bucket, "the list of rejected games", chunk.into(), "arrived twice");
            return if is_new { Ok(()) } else { Err(twice()) };
        }
        let blob = Blob { bucket, sequence: number(record.sequence)?, bytes: record.run };
        let received = self.runs.receive(self.number.source(chunk), blob);
        received.map_err(of_ledger)
    }

    fn take_report(&mut self, bucket: u32, chunk: u32, bytes: &[u8]) -> Result<()> {
        let refuse = |what| Err(ledger(bucket, "the report", chunk.into(), what));
        match ChunkReport::parse(bytes, self.job.plan).filter(|report| report.chunk.chunk == chunk) {
            Some(_) if bucket != chunk_report::BUCKET => refuse("is not of this shard"),
            Some(report) if !report.chunk.is_as_planned() => {
                refuse("is of another plan, or its chunk was changed")
            }
            Some(_) if self.reports.holds(chunk) => refuse("arrived twice"),
            Some(report) => {
                self.reports.add(report);
                Ok(())
            }
            None => refuse("is damaged"),
        }
    }

    /// The folder in which the part files are written.
    fn parts(&self) -> Result<Parts> {
        Parts::to_write(self.job.parts.as_ref(), &self.job.output, self.number)
    }

    /// Merges the rows of one bucket from all chunks.
    fn rows(&self, bucket: u32) -> Result<extsort::BucketRows<SUMS, C>> {
        let sources = (0..self.job.plan.chunks).map(|chunk| self.number.source(chunk));
        self.runs.bucket(bucket, sources).map_err(of_ledger)
    }
}

impl BucketRecords<'_, CANDIDATE_WORDS, Least> {
    /// For each bucket, writes a file that lists the copies in the bucket.
    fn write_copies(&self) -> Result<()> {
        let parts = self.parts()?;
        self.runs.buckets().into_iter().try_for_each(|bucket| {
            copies::write(self.context, &parts, (bucket, self.rows(bucket)?), self.job.plan.chunks)
        })
    }
}

impl<const SUMS: usize> BucketRecords<'_, SUMS> {
    /// Writes the part files, one after the other.
    fn write_parts(
        mut self,
        rows: fn(extsort::BucketRows<SUMS>) -> BucketRows,
        done: &mut dyn FnMut(&str) -> Result<()>,
    ) -> Result<()> {
        let shards = self.job.settings.shards();
        let buckets = self.runs.buckets();
        if !self.reports.is_empty() && !buckets.contains(&chunk_report::BUCKET) {
            return Err(ledger(chunk_report::BUCKET, "the run", 0, "is missing"));
        }
        self.context.progress().enter("writing part files", buckets.len() as u32);
        for shard in buckets {
            if shard >= shards {
                let why = format!(
                    "it contains bucket {shard}, but the numbers of the buckets must be below {shards}"
                );
                return Err(ClusterError::Stream(why).into());
            }
            let counted = (shard == chunk_report::BUCKET).then(|| self.take_reports()).transpose()?;
            done(&self.write_part(shard, rows, counted)?)?;
            self.context.progress().shard_done();
        }
        Ok(())
    }

    /// Collects the reports of all the chunks.
    fn take_reports(&mut self) -> Result<CountedGames> {
        let (reports, plan) = (std::mem::take(&mut self.reports), self.job.plan);
        if let Some(chunk) = reports.missing(plan.chunks) {
            return Err(ledger(chunk_report::BUCKET, "the report", chunk.into(), "is missing"));
        }
        let listed = self.join_lists(&reports)?;
        let (inputs, warnings) = reports.finish();
        let copies = Some(self.job.settings.copy_buckets()).filter(|&buckets| buckets > 0);
        let from = GamesOrigin::Inputs { plan, inputs, warnings, listed, copies };
        Ok(CountedGames { counting: self.job.settings.counting(), from })
    }

    /// Joins the lists of rejected games, if a list was asked for.
    fn join_lists(&self, reports: &ReportSums) -> Result<Option<WholeList>> {
        let Some(file) = &self.job.settings.replay.list.rejects else { return Ok(None) };
        for (chunk, digest) in reports.lists() {
            if !self.lists.has(chunk, digest)? {
                let what_of = "the list of rejected games";
                return Err(ledger(chunk_report::BUCKET, what_of, chunk.into(), "is not whole"));
            }
        }
        self.lists.join(self.job.plan.chunks, &self.parts()?, file).map(Some)
    }

    /// Writes a shard's part and its line, and returns the line.
    fn write_part(
        &self,
        shard: u32,
        rows: fn(extsort::BucketRows<SUMS>) -> BucketRows,
        counted: Option<CountedGames>,
    ) -> Result<String> {
        let Self { job, context, number, .. } = self;
        let mut rows = rows(self.rows(shard)?);
        let (counting, of) = (job.settings.counting(), job.settings.shards());
        let new = self.parts()?.begin(*number, (shard, &job.attempt), &context.temp_dir)?;
        let mut writer = ShardWriter::alone(new.path(), &counting, shard, of)?;
        rows.write_to(&mut writer, || context.check_interrupt())?;
        new.finish(*number, (shard, of), writer.finish()?, counted)
    }
}

fn ledger(shard: u32, what_of: &'static str, chunk: u64, what: &'static str) -> run::Error {
    ClusterError::Ledger { shard, what_of, chunk, what }.into()
}

/// Turns an error about a source into one about its chunk, since users know chunks but not sources.
fn of_ledger(error: extsort::Error) -> run::Error {
    match error {
        extsort::Error::Run { run, bucket, what } => ledger(bucket, "the run", Job::chunk_of(run), what),
        other => other.into(),
    }
}
