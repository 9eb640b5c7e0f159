//! `tabia cluster`: the parts of a count that machines share.

use std::io::{self, BufReader, IsTerminal as _, Read as _, Write as _};

use anyhow::Context as _;
use build::{
    RunOptions,
    cluster::{self, Chunk, Commit, MergeShard, Reduce},
};
use serde_json::{Value, json};

use super::pipelines::{finish_run, with_progress};
use crate::{
    args::{
        Cluster, ClusterCommitArgs, ClusterMapArgs, ClusterMergeArgs, ClusterPlanArgs, ClusterReduceArgs,
        SettingsArgs,
    },
    exit::{self, Usage},
    signal, terminal,
};

/// Bytes of a chunk unless another size is asked for.
const CHUNK_BYTES: u64 = 1 << 30;

/// `tabia cluster`.
pub(crate) fn cluster(what: &Cluster) -> anyhow::Result<()> {
    match what {
        Cluster::Plan(args) => plan(args),
        Cluster::Map(args) => map(args),
        Cluster::Reduce(args) => reduce(args),
        Cluster::Commit(args) => commit(args),
        Cluster::Merge(args) => merge(args),
    }
}

fn plan(args: &ClusterPlanArgs) -> anyhow::Result<()> {
    if args.resume {
        return Err(Usage("--resume: needs one machine: the engine starts lost tasks again".into()).into());
    }
    let run = RunOptions { force: args.run.force, ..RunOptions::default() };
    cluster::check_count(&args.paths, &args.settings, args.output.as_deref(), &run)?;
    let chunk_bytes = args.chunk.map_or(CHUNK_BYTES, |size| size.0);
    let (chunks, warnings) = cluster::plan(&args.paths, chunk_bytes)?;
    exit::warn(&warnings);
    let flags = flags(args)?;
    let mut out = terminal::stdout();
    for chunk in chunks {
        let mut line = serde_json::to_value(&chunk)?;
        line["shards"] = args.settings.sorting.shards.into();
        line["flags"].clone_from(&flags);
        out.json_line(&line)?;
    }
    Ok(())
}

/// The flags that the other commands take for this count.
fn flags(args: &ClusterPlanArgs) -> anyhow::Result<Value> {
    let output = args.output.as_deref().map(std::path::absolute).transpose()?;
    let output =
        output.map(|path| vec!["-o".into(), path.to_string_lossy().into_owned()]).unwrap_or_default();
    let mut tasks = vec!["--settings".to_owned(), serde_json::to_string(&args.settings)?];
    if let Some(memory) = args.run.memory {
        tasks.extend(["--memory".into(), format!("{}MiB", memory.0)]);
    }
    if let Some(threads) = args.run.threads {
        tasks.extend(["--threads".into(), threads.to_string()]);
    }
    if let Some(folder) = &args.run.temp_dir {
        let folder = std::path::absolute(folder)?;
        tasks.extend(["--temp-dir".into(), folder.to_string_lossy().into_owned()]);
    }
    let reduce: Vec<&String> = tasks.iter().chain(&output).collect();
    let asked = [
        (args.run.force, "--force"),
        (args.run.no_wait, "--no-wait"),
        (args.run.allow_empty, "--allow-empty"),
        (args.run.strict, "--strict"),
        (args.run.json, "--json"),
        (args.run.quiet, "--quiet"),
    ];
    let asked = asked.into_iter().filter_map(|(is_asked, flag)| is_asked.then(|| flag.to_owned()));
    let commit: Vec<String> = output.iter().cloned().chain(asked).collect();
    Ok(json!({ "map": tasks, "reduce": reduce, "commit": commit }))
}

fn map(args: &ClusterMapArgs) -> anyhow::Result<()> {
    let chunk = Chunk::parse(&args.chunk).map_err(build::Error::from)?;
    let settings = settings(&args.settings)?;
    if io::stdout().is_terminal() {
        return Err(
            Usage("the records are binary: send standard output to a file or a program".into()).into()
        );
    }
    let out = io::BufWriter::with_capacity(1 << 20, Records(terminal::binary_stdout()?));
    Ok(cluster::map(&chunk, &settings, &args.task.limits(), task_options()?, out)?)
}

fn reduce(args: &ClusterReduceArgs) -> anyhow::Result<()> {
    let job = Reduce {
        plan: args.plan,
        settings: settings(&args.settings)?,
        output: args.output.clone(),
        attempt: args.attempt.clone(),
    };
    let input = BufReader::with_capacity(1 << 20, io::stdin().lock());
    let print = |line: &str| {
        writeln!(terminal::stdout(), "{line}").map_err(build::Error::output("standard output".as_ref()))
    };
    Ok(cluster::reduce(&job, &args.task.limits(), task_options()?, input, print)?)
}

fn commit(args: &ClusterCommitArgs) -> anyhow::Result<()> {
    super::tables::refuse_dry_run(&args.run)?;
    let job = Commit { output: args.output.clone() };
    let mut lines = String::new();
    io::stdin().read_to_string(&mut lines).context("cannot read standard input")?;
    let put_together = |run| cluster::commit(&job, &run, lines.as_bytes());
    finish_run(with_progress(&args.run, put_together), &args.run)
}

fn merge(args: &ClusterMergeArgs) -> anyhow::Result<()> {
    let job = MergeShard {
        tables: args.tables.clone(),
        output: args.output.clone(),
        shard: args.shard,
        attempt: args.attempt.clone(),
        drop_groups: args.drop_groups,
    };
    let run = RunOptions { force: args.force, ..task_options()? };
    Ok(writeln!(terminal::stdout(), "{}", cluster::merge_shard(&job, &run)?)?)
}

fn settings(args: &SettingsArgs) -> anyhow::Result<cluster::CountSettings> {
    args.get().map_err(|error| Usage(format!("--settings: {error}")).into())
}

/// A task shows no progress, and ends when it is told to.
fn task_options() -> anyhow::Result<RunOptions> {
    Ok(RunOptions { interrupt: signal::interrupt_flag()?, ..RunOptions::default() })
}

/// Standard output that another program reads to its end: if that program goes away, records are lost, and
/// the task fails.
struct Records<W>(W);

impl<W: io::Write> io::Write for Records<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes).map_err(|error| io::Error::other(error.to_string()))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush().map_err(|error| io::Error::other(error.to_string()))
    }
}
