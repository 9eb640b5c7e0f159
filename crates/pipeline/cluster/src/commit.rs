//! Puts part files together into a table: all of them, or none.

use std::{
    io::BufRead,
    path::{Path, PathBuf},
    time::Instant,
};

use games::Nothing;
use run::{Error, InputReport, InputStatus, Result, Run, RunOptions, RunRecords, StrictError, Summary};
use table::{CountedInput, Counting, Manifest, TableWriter, roots_beside};

use super::{
    CountSettings, Place, PlanId,
    chunk::digest_of,
    input_account::InputAccount,
    job::Job,
    leftovers::{began, sweep},
    line::{From, ShardLine},
    lines::{lines_error, of_one_job, read, waiting},
    parts::{Parts, roots_of},
    stored_place::StoredPlace,
};

/// The place of the table that is put together.
#[derive(Clone, Debug)]
pub struct Commit {
    /// The table that is made.
    pub output: Place,
    /// The folder whose parts and lines are taken, in place of lines that are read.
    pub parts: Option<Place>,
    /// Whether all bytes of all parts are compared with their checksums.
    pub check: bool,
}

impl Commit {
    /// Puts together what the reduces of a count wrote where no folder was held.
    ///
    /// # Errors
    ///
    /// If the output has no place.
    pub fn of_count(output: Place, plan: PlanId, settings: &CountSettings, check: bool) -> Result<Self> {
        let parts = Parts::of(&output, &Job::new(plan, settings).to_string())?;
        Ok(Self { parts: Some(parts.place().clone()), output, check })
    }

    /// The table of the parts in a folder: beside it, of the name that the folder has in its own.
    #[must_use]
    pub fn output_of(parts: &Place) -> Option<Place> {
        let folder = match parts {
            Place::Store(url) => return Some(Place::Store(url.parent()?)),
            Place::Folder(folder) => folder,
        };
        let name = folder.file_name()?.to_str()?.strip_prefix('.')?.strip_suffix(".parts")?;
        Some(Place::Folder(folder.with_file_name(name.rsplit_once('.')?.0)))
    }
}

/// Reads the lines of all shards, lets their table appear at its place, and removes what attempts left. A
/// commit that fails leaves parts and lines as they are, for another one.
///
/// # Errors
///
/// [`Lines`](super::ClusterError::Lines) unless the lines are those of every shard of one count, each once,
/// and the accounts of its chunks cover all of its inputs; [`Nothing`] and [`StrictError`] under the same
/// conditions as in a count on one machine.
pub fn commit(job: &Commit, run: &RunOptions, lines: impl BufRead) -> Result<Summary> {
    let start = Instant::now();
    if let Place::Folder(_) = &job.output {
        job.output.check_output(run)?;
    }
    let (parts, (shards, counted)) = if let Some(place) = &job.parts {
        let parts = Parts::at(place);
        let lines = waiting(&parts)?;
        (parts, of_one_job(lines.into_values().map(Ok))?)
    } else {
        let (shards, counted) = of_one_job(read(lines))?;
        (Parts::of(&job.output, &shards[0].job)?, (shards, counted))
    };
    shards.iter().try_for_each(|line| check_place(line, &parts))?;
    let stored = match &job.output {
        Place::Folder(_) => None,
        Place::Store(output) => Some(StoredPlace::look(output, &shards[0].job, run.force)?),
    };
    check_files(&shards, job.check, run)?;
    let (mut summary, sources, subtracted) = match counted.from {
        From::Inputs { plan, inputs, warnings } => {
            check_inputs(plan, &inputs)?;
            let summary = summarise(&inputs, warnings);
            judge(&summary, run)?;
            let sources = summary.inputs.iter().map(InputReport::source).collect();
            (summary, sources, Vec::new())
        }
        From::Tables { sources, subtracted } => (Summary::new(), sources, subtracted),
    };
    let made = PendingTable { shards, counting: counted.counting, sources, subtracted };
    summary.edges = made.shards.iter().map(|line| line.part.rows).sum();
    summary.add_seconds("commit", start);
    let mut done = match (&job.output, &stored) {
        (Place::Folder(output), _) => made.appear(output, run, summary)?,
        (Place::Store(_), Some(place)) => made.appear_in_store(place, summary)?,
        (Place::Store(_), None) => unreachable!("it was looked at"),
    };
    let began = began(&parts);
    parts.remove()?;
    if let Some(place) = stored {
        place.release()?;
    }
    done.warnings.extend(sweep(&job.output, began));
    Ok(done)
}

/// A table whose parts exist but do not have their names yet.
struct PendingTable {
    /// The lines of the shards, in order.
    shards: Vec<ShardLine>,
    counting: Counting,
    sources: Vec<CountedInput>,
    subtracted: Vec<CountedInput>,
}

impl PendingTable {
    /// Gives all parts their names beside a manifest, and lets the table appear.
    fn appear(self, output: &Path, run: &RunOptions, summary: Summary) -> Result<Summary> {
        let lock = run.lock(output)?;
        let writer = TableWriter::create(output, self.counting, self.shards[0].of, run.force)?;
        for line in &self.shards {
            let Place::Folder(path) = &line.path else { return Err(elsewhere(line)) };
            writer.adopt(&line.part, path)?;
        }
        let parts = self.shards.into_iter().map(|line| line.part).collect();
        let (_, prepared) = writer.prepare_with(parts, self.sources, self.subtracted)?;
        let outputs = vec![prepared];
        Run { summary, outputs, locks: vec![lock], recorded: RunRecords::default() }.publish()
    }

    /// Writes the manifest over parts that are where they are to be.
    fn appear_in_store(self, place: &StoredPlace<'_>, mut summary: Summary) -> Result<Summary> {
        if let Some(line) = self.shards.iter().find(|line| !place.has(&line.path)) {
            return Err(elsewhere(line));
        }
        let parts: Vec<_> = self.shards.into_iter().map(|line| line.part).collect();
        let (manifest, text) = Manifest::sealed(self.counting, parts, self.sources, self.subtracted);
        place.publish(text, &manifest.shards)?;
        summary.outputs.push(place.url().to_string());
        Ok(summary)
    }
}

fn elsewhere(line: &ShardLine) -> Error {
    lines_error(format!("{} is not where the table is to be", line.path))
}

/// Compares part files with their lines: lengths, the rows of their footers and, if `whole`, checksums.
fn check_files(shards: &[ShardLine], whole: bool, run: &RunOptions) -> Result<()> {
    let threads = shards[0].path.threads();
    let stop = || run.check_interrupt();
    let check = |shard: u32| check_file(&shards[shard as usize], whole);
    table::for_each_shard(threads, shards.len() as u32, stop, |_| false, check).map(drop)
}

fn check_file(line: &ShardLine, whole: bool) -> Result<()> {
    let path = |place: &Place| PathBuf::from(place.to_string());
    table::check_part(&line.part, &path(&line.path), whole)?;
    if let Some(roots) = line.part.roots.as_ref().filter(|_| whole) {
        let place = match &line.path {
            Place::Folder(path) => Place::Folder(roots_beside(path)),
            Place::Store(url) => Place::Store(roots_of(url)?),
        };
        table::check_roots(roots, &path(&place))?;
    }
    Ok(())
}

/// Refuses a line whose file, or whose name for it, does not belong to this count: a line may name any
/// file.
fn check_place(line: &ShardLine, parts: &Parts) -> Result<()> {
    let ShardLine { shard, path, part, job, .. } = line;
    if !parts.holds((job, *shard), path) {
        let place = parts.place();
        return Err(lines_error(format!(
            "{path} is no part of shard {shard}; those of this count are in {place}"
        )));
    }
    let name = parts.name_in_table(*shard, job);
    if part.part != name {
        return Err(lines_error(format!("`{}` is no name of shard {shard}, which is {name}", part.part)));
    }
    Ok(())
}

/// The summary of a count of these inputs, equal to that of a count on one machine.
fn summarise(accounts: &[InputAccount], warnings: Vec<String>) -> Summary {
    let mut summary = Summary::new();
    for account in accounts {
        let input = account.report();
        let same = summary.inputs.iter().find(|other| other.xxh3 == input.xxh3);
        let same = same.map(|other| {
            format!("{} holds the same bytes as {}: its games count twice", input.name, other.name)
        });
        summary.warnings.extend(same);
        summary.add_input(input);
        summary.cut += account.status.cut;
        summary.observations += account.observations;
        summary.runs += account.runs;
        summary.bytes_spilled += account.bytes_spilled;
    }
    summary.warnings.extend(warnings);
    summary
}

/// Refuses inputs that do not make up the plan.
fn check_inputs(plan: PlanId, accounts: &[InputAccount]) -> Result<()> {
    let digest = digest_of(accounts.iter().map(|account| account.digest));
    let chunks: u64 = accounts.iter().map(|account| u64::from(account.chunks)).sum();
    if (digest, chunks) == (plan.digest, u64::from(plan.chunks)) {
        return Ok(());
    }
    Err(lines_error(format!("the inputs in the line of shard 0 are not those of the plan {plan}")))
}

/// Refuses a count without games, and rejected games where none are allowed.
fn judge(summary: &Summary, run: &RunOptions) -> Result<()> {
    let Summary { games, accepted, filtered, rejected, inputs, .. } = summary;
    let rejected_games = summary.rejected_games();
    if *accepted == 0 && !run.allow_empty {
        let (passed_over, rejected) = (filtered.clone(), rejected.clone());
        let status = InputStatus { games: *games, passed_over, rejected, ..InputStatus::default() };
        let inputs = inputs.iter().map(|input| input.name.clone()).collect();
        return Err(Nothing::of("game", inputs, status).into());
    }
    if rejected_games > 0 && run.strict {
        let summary = Box::new(summary.clone());
        return Err(StrictError { rejected: rejected_games, is_listed: false, summary }.into());
    }
    Ok(())
}
