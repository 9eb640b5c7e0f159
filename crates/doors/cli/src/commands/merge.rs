//! `tabia merge`.

use std::path::PathBuf;

use books::{Factor, MergeAny, Merging, Ratio, Strategy};
use clap::Args;
use count::{MergeOptions, Shared};
use strum::VariantArray as _;

use crate::{
    args::{MergeRunArgs, one_of, with_help},
    execute::run_and_report,
    help::{Short, examples},
};

#[derive(Args)]
#[command(add = Short("output strategy weights cut-off repair drop-groups shared force"))]
#[command(after_help = examples("\
tabia merge 2022.table 2023.table -o both.table
tabia merge blitz.table masters.table --drop-groups -o all.table   sum over groups that differ
tabia merge masters.tabia engines.tabia -o both.tabia   counts and experience of finished books
tabia merge a.bin b.bin -o c.bin --strategy average --weights 2,1   Polyglot books, the first counts double
tabia merge --repair unsorted.bin -o sorted.bin   one Polyglot book, its entries sorted"))]
#[command(mut_args(with_help("force", FORCE)))]
pub(crate) struct MergeArgs {
    /// The tables, books or Polyglot books to merge, all of one kind
    #[arg(required = true, value_name = "INPUT")]
    inputs: Vec<PathBuf>,
    /// The table, book or Polyglot book to write
    #[arg(short, long, value_name = "OUTPUT", help_heading = "Outputs")]
    output: PathBuf,
    /// Sum over groups first, so that tables with different groups can be combined
    #[arg(long, help_heading = "Tables")]
    drop_groups: bool,
    /// What to do if tables counted with --dedup-games have games in common: refuse to merge them, or keep
    /// the games (each counts once per table) [default: refuse]
    #[arg(long, value_name = "refuse|keep", value_parser = one_of(Shared::VARIANTS), help_heading = "Tables")]
    shared: Option<Shared>,
    #[command(flatten)]
    polyglot: PolyglotMergeArgs,
    #[command(flatten)]
    run: MergeRunArgs,
}

/// What `--force` does.
const FORCE: &str = "Replace an existing output, and merge inputs even if they have sources in common";

/// How Polyglot books are merged.
#[derive(Args)]
#[command(next_help_heading = "Polyglot books")]
pub(crate) struct PolyglotMergeArgs {
    /// How to combine a move's weights from several books: their sum, the weight in the first book that has
    /// the position, the largest weight, or the mean [default: sum]
    #[arg(long, value_name = "sum|first|max|average", value_parser = one_of(Strategy::VARIANTS))]
    strategy: Option<Strategy>,
    /// Take weights as they are; without this flag, they are first scaled so that in each book, the weights
    /// of a position add up to 65,535
    #[arg(long)]
    no_scale: bool,
    /// Factors to multiply the books' weights by, in the order of the books
    #[arg(long, value_name = "N,N…", value_delimiter = ',')]
    weights: Vec<Factor>,
    /// Repair one book whose entries are out of order: sort them, and add up the weights of repeated moves;
    /// other weights stay as they are
    #[arg(long, conflicts_with_all = ["strategy", "no_scale", "weights", "cut_off"])]
    repair: bool,
    /// Leave out moves that have less than this share (0 to 1) of their position's merged weights
    #[arg(long, value_name = "SHARE")]
    cut_off: Option<Ratio>,
}

/// `tabia merge`.
pub(crate) fn merge(args: &MergeArgs) -> anyhow::Result<()> {
    let MergeArgs { inputs, output, drop_groups, shared, polyglot, run } = args;
    let options = MergeAny {
        tables: MergeOptions {
            shared: shared.unwrap_or_default(),
            drop_groups: *drop_groups,
            limits: run.limits(),
        },
        polyglot: Merging {
            strategy: polyglot.strategy.unwrap_or_default(),
            no_scale: polyglot.no_scale,
            factors: polyglot.weights.clone(),
            cut_off: polyglot.cut_off.unwrap_or_default(),
        },
        repair: polyglot.repair,
        for_tables: given(&[("drop-groups", *drop_groups), ("shared", shared.is_some())]),
        for_polyglot: given(&[
            ("repair", polyglot.repair),
            ("strategy", polyglot.strategy.is_some()),
            ("no-scale", polyglot.no_scale),
            ("weights", !polyglot.weights.is_empty()),
            ("cut-off", polyglot.cut_off.is_some()),
        ]),
    };
    let merge_all = |run| books::merge(inputs, output, &options, &run);
    run_and_report(run, merge_all)
}

/// Returns the names of the flags that are set.
fn given(flags: &[(&'static str, bool)]) -> Vec<&'static str> {
    flags.iter().filter(|(_, is_given)| *is_given).map(|(flag, _)| *flag).collect()
}
