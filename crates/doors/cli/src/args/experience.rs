//! Flags of `tabia experience`.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use position::{ExperienceKind, Lesson};

use super::{OfValues, Part, named::one_of};

#[derive(Args)]
pub(crate) struct ExperienceCommandArgs {
    #[command(subcommand)]
    pub(crate) what: ExperienceCommand,
}

#[derive(Subcommand)]
pub(crate) enum ExperienceCommand {
    /// List what is known, of which line, and from whom
    Show(ExperienceShowArgs),
    /// Merge files: learned values average, own games add up, the newest value set by hand counts
    Merge(ExperienceMergeArgs),
    /// Show what two files know differently
    Diff(ExperienceDiffArgs),
    /// Pull learned values towards zero; really bad ones (-0.80 and below) stay
    Age(ExperienceAgeArgs),
    /// Take values out again, by kind, value, source or date
    Clear(ExperienceClearArgs),
}

#[derive(Args)]
pub(crate) struct ExperienceShowArgs {
    /// An experience file
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) select: SelectArgs,
    /// Only moves that may not be played: learned at -0.80 or below, or set to value 0, priority 0, ? or ??
    #[arg(long)]
    pub(crate) unplayable: bool,
    /// Only the position after these moves, in SAN or UCI, with or without move numbers
    #[arg(long, value_name = "MOVES")]
    pub(crate) line: Option<String>,
    /// Only this position
    #[arg(long)]
    pub(crate) fen: Option<String>,
    /// Name lines by the moves of this table where what is known does not lead there
    #[arg(long, value_name = "DIR")]
    pub(crate) table: Option<PathBuf>,
    /// Show at most N rows
    #[arg(long, value_name = "N")]
    pub(crate) limit: Option<usize>,
    /// Print one JSON object a row
    #[arg(long)]
    pub(crate) json: bool,
}

/// Which values are meant.
#[derive(Args)]
pub(crate) struct SelectArgs {
    /// Only rows of this kind
    #[arg(long, value_name = "KIND", value_parser = one_of(KINDS))]
    pub(crate) kind: Option<ExperienceKind>,
    /// Only this value
    #[arg(long, value_name = "VALUE", value_parser = one_of(Lesson::ALL))]
    pub(crate) value: Option<Lesson>,
    /// Only what this source taught, as `show` names it
    #[arg(long, value_name = "NAME")]
    pub(crate) source: Option<String>,
}

/// The kinds of rows that say something of a move or a position.
const KINDS: &[ExperienceKind] = &[ExperienceKind::Book, ExperienceKind::Postbook, ExperienceKind::Position];

#[derive(Args)]
pub(crate) struct ExperienceMergeArgs {
    /// Experience files, the last one the newest
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// The experience file to write
    #[arg(short, long, value_name = "FILE", help_heading = "Outputs")]
    pub(crate) output: PathBuf,
    #[command(flatten)]
    pub(crate) run: Part<OfValues>,
}

#[derive(Args)]
pub(crate) struct ExperienceDiffArgs {
    /// An experience file
    pub(crate) first: PathBuf,
    /// Another one
    pub(crate) second: PathBuf,
}

#[derive(Args)]
pub(crate) struct ExperienceAgeArgs {
    /// The experience file
    pub(crate) file: PathBuf,
    /// What learned values are multiplied by, 0 to 1
    #[arg(long, value_name = "FACTOR")]
    pub(crate) factor: f32,
    /// The experience file to write
    #[arg(short, long, value_name = "FILE", help_heading = "Outputs")]
    pub(crate) output: PathBuf,
    #[command(flatten)]
    pub(crate) run: Part<OfValues>,
}

#[derive(Args)]
pub(crate) struct ExperienceClearArgs {
    /// The experience file
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) select: SelectArgs,
    /// Only values last taught before this day: 1998-03-01
    #[arg(long, value_name = "DATE")]
    pub(crate) before: Option<String>,
    /// Everything
    #[arg(long, conflicts_with_all = ["kind", "value", "source", "before"])]
    pub(crate) all: bool,
    /// The experience file to write
    #[arg(short, long, value_name = "FILE", help_heading = "Outputs")]
    pub(crate) output: PathBuf,
    #[command(flatten)]
    pub(crate) run: Part<OfValues>,
}
