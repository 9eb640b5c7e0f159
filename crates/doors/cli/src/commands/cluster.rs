//! `tabia cluster`: the steps of a count that several machines share.

mod plan;
mod plan_file;

use std::{
    io::{self, BufRead, BufReader, IsTerminal as _, Write as _},
    path::{Path, PathBuf},
};

use anyhow::bail;
use clap::{Arg, Args, Subcommand};
use cluster::{
    Chunk, CommitTask, CountSettings, HeldJob, MapTask, MergeTask, Pass, Place, PlanId, ReduceTask,
};
use run::{RunOptions, Summary};

use self::{
    plan::{ClusterPlanArgs, plan},
    plan_file::PlanFile,
};
use crate::{
    args::{CommitRunArgs, GatherRunArgs},
    execute::run_and_report,
    exit::{self, Usage},
    help::{Short, examples},
    signal, terminal,
};

#[derive(Subcommand)]
#[command(after_help = examples("\
tabia cluster plan lichess/*.pgn.zst -o games.table --max-ply 40   the plan, as JSON lines

`tabia-spark` starts these commands on the machines of a cluster: docs/cluster.md."))]
pub(crate) enum Cluster {
    /// Cut PGN files into chunks; print one JSON line for the whole plan, then one per chunk
    Plan(Box<ClusterPlanArgs>),
    /// Count one chunk, and write its sorted rows to stdout as an Arrow stream
    Map(Box<ClusterMapArgs>),
    /// Make the folder for part files, print one JSON line that describes it, and reserve it for this run
    /// until stdin is closed
    Hold(Box<ClusterHoldArgs>),
    /// Merge the rows of all chunks, read as Arrow streams from stdin, into part files; print one JSON line
    /// per shard
    Reduce(Box<ClusterReduceArgs>),
    /// Combine the part files of all shards into a table; a JSON line about each shard is read from stdin or
    /// from the folder of part files
    Commit(ClusterCommitArgs),
    /// Add up one shard of several tables; print the JSON line that `commit` reads
    Merge(ClusterMergeArgs),
    /// Combine the exports of all shards (`export parquet --shard N`) into one
    Gather(ClusterGatherArgs),
}

/// Settings that only work on one machine. They are hidden in the help. If a command is given such a setting,
/// it fails, and the error names the setting.
const ALONE: [&str; 1] = ["limit"];

fn hide_what_needs_one_machine(argument: Arg) -> Arg {
    let hidden = ALONE.contains(&argument.get_id().as_str());
    if hidden { argument.hide(true) } else { argument }
}

/// How games are counted: separate flags, or the one JSON object that `plan` prints.
#[derive(Args)]
pub(crate) struct SettingsArgs {
    /// All settings of the count as one JSON object, as `plan` prints them
    #[arg(long, value_name = "JSON", hide = true)]
    settings: Option<String>,
    #[command(flatten)]
    flags: CountSettings,
}

impl SettingsArgs {
    /// The settings.
    fn get(&self) -> Result<CountSettings, serde_json::Error> {
        self.settings.as_deref().map_or_else(|| Ok(self.flags.clone()), serde_json::from_str)
    }
}

#[derive(Args)]
#[command(add = Short("plan chunk plan-file task to memory threads temp-dir"))]
#[command(after_help = examples("\
tabia cluster map --plan 0011223344556677-12 --chunk \"$(sed -n 2p plan.jsonl)\" > rows.arrow
tabia cluster map --plan-file plan.jsonl --task 0 --to runs   without an engine: one file per shard"))]
#[command(mut_args(hide_what_needs_one_machine))]
pub(crate) struct ClusterMapArgs {
    /// The name of the plan, from the plan's first line
    #[arg(long, value_name = "NAME", required_unless_present = "plan_file")]
    plan: Option<PlanId>,
    /// The chunk: any line that `plan` printed, except the first
    #[arg(long, value_name = "JSON", required_unless_present = "plan_file")]
    chunk: Option<String>,
    /// A file with the whole output of `plan`, given in place of --plan, --chunk and the flags for counting
    #[arg(long, value_name = "FILE", requires = "task", conflicts_with_all = ["plan", "chunk", "settings"])]
    plan_file: Option<PathBuf>,
    /// Which chunk of --plan-file to read, by its number; the first chunk is number 0
    #[arg(long, value_name = "N", requires = "plan_file")]
    task: Option<u32>,
    /// For --dedup-games: count nothing, and write the data that `reduce --find-copies` needs to find copies
    #[arg(long)]
    find_copies: bool,
    /// Write one file per shard into this folder instead of writing to stdout; all machines must be able to
    /// read the folder
    #[arg(long, value_name = "DIR", help_heading = "Outputs")]
    to: Option<PathBuf>,
    /// The folder that `hold` made for part files and lists of copies
    #[arg(long, value_name = "DIR|URL", help_heading = "Outputs")]
    parts: Option<String>,
    /// The token that `hold` printed; the task fails unless it finds the same token in the folder
    #[arg(long, value_name = "TEXT", requires = "parts", help_heading = "Outputs")]
    token: Option<String>,
    #[command(flatten)]
    settings: SettingsArgs,
    #[command(flatten)]
    may_use: TaskArgs,
}

#[derive(Args)]
#[command(add = Short("plan output resume drop-groups"))]
#[command(after_help = examples("tabia cluster hold --plan 0011223344556677-12 -o games.table"))]
#[command(mut_args(hide_what_needs_one_machine))]
pub(crate) struct ClusterHoldArgs {
    /// The tables to add together, in place of a plan
    #[arg(value_name = "TABLE", required_unless_present = "plan", conflicts_with = "plan")]
    tables: Vec<PathBuf>,
    /// The name of the plan, from the plan's first line
    #[arg(long, value_name = "NAME")]
    plan: Option<PlanId>,
    /// The final table; the folder for part files is made beside it
    #[arg(short, long, value_name = "DIR|URL", help_heading = "Outputs")]
    output: String,
    /// Continue an earlier run of the same job: take over its folder, and keep the shards that are done
    #[arg(long, help_heading = "Outputs")]
    resume: bool,
    /// Sum over groups first, so that tables with different groups can be combined
    #[arg(long, conflicts_with = "plan")]
    drop_groups: bool,
    /// Keep only the rows of positions with at least N visits
    #[arg(long, value_name = "N", default_value_t = 0, hide = true, conflicts_with = "plan")]
    min_visits: u64,
    #[command(flatten)]
    settings: SettingsArgs,
}

#[derive(Args)]
#[command(add = Short("plan plan-file from shard attempt output memory threads temp-dir"))]
#[command(after_help = examples("\
tabia cluster reduce --plan 0011223344556677-12 --attempt a1 -o games.table < rows.arrow
tabia cluster reduce --plan-file plan.jsonl --from runs --shard 0 --attempt a1   without an engine"))]
#[command(mut_args(hide_what_needs_one_machine))]
pub(crate) struct ClusterReduceArgs {
    /// The name of the plan, from the plan's first line
    #[arg(long, value_name = "NAME", required_unless_present = "plan_file")]
    plan: Option<PlanId>,
    /// A file with the whole output of `plan`, given in place of --plan, --output and the flags for counting
    #[arg(long, value_name = "FILE", conflicts_with_all = ["plan", "output", "settings"])]
    plan_file: Option<PathBuf>,
    /// Read the rows from this folder, which `map --to` wrote, instead of from stdin
    #[arg(long, value_name = "DIR", requires = "shard")]
    from: Option<PathBuf>,
    /// Which shard in the --from folder to read, by its number; the first shard is number 0
    #[arg(long, value_name = "N", requires = "from")]
    shard: Option<u32>,
    /// Find copies among the games that `map --find-copies` wrote for all chunks, and print nothing
    #[arg(long)]
    find_copies: bool,
    /// A unique name for this attempt at these shards, made of letters, digits, `-` and `_`
    #[arg(long, value_name = "NAME")]
    attempt: String,
    /// The final table; part files are kept in a hidden folder beside it
    #[arg(
        short,
        long,
        value_name = "DIR|URL",
        required_unless_present = "plan_file",
        help_heading = "Outputs"
    )]
    output: Option<String>,
    /// The path of the folder for part files, as `hold` printed it
    #[arg(long, value_name = "DIR|URL", help_heading = "Outputs")]
    parts: Option<String>,
    #[command(flatten)]
    settings: SettingsArgs,
    #[command(flatten)]
    may_use: TaskArgs,
}

/// The resources that a task may use.
#[derive(Args)]
#[command(next_help_heading = "Running")]
pub(crate) struct TaskArgs {
    /// Worker threads
    #[arg(short = 'j', long, value_name = "N", default_value_t = 1)]
    threads: usize,
    /// Memory for sorting, such as 256MiB or 4GiB; when it is full, sorted runs spill to disk
    #[arg(long, value_name = "SIZE", default_value = "1GiB")]
    memory: run::MemoryMib,
    /// The folder for sorted runs and received records that spill to disk [default: the system's folder]
    #[arg(long, value_name = "DIR")]
    temp_dir: Option<PathBuf>,
}

impl TaskArgs {
    fn limits(&self) -> run::Limits {
        run::Limits {
            memory_mib: Some(self.memory.0),
            threads: Some(self.threads),
            temp_dir: self.temp_dir.clone(),
        }
    }
}

#[derive(Args)]
#[command(add = Short("output parts plan-file check strict force"))]
#[command(after_help = examples("\
tabia cluster commit -o games.table < lines.jsonl
tabia cluster commit --parts .games.table.0a1b2c3d.parts   a run whose driver died after the last shard"))]
pub(crate) struct ClusterCommitArgs {
    /// The table to write [default: the table for which --parts was made]
    #[arg(short, long, value_name = "DIR|URL", help_heading = "Outputs")]
    #[arg(required_unless_present_any = ["parts", "plan_file"])]
    output: Option<String>,
    /// The folder of part files; the JSON lines about them are read from it instead of from stdin
    #[arg(long, value_name = "DIR|URL", help_heading = "Outputs")]
    parts: Option<String>,
    /// A file with the whole output of `plan`; the table is made from the part files that `reduce` wrote for
    /// this plan
    #[arg(long, value_name = "FILE", conflicts_with_all = ["output", "parts"])]
    plan_file: Option<PathBuf>,
    /// First compare all bytes of the part files with their checksums; without this flag, only lengths and
    /// row counts are compared
    #[arg(long)]
    check: bool,
    #[command(flatten)]
    tasks: TasksArgs,
    #[command(flatten)]
    run: CommitRunArgs,
}

#[derive(Args)]
#[command(add = Short("shard attempt output drop-groups force"))]
#[command(after_help = examples("tabia cluster merge a.table b.table --shard 0 --attempt a1 -o c.table"))]
pub(crate) struct ClusterMergeArgs {
    /// The tables to add together
    #[arg(required = true, value_name = "TABLE")]
    tables: Vec<PathBuf>,
    /// The number of the shard, counted from 0; there are as many shards as in the first table
    #[arg(long, value_name = "N")]
    shard: u32,
    /// A unique name for this attempt at this shard, made of letters, digits, `-` and `_`
    #[arg(long, value_name = "NAME")]
    attempt: String,
    /// The final table; part files are kept in a hidden folder beside it
    #[arg(short, long, value_name = "DIR|URL", help_heading = "Outputs")]
    output: String,
    /// The path of the folder for part files, as `hold` printed it
    #[arg(long, value_name = "DIR|URL", help_heading = "Outputs")]
    parts: Option<String>,
    /// Sum over groups first, so that tables with different groups can be combined
    #[arg(long)]
    drop_groups: bool,
    /// Leave out positions with fewer than N visits; these positions do not affect a book with --min-games N,
    /// unless the book is made with --promote, --rating-weight or --from-start
    #[arg(long, value_name = "N", default_value_t)]
    min_visits: u64,
    /// Add up the tables even if they have sources in common
    #[arg(short, long)]
    force: bool,
}

#[derive(Args)]
#[command(add = Short("output force"))]
#[command(after_help = examples("\
tabia export parquet games.table --only moves --without san --shard 0 -o shards/0   each shard, after mkdir shards
tabia cluster gather shards -o moves"))]
pub(crate) struct ClusterGatherArgs {
    /// The folder with the exports of all shards, each in a folder of its own
    #[arg(value_name = "DIR")]
    parts: PathBuf,
    /// The export to write
    #[arg(short, long, value_name = "DIR", help_heading = "Outputs")]
    output: PathBuf,
    #[command(flatten)]
    tasks: TasksArgs,
    #[command(flatten)]
    run: GatherRunArgs,
}

/// The time that the job's tasks took on other machines.
#[derive(Args)]
struct TasksArgs {
    /// Seconds that the tasks took, for the summary
    #[arg(long, value_name = "S", default_value_t, hide_default_value = true)]
    spent: f64,
}

impl TasksArgs {
    fn added_to(&self, mut summary: Summary) -> Summary {
        summary.seconds.extend((self.spent > 0.0).then(|| ("tasks".to_owned(), self.spent)));
        summary
    }
}

/// `tabia cluster`.
pub(crate) fn cluster(what: &Cluster) -> anyhow::Result<()> {
    match what {
        Cluster::Plan(args) => plan(args),
        Cluster::Map(args) => map(args),
        Cluster::Hold(args) => hold(args),
        Cluster::Reduce(args) => reduce(args),
        Cluster::Commit(args) => commit(args),
        Cluster::Merge(args) => merge(args),
        Cluster::Gather(args) => {
            let gathered = |run| cluster::gather(&args.parts, &args.output, &run);
            run_and_report(&args.run, |run| Ok(args.tasks.added_to(gathered(run)?)))
        }
    }
}

fn map(args: &ClusterMapArgs) -> anyhow::Result<()> {
    let mut parts = place(args.parts.as_ref())?;
    let (chunk, settings) = if let Some(mut plan) = plan_file(args.plan_file.as_deref())? {
        let settings = plan.settings()?;
        if settings.copy_buckets() > 0 && parts.is_none() {
            parts = Some(cluster::parts_of(&plan.output()?, plan.plan(), &settings)?);
        }
        (plan.chunk(args.task.unwrap_or_default())?, settings)
    } else {
        let line = args.chunk.as_deref().unwrap_or_default();
        let chunk = Chunk::parse(line, args.plan.unwrap_or_default()).map_err(run::Error::from)?;
        (chunk, settings(&args.settings)?)
    };
    if let Some((parts, token)) = parts.as_ref().zip(args.token.as_deref()) {
        cluster::check_shared(parts, token)?;
    }
    let pass = if args.find_copies { Pass::Copies } else { Pass::Counts };
    let map = MapTask { chunk: &chunk, settings: &settings, pass, parts };
    let limits = args.may_use.limits();
    if let Some(folder) = &args.to {
        return Ok(cluster::map_to(&map, &limits, task_options()?, folder)?);
    }
    if io::stdout().is_terminal() {
        bail!(Usage("the records are binary: redirect standard output to a file or a program".into()));
    }
    let mut out = io::BufWriter::with_capacity(1 << 20, Records(terminal::binary_stdout()?));
    Ok(cluster::map(&map, &limits, task_options()?, &mut out)?)
}

fn hold(args: &ClusterHoldArgs) -> anyhow::Result<()> {
    let job = match args.plan {
        Some(plan) => HeldJob::Count(plan, Box::new(settings(&args.settings)?)),
        None => HeldJob::Merge {
            tables: args.tables.clone(),
            drop_groups: args.drop_groups,
            min_visits: args.min_visits,
        },
    };
    let held = cluster::hold(&job, &Place::new(&args.output)?, args.resume)?;
    terminal::stdout().json_line(&held.folder())?;
    // Ctrl-C also reaches the driver (the program that started this one), which ends its tasks and then
    // closes this program's input.
    signal::interrupt_flag()?;
    io::copy(&mut io::stdin().lock(), &mut io::sink())?;
    exit::warn(held.release()?.as_slice());
    Ok(())
}

fn reduce(args: &ClusterReduceArgs) -> anyhow::Result<()> {
    let (plan, settings, output) = match (plan_file(args.plan_file.as_deref())?, args.plan, &args.output) {
        (Some(plan), ..) => (plan.plan(), plan.settings()?, plan.output()?),
        (None, Some(plan), Some(output)) => (plan, settings(&args.settings)?, Place::new(output)?),
        (None, ..) => unreachable!("both are required without a file"),
    };
    let parts = place(args.parts.as_ref())?;
    let job = ReduceTask { plan, settings, output, parts, attempt: args.attempt.clone() };
    let mut print = |line: &str| {
        writeln!(terminal::stdout(), "{line}").map_err(fault::output("standard output".as_ref()))
    };
    let pass = if args.find_copies { Pass::Copies } else { Pass::Counts };
    let mut input: Box<dyn BufRead> = match args.from.as_deref().zip(args.shard) {
        Some((folder, shard)) => Box::new(cluster::streams_of(&pass.records_in(folder), shard)?),
        None => Box::new(BufReader::with_capacity(1 << 20, io::stdin().lock())),
    };
    if args.find_copies {
        return Ok(cluster::reduce_copies(&job, &args.may_use.limits(), task_options()?, &mut input)?);
    }
    Ok(cluster::reduce(&job, &args.may_use.limits(), task_options()?, &mut input, &mut print)?)
}

fn commit(args: &ClusterCommitArgs) -> anyhow::Result<()> {
    let check = args.check;
    let job = match (plan_file(args.plan_file.as_deref())?, place(args.output.as_ref())?) {
        (Some(plan), _) => CommitTask::of_count(plan.output()?, plan.plan(), &plan.settings()?, check)?,
        (None, Some(output)) => CommitTask { output, parts: place(args.parts.as_ref())?, check },
        (None, None) => {
            let Some(parts) = place(args.parts.as_ref())? else {
                unreachable!("one of the three is required")
            };
            let output = CommitTask::output_of(&parts).ok_or_else(|| {
                Usage(format!("cannot tell which table {parts} belongs to: give the table with -o"))
            })?;
            CommitTask { output, parts: Some(parts), check }
        }
    };
    let put_together = |run| {
        let summary = cluster::commit(&job, &run, &mut io::stdin().lock())?;
        Ok(args.tasks.added_to(summary))
    };
    run_and_report(&args.run, put_together)
}

fn merge(args: &ClusterMergeArgs) -> anyhow::Result<()> {
    let job = MergeTask {
        tables: args.tables.clone(),
        output: Place::new(&args.output)?,
        parts: place(args.parts.as_ref())?,
        shard: args.shard,
        attempt: args.attempt.clone(),
        drop_groups: args.drop_groups,
        min_visits: args.min_visits,
    };
    let run = RunOptions { force: args.force, ..task_options()? };
    Ok(writeln!(terminal::stdout(), "{}", cluster::merge_shard(&job, &run)?)?)
}

fn plan_file(path: Option<&Path>) -> anyhow::Result<Option<PlanFile>> {
    path.map(PlanFile::read).transpose()
}

fn place(name: Option<&String>) -> anyhow::Result<Option<Place>> {
    Ok(name.map(|name| Place::new(name)).transpose()?)
}

fn settings(args: &SettingsArgs) -> anyhow::Result<CountSettings> {
    args.get().map_err(|error| Usage(format!("--settings: {error}")).into())
}

/// Returns the options for a task. A task draws no progress bar, and it stops when a signal interrupts it.
fn task_options() -> anyhow::Result<RunOptions> {
    Ok(RunOptions { interrupt: signal::interrupt_flag()?, ..RunOptions::default() })
}

/// Standard output for records that another program must read completely. A broken pipe is an error here,
/// because it means that records are lost.
struct Records<W>(W);

impl<W: io::Write> io::Write for Records<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes).map_err(|error| io::Error::other(error.to_string()))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush().map_err(|error| io::Error::other(error.to_string()))
    }
}
