//! Arguments of `tabia import`.

use std::{ffi::OsString, path::PathBuf};

use clap::{Args, Subcommand};

use super::run::{OfBook, Part};

#[derive(Args)]
pub(crate) struct ImportArgs {
    #[command(subcommand)]
    pub(crate) what: Import,
}

#[derive(Subcommand)]
pub(crate) enum Import {
    /// An Arena book: a table of its games, or a book with its moves and priorities
    Abk(ImportBookArgs),
    /// A ChessBase book: a table of its games, or a book with its moves, annotations and recommendations
    Ctg(ImportBookArgs),
    /// JSON lines as `export json` writes them, of either kind of book; the same text gives the same book
    Json(ImportJsonArgs),
    /// What cannot be imported, or need not be.
    #[command(external_subcommand)]
    Other(Vec<OsString>),
}

#[derive(Args)]
pub(crate) struct ImportBookArgs {
    /// The book of another program
    pub(crate) file: PathBuf,
    /// What to write: NAME.table is a table of counts, NAME.tabia a book with marks
    #[arg(short, long, value_name = "TABLE|BOOK", help_heading = "Outputs")]
    pub(crate) output: PathBuf,
    #[command(flatten)]
    pub(crate) run: Part<OfBook>,
}

#[derive(Args)]
pub(crate) struct ImportJsonArgs {
    /// The text; `-`: standard input
    #[arg(value_name = "FILE")]
    pub(crate) text: PathBuf,
    /// The book to write: what the text is of, a `.tabia` or a Polyglot book (.bin)
    #[arg(short, long, value_name = "BOOK", help_heading = "Outputs")]
    pub(crate) output: PathBuf,
    #[command(flatten)]
    pub(crate) run: Part<OfBook>,
}
