//! Arguments of `tabia cluster`.

use std::path::PathBuf;

use clap::{Arg, Args, Subcommand};
use cluster::{CountSettings, PlanId};
use run::ByteSize;

use super::{OfCommit, Part, SharedCountFlags};

#[derive(Args)]
pub(crate) struct ClusterArgs {
    #[command(subcommand)]
    pub(crate) what: Cluster,
}

#[derive(Subcommand)]
pub(crate) enum Cluster {
    /// Cut PGN files into chunks; one JSON line a chunk
    Plan(Box<ClusterPlanArgs>),
    /// Count one chunk; its sorted rows as an Arrow stream on stdout
    Map(Box<ClusterMapArgs>),
    /// Merge the rows of all chunks into part files, from Arrow streams on stdin; one JSON line a shard
    Reduce(Box<ClusterReduceArgs>),
    /// Put the part files of all shards together into a table, by their lines on stdin
    Commit(ClusterCommitArgs),
    /// Add up one shard of tables; its line for commit
    Merge(ClusterMergeArgs),
}

/// Settings that need one machine: they are refused by name, and not shown.
const ALONE: [&str; 4] = ["limit", "dedup_games", "rejects", "rejects_filtered"];

fn hide_what_needs_one_machine(argument: Arg) -> Arg {
    let hidden = ALONE.contains(&argument.get_id().as_str());
    if hidden { argument.hide(true) } else { argument }
}

/// How games are counted: flags, or all of them as `plan` prints them.
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
    pub(crate) fn get(&self) -> Result<CountSettings, serde_json::Error> {
        self.settings.as_deref().map_or_else(|| Ok(self.flags.clone()), serde_json::from_str)
    }
}

#[derive(Args)]
#[command(mut_args(hide_what_needs_one_machine))]
pub(crate) struct ClusterPlanArgs {
    /// PGN files, folders or globs, packed or plain; objects by URL (s3://, gs://, az://), a URL that ends in
    /// `/` is every PGN object below it
    #[arg(value_name = "PGN", required_unless_present = "recipe", conflicts_with = "recipe")]
    pub(crate) paths: Vec<String>,
    /// Bytes of a chunk, as stored; a file that cannot be read from its middle is one chunk [default: 1GiB]
    #[arg(long, value_name = "SIZE")]
    pub(crate) chunk: Option<ByteSize>,
    /// Take the inputs and the settings from this recipe's count; chunk and shards from its table `cluster`
    #[arg(long, value_name = "TOML")]
    pub(crate) recipe: Option<PathBuf>,
    /// The table to write in the end
    #[arg(short, long, value_name = "DIR|URL", conflicts_with = "recipe", help_heading = "Outputs")]
    pub(crate) output: Option<String>,
    #[command(flatten)]
    pub(crate) settings: CountSettings,
    /// Refused: what is counted is recorded by the machines' engine
    #[arg(long, hide = true)]
    pub(crate) resume: bool,
    #[command(flatten)]
    pub(crate) run: Part<SharedCountFlags>,
}

#[derive(Args)]
#[command(mut_args(hide_what_needs_one_machine))]
pub(crate) struct ClusterMapArgs {
    /// The chunk: a line that `plan` printed
    #[arg(long, value_name = "JSON")]
    pub(crate) chunk: String,
    #[command(flatten)]
    pub(crate) settings: SettingsArgs,
    #[command(flatten)]
    pub(crate) task: TaskArgs,
}

#[derive(Args)]
#[command(mut_args(hide_what_needs_one_machine))]
pub(crate) struct ClusterReduceArgs {
    /// The plan, by the name that its lines have
    #[arg(long, value_name = "NAME")]
    pub(crate) plan: PlanId,
    /// A name that no other attempt at these shards has: letters, digits, `-` and `_`
    #[arg(long, value_name = "NAME")]
    pub(crate) attempt: String,
    /// The table that is made in the end; part files wait in a hidden folder beside it
    #[arg(short, long, value_name = "DIR|URL", help_heading = "Outputs")]
    pub(crate) output: String,
    #[command(flatten)]
    pub(crate) settings: SettingsArgs,
    #[command(flatten)]
    pub(crate) task: TaskArgs,
}

/// What a task may use.
#[derive(Args)]
#[command(next_help_heading = "Running")]
pub(crate) struct TaskArgs {
    /// Worker threads
    #[arg(short = 'j', long, value_name = "N", default_value_t = 1)]
    pub(crate) threads: usize,
    /// Memory for sorting, as 256MiB or 4GiB; past it sorted runs spill to disk
    #[arg(long, value_name = "SIZE", default_value = "1GiB")]
    pub(crate) memory: run::MemoryMib,
    /// Where sorted runs and received records spill to [default: the system's folder]
    #[arg(long, value_name = "DIR")]
    pub(crate) temp_dir: Option<PathBuf>,
}

impl TaskArgs {
    pub(crate) fn limits(&self) -> run::Limits {
        run::Limits {
            memory_mib: Some(self.memory.0),
            threads: Some(self.threads),
            temp_dir: self.temp_dir.clone(),
        }
    }
}

#[derive(Args)]
pub(crate) struct ClusterCommitArgs {
    /// The table to write
    #[arg(short, long, value_name = "DIR|URL", help_heading = "Outputs")]
    pub(crate) output: String,
    #[command(flatten)]
    pub(crate) run: Part<OfCommit>,
}

#[derive(Args)]
pub(crate) struct ClusterMergeArgs {
    /// The tables to add up
    #[arg(required = true, value_name = "TABLE")]
    pub(crate) tables: Vec<PathBuf>,
    /// The shard, from 0; there are as many as the first table has
    #[arg(long, value_name = "N")]
    pub(crate) shard: u32,
    /// A name that no other attempt at this shard has: letters, digits, `-` and `_`
    #[arg(long, value_name = "NAME")]
    pub(crate) attempt: String,
    /// The table that is made in the end; part files wait in a hidden folder beside it
    #[arg(short, long, value_name = "DIR|URL", help_heading = "Outputs")]
    pub(crate) output: String,
    /// Sum over groups first, so that tables grouped differently agree
    #[arg(long)]
    pub(crate) drop_groups: bool,
    /// Take sources that another of the tables holds too
    #[arg(short, long)]
    pub(crate) force: bool,
}
