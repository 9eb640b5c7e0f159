//! Flags of `tabia learn`.

use std::path::PathBuf;

use clap::{Arg, Args, Subcommand};
use count::KeptMoves;
use teach::{LearnAnnotations, LearnCrafty, LearnGames};

use super::{BookSideArgs, OfValues, Part, RunArgs, WholeGameArgs};

#[derive(Args)]
pub(crate) struct LearnArgs {
    #[command(subcommand)]
    pub(crate) teacher: Learn,
}

#[derive(Subcommand)]
pub(crate) enum Learn {
    /// Replay Crafty's learned PGN (book.lrn, position.lrn) over the book a table makes
    Crafty(Box<LearnCraftyArgs>),
    /// Learn from an engine's own games
    Games(Box<LearnGamesArgs>),
    /// Take the marks of annotated lines (! ? !! ?? !? ?!) as values set by hand
    Annotations(Box<LearnAnnotationsArgs>),
    /// Set values for moves by hand
    Set(LearnSetArgs),
    /// Write learned values for others
    Export(LearnExportArgs),
}

/// Where experience is written, and what it continues from.
#[derive(Args)]
#[command(next_help_heading = "Outputs")]
pub(crate) struct ExperienceArgs {
    /// The experience file to write
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,
    /// Continue from this experience
    #[arg(long = "continue", value_name = "FILE")]
    pub(crate) old: Option<PathBuf>,
}

#[derive(Args)]
#[command(mut_arg("output", |output| output.required(true)))]
pub(crate) struct LearnCraftyArgs {
    #[command(flatten)]
    pub(crate) learn: LearnCrafty,
    /// The table whose book learns
    #[arg(long, value_name = "DIR")]
    pub(crate) table: PathBuf,
    #[command(flatten)]
    pub(crate) run: RunArgs,
}

#[derive(Args)]
#[command(mut_arg("output", |output| output.required(true)))]
pub(crate) struct LearnGamesArgs {
    #[command(flatten)]
    pub(crate) games: WholeGameArgs,
    /// The table whose book the games were played from
    #[arg(long, value_name = "DIR")]
    pub(crate) table: PathBuf,
    #[command(flatten)]
    pub(crate) learn: LearnGames,
    #[command(flatten)]
    pub(crate) book_side: BookSideArgs,
    #[command(flatten)]
    pub(crate) run: RunArgs,
}

#[derive(Args)]
#[command(mut_arg("output", |output| output.required(true)))]
pub(crate) struct LearnAnnotationsArgs {
    #[command(flatten)]
    pub(crate) games: WholeGameArgs,
    /// Read the lines of a repertoire: marks in variations too, movetext without tags
    #[arg(long, help_heading = "Which games count")]
    pub(crate) repertoire: bool,
    #[command(flatten)]
    pub(crate) learn: LearnAnnotations,
    #[command(flatten)]
    pub(crate) run: RunArgs,
}

#[derive(Args)]
pub(crate) struct LearnSetArgs {
    /// The moves that lead there, in SAN or UCI, with or without move numbers; the last one is set
    #[arg(long, value_name = "MOVES", required_unless_present = "from")]
    pub(crate) line: Option<String>,
    /// Where lines begin; the start position if not given
    #[arg(long)]
    pub(crate) fen: Option<String>,
    /// 0–100, a mark (! ? !! ?? !? ?!), or clear
    #[arg(long, value_name = "VALUE", allow_hyphen_values = true)]
    #[arg(required_unless_present_any = ["priority", "from"])]
    pub(crate) value: Option<String>,
    /// Lokasoft's priority, 0 (never) to 5 (best)
    #[arg(long, value_name = "0-5")]
    pub(crate) priority: Option<u8>,
    /// Set the moves of this list instead, one a line: `e4 c5: 75, priority 4`
    #[arg(long, value_name = "FILE", conflicts_with_all = ["line", "value", "priority"])]
    pub(crate) from: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) experience: ExperienceArgs,
    #[command(flatten)]
    pub(crate) run: Part<OfValues>,
}

#[derive(Args)]
pub(crate) struct LearnExportArgs {
    #[command(subcommand)]
    pub(crate) what: LearnExport,
}

#[derive(Subcommand)]
pub(crate) enum LearnExport {
    /// Learned lines as records in the layout of Crafty's book.lrn, or positions in that of position.lrn
    Crafty(LearnExportCraftyArgs),
}

/// What a book keeps of a table matters only if there is a table.
fn of_table(arg: Arg) -> Arg {
    let keeps = ["min_games", "min_score", "min_share", "color", "top"].contains(&arg.get_id().as_str());
    if keeps { arg.requires("table") } else { arg }
}

#[derive(Args)]
#[command(mut_args(of_table))]
pub(crate) struct LearnExportCraftyArgs {
    /// The experience file
    pub(crate) file: PathBuf,
    /// The learned PGN to write; `-` is standard output
    #[arg(short, long, value_name = "FILE", help_heading = "Outputs")]
    pub(crate) output: PathBuf,
    /// The version of Crafty that the records name, from 14.4 to 20.16; readers go by it
    #[arg(long = "as", value_name = "VERSION", default_value = "15.17")]
    pub(crate) version: String,
    /// Write what position learning knows, in the layout of position.lrn; so is a file without learned moves
    #[arg(long, conflicts_with = "table")]
    pub(crate) positions: bool,
    /// The table that it was learned over; with the filters of its book the records, learned over the same
    /// again, give the same values
    #[arg(long, value_name = "DIR")]
    pub(crate) table: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) book: KeptMoves,
    #[command(flatten)]
    pub(crate) run: Part<OfValues>,
}
