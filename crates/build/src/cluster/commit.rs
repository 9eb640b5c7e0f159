//! Puts part files together into a table: all of them, or nothing.

use std::{
    collections::BTreeMap,
    io::BufRead,
    path::{Path, PathBuf},
    time::Instant,
};

use output::{Prepared, check_file_or_folder};
use pgn::input::identity_of_blocks;
use table::{Source, Table, TableWriter};

use super::{
    Chunk, ClusterError,
    account::Account,
    chunk::plan_of,
    line::{Counted, From, ShardLine},
    parts::Parts,
};
use crate::{
    Error, Nothing, Result, RunOptions, Summary,
    recipe::{Recorded, Run},
    status::InputStatus,
    summary::InputReport,
};

/// Where a table is put together.
#[derive(Clone, Debug)]
pub struct Commit {
    /// The table that is made.
    pub output: PathBuf,
}

/// Reads the lines of all shards, lets their table appear at its place, and removes what attempts left.
///
/// # Errors
///
/// [`ClusterError::Lines`] unless the lines are those of every shard of one count, each once, and the accounts
/// of its chunks are all of its inputs; [`Error::NothingCounted`] and [`Error::Rejected`] as of a count on one
/// machine.
pub fn commit(job: &Commit, run: &RunOptions, lines: impl BufRead) -> Result<Summary> {
    let start = Instant::now();
    let output = job.output.as_path();
    check_output(output, run)?;
    let lock = run.lock(output)?;
    let (mut shards, counted) = read_lines(lines)?;
    let parts = Parts::of(output, &shards[0].job);
    let (mut summary, sources, subtracted) = match counted.from {
        From::Chunks(accounts) => {
            let summary = summarise(&accounts, run).or_else(|error| {
                // The games will not become others.
                parts.remove()?;
                Err(error)
            })?;
            let sources = summary.inputs.iter().map(InputReport::source).collect();
            (summary, sources, Vec::new())
        }
        From::Tables { sources, subtracted } => (Summary::new(), sources, subtracted),
    };
    shards.sort_by_key(|line| line.shard);
    let writer = TableWriter::create(output, counted.counting, shards[0].of, run.force)?;
    let (table, prepared) = put_together(writer, shards, sources, subtracted)?;
    summary.edges = table.manifest().rows;
    drop(table);
    summary.add_seconds("commit", start);
    let outputs = vec![prepared];
    let done = Run { summary, outputs, locks: vec![lock], recorded: Recorded::default() }.publish()?;
    parts.remove()?;
    Ok(done)
}

/// Gives all parts their names, and writes the manifest.
fn put_together(
    writer: TableWriter,
    shards: Vec<ShardLine>,
    sources: Vec<Source>,
    subtracted: Vec<Source>,
) -> Result<(Table, Prepared)> {
    for line in &shards {
        writer.adopt(&line.part, &line.path)?;
    }
    let parts = shards.into_iter().map(|line| line.part).collect();
    Ok(writer.prepare_with(parts, sources, subtracted)?)
}

/// Reads the lines; all shards of one job, each once.
fn read_lines(lines: impl BufRead) -> Result<(Vec<ShardLine>, Counted)> {
    let mut shards: BTreeMap<u32, ShardLine> = BTreeMap::new();
    let mut counted = None;
    for (line, number) in lines.lines().zip(1..) {
        let read = |source| Error::File { action: "read", path: "standard input".into(), source };
        let text = line.map_err(read)?;
        if text.trim().is_empty() {
            continue;
        }
        let mut line = ShardLine::parse(&text, number)?;
        if let Some(known) = shards.values().next()
            && (&known.job, known.of) != (&line.job, line.of)
        {
            return Err(lines_error(format!("line {number} is of another count than the first")));
        }
        counted = line.counted.take().or(counted);
        let shard = line.shard;
        if shards.insert(shard, line).is_some() {
            return Err(lines_error(format!("shard {shard} is there twice")));
        }
    }
    let of = shards.values().next().map_or(1, |line| line.of);
    if let Some(missing) = (0..of).find(|shard| !shards.contains_key(shard)) {
        return Err(lines_error(format!("shard {missing} of {of} is missing")));
    }
    match counted {
        Some(counted) if shards.len() == of as usize => Ok((shards.into_values().collect(), counted)),
        Some(_) => Err(lines_error(format!("there are more than {of} shards"))),
        None => Err(lines_error("shard 0 does not say what was counted".into())),
    }
}

fn lines_error(why: String) -> Error {
    ClusterError::Lines { why }.into()
}

/// The summary of a count of these chunks, as on one machine.
fn summarise(accounts: &[Account], run: &RunOptions) -> Result<Summary> {
    check_chunks(accounts)?;
    let mut summary = Summary::new();
    let mut by_file: Vec<&[Account]> = Vec::new();
    by_file.extend(accounts.chunk_by(|one, next| one.chunk.file == next.chunk.file));
    for of_file in by_file {
        let input = input_report(of_file);
        let same = summary.inputs.iter().find(|other| other.xxh3 == input.xxh3);
        let same = same.map(|other| {
            format!("{} holds the same bytes as {}: its games count twice", input.name, other.name)
        });
        summary.warnings.extend(same);
        summary.add_input(input);
    }
    for account in accounts {
        summary.cut += account.status.cut;
        summary.observations += account.observations;
        summary.runs += account.runs;
        summary.bytes_spilled += account.bytes_spilled;
        summary.warnings.extend(account.warnings.iter().cloned());
    }
    judge(summary, accounts, run)
}

/// Refuses chunks that are not those of a plan.
fn check_chunks(accounts: &[Account]) -> Result<()> {
    let chunks: Vec<Chunk> = accounts.iter().map(|account| account.chunk.clone()).collect();
    let plan = plan_of(&chunks);
    match chunks.iter().zip(0..).find(|(chunk, number)| chunk.plan != plan || chunk.chunk != *number) {
        None => Ok(()),
        Some((_, number)) => Err(lines_error(format!("chunk {number} is not that of the plan"))),
    }
}

/// An input, by the accounts of its chunks.
fn input_report(accounts: &[Account]) -> InputReport {
    let (mut status, mut blocks) = (InputStatus::default(), Vec::new());
    for account in accounts {
        status.add(&account.status);
        blocks.extend_from_slice(&account.blocks);
    }
    InputReport {
        name: accounts[0].chunk.file.clone(),
        bytes: accounts[0].chunk.bytes,
        xxh3: Some(format!("{:016x}", identity_of_blocks(&blocks))),
        games: status.games,
        accepted: status.accepted,
        filtered: status.passed_over,
        rejected: status.rejected,
        ..InputReport::default()
    }
}

/// Refuses a count of nothing, and rejected games where none are allowed.
fn judge(summary: Summary, accounts: &[Account], run: &RunOptions) -> Result<Summary> {
    let mut all = InputStatus::default();
    accounts.iter().for_each(|account| all.add(&account.status));
    if all.is_nothing() && !run.allow_empty {
        let inputs = summary.inputs.iter().map(|input| input.name.clone()).collect();
        return Err(Error::NothingCounted(Nothing::of("game", inputs, all).into()));
    }
    match summary.rejected_games() {
        rejected @ 1.. if run.strict => {
            Err(Error::Rejected { rejected, is_listed: false, summary: Box::new(summary) })
        }
        _ => Ok(summary),
    }
}

/// Refuses an output that a count cannot have, before anything is counted.
///
/// # Errors
///
/// [`Error::OutputExists`] and others.
pub(super) fn check_output(output: &Path, run: &RunOptions) -> Result<()> {
    let place = output::recover(output).and_then(|()| check_file_or_folder(output, run.existing()));
    place.map_err(Error::output(output))
}
