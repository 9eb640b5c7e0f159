//! Assembles part files into a table: all of them, or none.

use std::{
    io::BufRead,
    path::{Path, PathBuf},
    time::Instant,
};

use fault::FileFault;
use games::{DedupGames, EmptyCount};
use output::Prepared;
use run::{Error, InputReport, InputStatus, Result, Run, RunOptions, StrictError, Summary};
use table::{
    CountedInput, Counting, FingerprintsInfo, FingerprintsWriter, Manifest, TableWriter, fingerprints_name,
    roots_beside,
};

use super::{
    CountSettings, Place, PlanId,
    chunk::digest_of,
    copies,
    input_totals::InputTotals,
    job::Job,
    leftovers::{began, sweep},
    parts::{Parts, roots_of},
    rejects,
    shard_entries::{lines_error, of_one_job, read, waiting},
    shard_entry::{CountedGames, GamesOrigin, ShardLine},
    stored_place::StoredPlace,
};

/// A task that assembles the parts of a count or a merge into a table.
#[derive(Clone, Debug)]
pub struct CommitTask {
    /// The table to make.
    pub output: Place,
    /// The folder with the parts and their lines; `None` if the lines are read from standard input.
    pub parts: Option<Place>,
    /// Whether every byte of every part is checked against its checksum.
    pub check: bool,
}

impl CommitTask {
    /// Returns the task that commits a count whose parts are in the default folder. The parts are there if no
    /// driver held a folder for them.
    ///
    /// # Errors
    ///
    /// Fails if the output's path or URL cannot be resolved.
    pub fn of_count(output: Place, plan: PlanId, settings: &CountSettings, check: bool) -> Result<Self> {
        Ok(Self { parts: Some(parts_of(&output, plan, settings)?), output, check })
    }

    /// Works out from the path or URL of a folder of parts which table it belongs to.
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

/// Returns the default folder for a count's parts. Tasks write the parts to this folder unless they are given
/// the folder that a driver holds.
///
/// # Errors
///
/// Fails if the output's path or URL cannot be resolved.
pub fn parts_of(output: &Place, plan: PlanId, settings: &CountSettings) -> Result<Place> {
    Ok(Parts::of(output, &Job::new(plan, settings).to_string())?.place().clone())
}

/// Reads the lines of all shards, puts their table in place, and removes what failed attempts left behind. If
/// the commit fails, the parts and the lines are kept, so that the commit can be repeated.
///
/// # Errors
///
/// Fails with [`Lines`](super::ClusterError::Lines) unless there is exactly one line for every shard of one
/// count, and the reports of its chunks cover all of its inputs. Also fails with [`EmptyCount`] or
/// [`StrictError`], for the same reasons as a count on one machine.
pub fn commit(job: &CommitTask, run: &RunOptions, lines: &mut dyn BufRead) -> Result<Summary> {
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
    let (made, list, mut summary) = PendingTable::new((shards, counted), &parts, run)?;
    summary.edges = made.shards.iter().map(|line| line.part.rows).sum();
    summary.add_seconds("commit", start);
    let mut done = match (&job.output, &stored) {
        (Place::Folder(output), _) => made.appear(output, list, run, summary)?,
        (Place::Store(_), Some(place)) => made.appear_in_store(place, list, summary)?,
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

/// A table whose parts exist, but not under their final names yet.
struct PendingTable<'p> {
    /// The lines of the shards, in order.
    shards: Vec<ShardLine>,
    counting: Counting,
    sources: Vec<CountedInput>,
    subtracted: Vec<CountedInput>,
    parts: &'p Parts,
    /// The number of buckets that were searched for copies of games, and the number of chunks; `None` if
    /// copies are counted.
    copies: Option<(u32, u32)>,
}

impl<'p> PendingTable<'p> {
    /// Prepares the table, the list of rejected games, and the summary of the count.
    fn new(
        (shards, counted): (Vec<ShardLine>, CountedGames),
        parts: &'p Parts,
        run: &RunOptions,
    ) -> Result<(Self, Option<Prepared>, Summary)> {
        let CountedGames { counting, from } = counted;
        let (sources, subtracted) = (Vec::new(), Vec::new());
        let table = Self { shards, counting, sources, subtracted, parts, copies: None };
        match from {
            GamesOrigin::Tables { sources, subtracted } => {
                Ok((Self { sources, subtracted, ..table }, None, Summary::new()))
            }
            GamesOrigin::Inputs { plan, inputs, warnings, listed, copies } => {
                check_inputs(plan, &inputs)?;
                let copies = copies.map(|buckets| (buckets, plan.chunks));
                let list = listed.map(|listed| rejects::prepare(&listed, parts, run)).transpose()?;
                let (list, summary) = judge(summarise(&inputs, warnings, copies.map(|_| 0)), list, run)?;
                let sources = summary.inputs.iter().map(InputReport::source).collect();
                Ok((Self { sources, copies, ..table }, list, summary))
            }
        }
    }

    /// Writes the fingerprints of the games, if copies were left out.
    fn fingerprints(
        &self,
        out: impl FnOnce() -> table::Result<FingerprintsWriter>,
    ) -> Result<Option<FingerprintsInfo>> {
        let dedup_games = DedupGames::Exact.to_string();
        let write = |of| copies::write_fingerprints(self.parts, of, &dedup_games, out()?);
        self.copies.map(write).transpose()
    }

    /// Gives all parts their final names in a table, adds a manifest, and puts the table in place.
    fn appear(
        self,
        output: &Path,
        list: Option<Prepared>,
        run: &RunOptions,
        summary: Summary,
    ) -> Result<Summary> {
        let lock = run.lock(output)?;
        let counting = self.counting.clone();
        let writer = TableWriter::create(output, counting, self.shards[0].of, run.force)?;
        for line in &self.shards {
            let Place::Folder(path) = &line.path else { return Err(elsewhere(line)) };
            writer.adopt(&line.part, path)?;
        }
        let fingerprints = self.fingerprints(|| writer.fingerprints())?;
        let writer = writer.with_fingerprints(fingerprints);
        let parts = self.shards.into_iter().map(|line| line.part).collect();
        let (_, prepared) = writer.prepare_with(parts, self.sources, self.subtracted)?;
        let outputs = [prepared].into_iter().chain(list).collect();
        Run { summary, outputs, locks: vec![lock], ..Run::default() }.publish()
    }

    /// Writes the manifest for parts that already have their final names.
    fn appear_in_store(
        self,
        place: &StoredPlace<'_>,
        list: Option<Prepared>,
        mut summary: Summary,
    ) -> Result<Summary> {
        if let Some(line) = self.shards.iter().find(|line| !place.has(&line.path)) {
            return Err(elsewhere(line));
        }
        let folder = tempfile::tempdir().map_err(FileFault::of("write in", &std::env::temp_dir()))?;
        let fingerprints = self.fingerprints(|| FingerprintsWriter::create(folder.path()))?;
        if fingerprints.is_some() {
            let name = &self.shards[0].part.part;
            let [from, to] = ["", name].map(fingerprints_name);
            store::put_file(&folder.path().join(from), &place.url.join(&to)?)?;
        }
        let parts: Vec<_> = self.shards.into_iter().map(|line| line.part).collect();
        let sources = (self.sources, self.subtracted);
        let (manifest, text) = Manifest::sealed(self.counting, parts, sources, fingerprints);
        place.publish((&manifest, text))?;
        summary.outputs.push(place.url.to_string());
        publish(list, summary)
    }
}

fn elsewhere(line: &ShardLine) -> Error {
    let path = &line.path;
    lines_error(format!("the part file {path} is not in the place where the table will be written"))
}

/// Checks part files against their lines: their lengths, the numbers of rows in their footers and, if
/// `whole`, their checksums.
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

/// Refuses a line if it names a file that this count does not use for the shard, or if it gives the file a
/// wrong name in the table. Without this check, a line could name any file.
fn check_place(line: &ShardLine, parts: &Parts) -> Result<()> {
    let ShardLine { shard, path, part, job, .. } = line;
    if !parts.holds((job, *shard), path) {
        let place = parts.place();
        return Err(lines_error(format!(
            "{path} is not a part of shard {shard} of this count, whose parts are in {place}"
        )));
    }
    let name = parts.name_in_table(*shard, job);
    if part.part != name {
        let got = &part.part;
        return Err(lines_error(format!("the file of shard {shard} must be named {name}, not {got}")));
    }
    Ok(())
}

/// Makes the summary for these inputs, as a count on one machine would.
fn summarise(inputs: &[InputTotals], warnings: Vec<String>, copies: Option<u64>) -> Summary {
    let mut summary = Summary { copies, ..Summary::new() };
    let effect = if copies.is_some() { "are copies" } else { "are counted more than once" };
    for totals in inputs {
        let input = totals.report();
        let same = summary.inputs.iter().find(|other| other.xxh3 == input.xxh3);
        let same = same.map(|other| {
            let (name, other) = (&input.name, &other.name);
            format!("{name} has the same contents as {other}, so its games {effect}")
        });
        summary.warnings.extend(same);
        summary.add_input(input);
        summary.cut += totals.status.cut;
        summary.observations += totals.observations;
        summary.runs += totals.runs;
        summary.bytes_spilled += totals.bytes_spilled;
    }
    summary.warnings.extend(warnings);
    summary
}

/// Refuses inputs that are not the ones in the plan.
fn check_inputs(plan: PlanId, inputs: &[InputTotals]) -> Result<()> {
    let digest = digest_of(inputs.iter().map(|input| input.digest));
    let chunks: u64 = inputs.iter().map(|input| u64::from(input.chunks)).sum();
    if (digest, chunks) == (plan.digest, u64::from(plan.chunks)) {
        return Ok(());
    }
    Err(lines_error(format!("the inputs listed in the line of shard 0 differ from those of the plan {plan}")))
}

/// Puts the list of rejected games in place, if there is one.
fn publish(list: Option<Prepared>, summary: Summary) -> Result<Summary> {
    let outputs = list.into_iter().collect();
    Run { summary, outputs, ..Run::default() }.publish()
}

/// Fails if no game was counted (unless that is allowed) or, in a strict run, if any game was rejected. In
/// the second case, the list of rejected games is put in place first.
fn judge(summary: Summary, list: Option<Prepared>, run: &RunOptions) -> Result<(Option<Prepared>, Summary)> {
    let Summary { games, accepted, filtered, rejected, inputs, .. } = &summary;
    let rejected_games = summary.rejected_games();
    if *accepted == 0 && !run.allow_empty {
        let (passed_over, rejected) = (filtered.clone(), rejected.clone());
        let status = InputStatus { games: *games, passed_over, rejected, ..InputStatus::default() };
        let inputs = inputs.iter().map(|input| input.name.clone()).collect();
        return Err(EmptyCount::of("game", inputs, status).into());
    }
    if rejected_games > 0 && run.strict {
        let is_listed = list.is_some();
        let summary = Box::new(publish(list, summary)?);
        return Err(StrictError { rejected: rejected_games, is_listed, summary }.into());
    }
    Ok((list, summary))
}
