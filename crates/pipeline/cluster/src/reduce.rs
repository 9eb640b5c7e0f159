//! Merges the runs of all chunks into the part files of shards.

use std::io::BufRead;

use count::{BucketRows, OUTCOMES, OUTCOMES_AND_RATINGS};
use extsort::{Blob, ReceivedRuns};
use position::Observation;
use run::{Context, Limits, Result, RunOptions};
use table::ShardWriter;

use super::{
    ClusterError, CountSettings, Place, PlanId,
    account::{self, Account},
    chunk::FORMAT,
    input_account::AccountSums,
    job::Job,
    line::{Counted, From, ShardLine},
    parts::Parts,
    stream::{Record, read_records},
};

/// Which part files are made, and where.
#[derive(Clone, Debug)]
pub struct Reduce {
    /// The plan whose chunks were counted.
    pub plan: PlanId,
    /// How they were counted.
    pub settings: CountSettings,
    /// The table that is made.
    pub output: Place,
    /// The folder of the part files, if it is not the one that follows from plan and settings.
    pub parts: Option<Place>,
    /// A name that no other attempt at the same shard has: letters, digits, `-` and `_`.
    pub attempt: String,
}

/// Reads a stream, or several, with all records of some buckets, writes the part file of each shard, and
/// gives its line to `done`.
///
/// # Errors
///
/// [`ClusterError::Ledger`] unless, for every bucket, the whole run of each chunk is there once; else the
/// errors of a merge and of writing a part. A shard that fails leaves nothing behind.
pub fn reduce(
    job: &Reduce,
    limits: &Limits,
    options: RunOptions,
    input: impl BufRead,
    done: impl FnMut(&str) -> Result<()>,
) -> Result<()> {
    job.settings.check()?;
    let temp_dir = limits.temp_dir.clone().unwrap_or_else(std::env::temp_dir);
    let context = Context::new(limits, temp_dir, options)?;
    let reduced = if job.settings.replay.options.counting.ratings {
        let runs = BucketRecords::<OUTCOMES_AND_RATINGS>::read(job, &context, input);
        runs.and_then(|runs| runs.write_parts(BucketRows::rated, done))
    } else {
        let runs = BucketRecords::<OUTCOMES>::read(job, &context, input);
        runs.and_then(|runs| runs.write_parts(BucketRows::plain, done))
    };
    reduced.map_err(run::Error::of_run)
}

/// All records of some buckets.
struct BucketRecords<'r, const SUMS: usize> {
    job: &'r Reduce,
    context: &'r Context,
    number: Job,
    runs: ReceivedRuns<SUMS>,
    accounts: AccountSums,
}

impl<'r, const SUMS: usize> BucketRecords<'r, SUMS> {
    fn read(job: &'r Reduce, context: &'r Context, input: impl BufRead) -> Result<Self> {
        let defaults = extsort::Options::new(context.memory.count, context.threads);
        let options = extsort::Options {
            buckets: job.settings.shards(),
            temp_dir: context.temp_dir.clone(),
            // As many runs at once as the memory allows: each more pass reads and writes all of them.
            fan_in: job.settings.sorting.fan_in.unwrap_or(usize::MAX),
            stop: context.interrupt(),
            ..defaults
        };
        let runs = ReceivedRuns::new(options, Observation::PAYLOAD_BITS)?;
        let number = Job::new(job.plan, &job.settings);
        let mut received = Self { job, context, number, runs, accounts: AccountSums::default() };
        read_records(input, |record| received.take(record))?;
        Ok(received)
    }

    fn take(&mut self, record: Record<'_>) -> Result<()> {
        self.context.check_interrupt()?;
        let number = |value: i32| {
            let why = || ClusterError::Stream(format!("{value} is no bucket, chunk or blob"));
            u32::try_from(value).map_err(|_| why())
        };
        let (bucket, chunk) = (number(record.bucket)?, number(record.chunk)?);
        if record.sequence == account::SEQUENCE {
            return self.take_account(bucket, chunk, record.run);
        }
        let blob = Blob { bucket, sequence: number(record.sequence)?, bytes: record.run };
        let received = self.runs.receive(self.number.source(chunk), blob);
        received.map_err(of_ledger)
    }

    fn take_account(&mut self, bucket: u32, chunk: u32, bytes: &[u8]) -> Result<()> {
        let refuse = |what| Err(ledger(bucket, "the account", chunk.into(), what));
        match Account::parse(bytes, self.job.plan).filter(|account| account.chunk.chunk == chunk) {
            Some(_) if bucket != account::BUCKET => refuse("is not of this shard"),
            Some(account) if !account.chunk.is_as_planned() => {
                refuse("is of another plan, or its chunk was changed")
            }
            Some(_) if self.accounts.holds(chunk) => refuse("is there twice"),
            Some(account) => {
                self.accounts.add(account);
                Ok(())
            }
            None => refuse("is damaged"),
        }
    }

    /// Writes the part files, one after the other.
    fn write_parts(
        mut self,
        rows: fn(extsort::BucketRows<SUMS>) -> BucketRows,
        mut done: impl FnMut(&str) -> Result<()>,
    ) -> Result<()> {
        let shards = self.job.settings.shards();
        let buckets = self.runs.buckets();
        if !self.accounts.is_empty() && !buckets.contains(&account::BUCKET) {
            return Err(ledger(account::BUCKET, "the run", 0, "is missing"));
        }
        self.context.progress().enter("writing part files", buckets.len() as u32);
        for shard in buckets {
            if shard >= shards {
                let why = format!("it has a bucket {shard}, and the table has {shards} shards");
                return Err(ClusterError::Stream(why).into());
            }
            let counted = (shard == account::BUCKET).then(|| self.take_accounts()).transpose()?;
            done(&self.write_part(shard, rows, counted)?)?;
            self.context.progress().shard_done();
        }
        Ok(())
    }

    /// Collects the accounts of all chunks.
    fn take_accounts(&mut self) -> Result<Counted> {
        let (accounts, plan) = (std::mem::take(&mut self.accounts), self.job.plan);
        if let Some(chunk) = accounts.missing(plan.chunks) {
            return Err(ledger(account::BUCKET, "the account", chunk.into(), "is missing"));
        }
        let (inputs, warnings) = accounts.finish();
        let from = From::Inputs { plan, inputs, warnings };
        Ok(Counted { counting: self.job.settings.counting(), from })
    }

    /// Writes the part of a shard and its line, and returns the line.
    fn write_part(
        &self,
        shard: u32,
        rows: fn(extsort::BucketRows<SUMS>) -> BucketRows,
        counted: Option<Counted>,
    ) -> Result<String> {
        let Self { job, context, number, .. } = self;
        let sources = (0..job.plan.chunks).map(|chunk| number.source(chunk));
        let mut rows = rows(self.runs.bucket(shard, sources).map_err(of_ledger)?);
        let (counting, of) = (job.settings.counting(), job.settings.shards());
        let parts = Parts::to_write(job.parts.as_ref(), &job.output, *number)?;
        let new = parts.begin(*number, (shard, &job.attempt), &context.temp_dir)?;
        let mut writer = ShardWriter::alone(new.path(), &counting, shard, of)?;
        rows.write_to(&mut writer, || context.check_interrupt())?;
        let (path, part) = new.placed(writer.finish()?);
        let line = ShardLine { format: FORMAT, job: number.to_string(), shard, of, path, part, counted };
        let text = line.text();
        new.finish(&line.part, &text)?;
        Ok(text)
    }
}

fn ledger(shard: u32, what_of: &'static str, chunk: u64, what: &'static str) -> run::Error {
    ClusterError::Ledger { shard, what_of, chunk, what }.into()
}

/// Names the chunk in an error that names a source: users know chunks.
fn of_ledger(error: extsort::Error) -> run::Error {
    match error {
        extsort::Error::Run { run, bucket, what } => ledger(bucket, "the run", Job::chunk_of(run), what),
        other => other.into(),
    }
}
