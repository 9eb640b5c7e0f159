//! Flags of opening suites.

use std::path::PathBuf;

use clap::Args;
use pipeline::stages::MakeSuite;

use super::{OfTable, Part};

#[derive(Args)]
pub(crate) struct SuiteArgs {
    /// A table, a book or a Polyglot book
    #[arg(value_name = "FILE")]
    pub(crate) path: PathBuf,
    #[command(flatten)]
    pub(crate) suite: MakeSuite,
    /// Experience files whose values evaluate moves and positions of a table or a Polyglot book; a .tabia
    /// book has its own
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pub(crate) experience: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) run: Part<OfTable>,
}
