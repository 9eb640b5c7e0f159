//! Flags of exports of lines as text.

use std::path::PathBuf;

use clap::Args;
use craft::{GamesAs, LinesOptions};
use position::named_line;

use super::{OfLines, Part};
use crate::exit::Usage;

/// Which lines are exported.
#[derive(Args)]
pub(crate) struct LinesArgs {
    /// A book, a table or a Polyglot book
    pub(crate) file: PathBuf,
    /// The file to write; `-` is standard output
    #[arg(short, long, value_name = "FILE", help_heading = "Outputs")]
    pub(crate) output: PathBuf,
    /// Only lines that begin with these moves, in SAN or UCI: "e4 c5" or "1. e4 c5"
    #[arg(long, value_name = "MOVES")]
    pub(crate) line: Option<String>,
    /// Lines end after N plies from the start position
    #[arg(long, value_name = "N")]
    pub(crate) max_ply: Option<u32>,
    /// Only moves that N games played; moves of a Polyglot book have no games
    #[arg(long, value_name = "N", default_value_t)]
    pub(crate) min_games: u64,
    /// Only moves with this share of their position's games or weights, 0 to 1
    #[arg(long, value_name = "SHARE", default_value_t)]
    pub(crate) min_share: f64,
    /// The most lines: those that come up most often
    #[arg(long, value_name = "N")]
    pub(crate) lines: Option<u64>,
    #[command(flatten)]
    pub(crate) run: Part<OfLines>,
}

#[derive(Args)]
pub(crate) struct ExportPgnArgs {
    #[command(flatten)]
    pub(crate) lines: LinesArgs,
    /// One game with variations, or a game a line
    #[arg(long, value_name = "variations|lines", default_value_t)]
    pub(crate) games: GamesAs,
}

impl LinesArgs {
    /// Which lines are exported.
    pub(crate) fn options(&self) -> anyhow::Result<LinesOptions> {
        let Self { max_ply, min_games, min_share, lines, .. } = *self;
        if !(0.0..=1.0).contains(&min_share) {
            return Err(Usage(format!("--min-share: must be within 0..1, not {min_share}")).into());
        }
        if lines == Some(0) {
            return Err(Usage("--lines: must be at least 1, not 0".into()).into());
        }
        let start = named_line(None, self.line.as_deref())?;
        Ok(LinesOptions { start, max_ply, min_games, min_share, lines })
    }
}
