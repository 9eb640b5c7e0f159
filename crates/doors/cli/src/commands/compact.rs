//! `tabia compact`.

use std::path::PathBuf;

use clap::Args;
use pipeline::{recipe::builtin, stages::Compact};

use crate::{
    args::TableRunArgs,
    execute::execute,
    help::{Short, examples},
};

#[derive(Args)]
#[command(add = Short("output experience min-games min-score min-share color top promote force"))]
#[command(after_help = examples("\
tabia compact games.table -o book.tabia --min-games 5
tabia compact games.table --experience x.experience.parquet -o book.tabia --color white
tabia compact games.table -o small.tabia --top 3 --min-share 0.05"))]
pub(crate) struct CompactArgs {
    /// The table
    table: PathBuf,
    /// Experience files to add to the book, the newest last
    #[arg(long, value_name = "FILE", num_args = 1..)]
    experience: Vec<PathBuf>,
    #[command(flatten)]
    book: Compact,
    #[command(flatten)]
    run: TableRunArgs,
}

/// `tabia compact`.
pub(crate) fn compact(args: &CompactArgs) -> anyhow::Result<()> {
    let CompactArgs { table, experience, book, run } = args;
    execute(&builtin::compact(table.clone(), experience, book.clone(), run.limits()), run)
}
