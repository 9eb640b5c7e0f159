//! Flags of comparisons.

use std::path::PathBuf;

use clap::Args;

use super::{OfDiff, Part};

#[derive(Args)]
pub(crate) struct DiffArgs {
    /// A table, a book or a Polyglot book
    pub(crate) first: PathBuf,
    /// Another one
    pub(crate) second: PathBuf,
    /// Compare shares of positions and scores of moves that have N games in both
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub(crate) min_games: u64,
    /// The largest changes to list, of each kind
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub(crate) top: usize,
    /// Write every move that differs as Parquet too
    #[arg(short, long, value_name = "FILE", help_heading = "Outputs")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) run: Part<OfDiff>,
}
