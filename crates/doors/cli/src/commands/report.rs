//! `tabia report`.

use std::path::PathBuf;

use clap::Args;
use pipeline::{
    recipe::builtin,
    stages::{Open, Report},
};

use crate::{
    args::PageRunArgs,
    execute::execute,
    help::{Short, examples},
};

#[derive(Args)]
#[command(add = Short("output plies title line fen games force"))]
#[command(after_help = examples("\
tabia report games.table -o report.html
tabia report book.tabia --line \"e4 c5\" --plies 8 --title \"Sicilian\" -o sicilian.html
tabia report games.table --games games -o report.html   games of `tabia export games`: time and mistakes"))]
pub(crate) struct ReportArgs {
    #[command(flatten)]
    input: Open,
    #[command(flatten)]
    report: Report,
    /// Experience files whose values are shown beside a table's moves; a book has its own experience
    #[arg(long, value_name = "FILE", num_args = 1..)]
    experience: Vec<PathBuf>,
    #[command(flatten)]
    run: PageRunArgs,
}

/// `tabia report`.
pub(crate) fn report(args: &ReportArgs) -> anyhow::Result<()> {
    let (input, page) = (args.input.path.clone(), args.report.clone());
    execute(&builtin::report(input, &args.experience, page, args.run.limits()), &args.run)
}
