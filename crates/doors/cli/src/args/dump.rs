//! Flags of `tabia dump`.

use std::path::PathBuf;

use clap::Args;
use count::Side;

#[derive(Args)]
pub(crate) struct DumpArgs {
    /// The Polyglot book
    pub(crate) book: PathBuf,
    /// List the lines of one side; else those of both, and then the entries that are in none
    #[arg(long, value_name = "white|black")]
    pub(crate) color: Option<Side>,
    /// Print one JSON object a line or entry
    #[arg(long)]
    pub(crate) json: bool,
}
