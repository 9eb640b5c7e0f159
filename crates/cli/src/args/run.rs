//! Flags that mean the same in every command that runs a pipeline.

use std::path::PathBuf;

use build::{Limits, MemoryMib};
use clap::Args;

#[derive(Args)]
#[command(next_help_heading = "Running")]
#[expect(clippy::struct_excessive_bools, reason = "flags of a command line")]
pub(crate) struct RunArgs {
    /// Worker threads [default: one a core]
    #[arg(short = 'j', long, value_name = "N")]
    pub(crate) threads: Option<usize>,
    /// Memory for sorting, as 256MiB or 4GiB; past it sorted runs spill to disk
    /// [default: a quarter of the machine's]
    #[arg(long, value_name = "SIZE")]
    pub(crate) memory: Option<MemoryMib>,
    /// Where sorted runs spill to [default: beside the output]
    #[arg(long, value_name = "DIR")]
    pub(crate) temp_dir: Option<PathBuf>,
    /// Replace outputs that exist; merge and add: take sources the table already holds
    #[arg(short, long)]
    pub(crate) force: bool,
    /// Fail (exit 1) if another command is writing the same table or experience file [default: wait for it]
    #[arg(long)]
    pub(crate) no_wait: bool,
    /// Write what was asked for though nothing counts, or no move is kept
    #[arg(long)]
    pub(crate) allow_empty: bool,
    /// If any game was rejected, write nothing but the list of them and fail (exit 1)
    #[arg(long)]
    pub(crate) strict: bool,
    /// Print one summary object to stdout
    #[arg(long)]
    pub(crate) json: bool,
    /// Draw what would be done and stop
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// No progress bar and no summary on stderr
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

impl RunArgs {
    pub(crate) fn limits(&self) -> Limits {
        Limits {
            memory_mib: self.memory.map(|memory| memory.0),
            threads: self.threads,
            temp_dir: self.temp_dir.clone(),
        }
    }
}

/// The flag of commands that can go on after a kill.
#[derive(Args)]
#[command(next_help_heading = "Running")]
pub(crate) struct ResumeArgs {
    /// Record in the folder for sorted runs what is counted, and go on after a kill or Ctrl-C where the same
    /// command ended; it loses what was not spilled, at most --memory
    #[arg(long)]
    pub(crate) resume: bool,
}
