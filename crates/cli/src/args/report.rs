//! Flags of `tabia report`.

use std::path::PathBuf;

use clap::Args;
use pipeline::stages::ReportSettings;

use super::{PositionArgs, RunArgs};

#[derive(Args)]
pub(crate) struct ReportArgs {
    /// A table or a book
    pub(crate) input: PathBuf,
    /// The page to write, an HTML file
    #[arg(short, long, value_name = "HTML", help_heading = "Outputs")]
    pub(crate) output: PathBuf,
    /// Plies of the opening tree, 1 to 16
    #[arg(long, value_name = "N", default_value_t = ReportSettings::default().plies)]
    pub(crate) plies: u32,
    /// The page's heading
    #[arg(long, value_name = "TEXT", default_value_t = ReportSettings::default().title)]
    pub(crate) title: String,
    #[command(flatten)]
    pub(crate) position: PositionArgs,
    #[command(flatten)]
    pub(crate) run: RunArgs,
}

impl ReportArgs {
    pub(crate) fn settings(&self) -> ReportSettings {
        ReportSettings {
            output: self.output.clone(),
            plies: self.plies,
            title: self.title.clone(),
            fen: self.position.fen.clone(),
            line: self.position.line.clone(),
        }
    }
}
