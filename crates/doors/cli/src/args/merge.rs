//! Arguments of `tabia merge`.

use std::path::PathBuf;

use books::{Factor, Ratio, Strategy};
use clap::Args;
use count::Shared;
use strum::VariantArray as _;

use super::{
    named::one_of,
    run::{OfMerge, Part},
};

#[derive(Args)]
pub(crate) struct MergeArgs {
    /// What to merge: tables, books, or Polyglot books; all of one kind
    #[arg(required = true, value_name = "INPUT")]
    pub(crate) inputs: Vec<PathBuf>,
    /// The table, book or Polyglot book to write
    #[arg(short, long, value_name = "OUTPUT", help_heading = "Outputs")]
    pub(crate) output: PathBuf,
    /// Sum over groups first, so that tables grouped differently agree
    #[arg(long, help_heading = "Tables")]
    pub(crate) drop_groups: bool,
    /// Games that several tables hold, if they were counted with --dedup-games: refuse, or keep (they count
    /// as often) [default: refuse]
    #[arg(long, value_name = "refuse|keep", value_parser = one_of(Shared::VARIANTS), help_heading = "Tables")]
    pub(crate) shared: Option<Shared>,
    #[command(flatten)]
    pub(crate) polyglot: PolyglotMergeArgs,
    #[command(flatten)]
    pub(crate) run: Part<OfMerge>,
}

/// How Polyglot books are merged.
#[derive(Args)]
#[command(next_help_heading = "Polyglot books")]
pub(crate) struct PolyglotMergeArgs {
    /// What becomes of the weights that several books give a move: their sum, those of the first book that
    /// has the position, the largest, or their mean [default: sum]
    #[arg(long, value_name = "sum|first|max|average", value_parser = one_of(Strategy::VARIANTS))]
    pub(crate) strategy: Option<Strategy>,
    /// Take weights as they are; else those of a position become shares of 65,535 in each book first
    #[arg(long)]
    pub(crate) no_scale: bool,
    /// Multiply the weights of each book by a number, in the order of the books
    #[arg(long, value_name = "N,N…", value_delimiter = ',')]
    pub(crate) weights: Vec<Factor>,
    /// Sort one book whose entries are not in order; weights stay as they are, those of repeated moves add up
    #[arg(long, conflicts_with_all = ["strategy", "no_scale", "weights", "cut_off"])]
    pub(crate) repair: bool,
    /// Leave out moves that have less than this share (0 to 1) of their position's merged weights
    #[arg(long, value_name = "SHARE")]
    pub(crate) cut_off: Option<Ratio>,
}
