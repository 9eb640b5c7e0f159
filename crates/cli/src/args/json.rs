//! Arguments of `tabia export json` and `tabia import json`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::run::{OfImport, OfText, Part};

#[derive(Args)]
pub(crate) struct ExportJsonArgs {
    /// The book
    pub(crate) book: PathBuf,
    /// The text to write; `-`: standard output
    #[arg(short, long, value_name = "FILE", default_value = "-", help_heading = "Outputs")]
    pub(crate) output: PathBuf,
    #[command(flatten)]
    pub(crate) run: Part<OfText>,
}

#[derive(Args)]
pub(crate) struct ImportArgs {
    #[command(subcommand)]
    pub(crate) what: Import,
}

#[derive(Subcommand)]
pub(crate) enum Import {
    /// JSON lines as `export json` writes them; the same text gives the same book, byte for byte
    Json(ImportJsonArgs),
}

#[derive(Args)]
pub(crate) struct ImportJsonArgs {
    /// The text; `-`: standard input
    #[arg(value_name = "FILE")]
    pub(crate) text: PathBuf,
    /// The book to write
    #[arg(short, long, value_name = "BOOK", help_heading = "Outputs")]
    pub(crate) output: PathBuf,
    #[command(flatten)]
    pub(crate) run: Part<OfImport>,
}
