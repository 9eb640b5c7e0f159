//! Arguments of `tabia export abk`.

use std::path::PathBuf;

use books::abk::UnfoldOptions;
use clap::{Args, value_parser};

use super::run::{OfArena, Part};

#[derive(Args)]
pub(crate) struct ExportAbkArgs {
    /// A book or a table
    pub(crate) file: PathBuf,
    /// The Arena book to write
    #[arg(short, long, value_name = "FILE", help_heading = "Outputs")]
    pub(crate) output: PathBuf,
    /// Lines end after N plies
    #[arg(long, value_name = "N", default_value_t = 40, value_parser = value_parser!(u32).range(1..=999))]
    max_ply: u32,
    /// Only moves that N games played
    #[arg(long, value_name = "N", default_value_t = 1)]
    min_games: u64,
    /// The most records of 28 bytes, for the lines that come up most often
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = value_parser!(u64).range(1..=RECORDS_MAX))]
    max_records: u64,
    /// Where a line comes to a position that a more common one continues, repeat N plies of it; Arena looks
    /// moves up by the line that was played
    #[arg(long, value_name = "N", default_value_t = 0)]
    repeat_plies: u32,
    /// Who made the book, as Arena shows it
    #[arg(long, value_name = "NAME", default_value = "")]
    author: String,
    #[command(flatten)]
    pub(crate) run: Part<OfArena>,
}

/// More than 50 million records would be a file that no GUI opens.
const RECORDS_MAX: u64 = 50_000_000;

impl ExportAbkArgs {
    /// Which lines the book gets.
    pub(crate) fn options(&self) -> UnfoldOptions {
        let Self { max_ply, min_games, max_records, repeat_plies, ref author, .. } = *self;
        UnfoldOptions { max_ply, min_games, max_records, repeat_plies, author: author.clone() }
    }
}
