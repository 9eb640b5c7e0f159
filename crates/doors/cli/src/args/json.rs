//! Arguments of `tabia export json`.

use std::path::PathBuf;

use clap::Args;

use super::run::{OfText, Part};

#[derive(Args)]
pub(crate) struct ExportJsonArgs {
    /// The book, a `.tabia` or a Polyglot book
    pub(crate) book: PathBuf,
    /// The text to write; `-`: standard output
    #[arg(short, long, value_name = "FILE", default_value = "-", help_heading = "Outputs")]
    pub(crate) output: PathBuf,
    #[command(flatten)]
    pub(crate) run: Part<OfText>,
}
