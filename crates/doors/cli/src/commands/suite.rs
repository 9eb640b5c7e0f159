//! `tabia suite`.

use std::path::PathBuf;

use clap::Args;
use pipeline::{recipe::builtin, stages::MakeSuite};

use crate::{
    args::OfTable,
    execute::execute,
    help::{Short, examples},
};

#[derive(Args)]
#[command(add = Short("output plies min-games min-share score draws lines spread compare seed force"))]
#[command(after_help = examples("\
tabia suite games.table -o suite.epd --plies 8 --min-games 100
tabia suite games.table -o balanced.epd --plies 6..16 --score 0.45..0.55 --spread even
tabia suite games.table -o unbalanced.pgn --score 0.60..0.75 --draws 0.2..0.4 --lines 2000
tabia suite book.tabia -o suite.epd --line \"e4 c5\" --compare old.epd   how much both share
tabia suite book.bin -o suite.epd --plies 8 --min-share 0.05   positions that a Polyglot book plays

docs/suites.md has what cutechess and fastchess read of a suite."))]
pub(crate) struct SuiteArgs {
    /// A table, a book or a Polyglot book
    #[arg(value_name = "FILE")]
    path: PathBuf,
    #[command(flatten)]
    suite: MakeSuite,
    /// Experience files whose values evaluate moves and positions of a table or a Polyglot book; a .tabia
    /// book has its own
    #[arg(long, value_name = "FILE", num_args = 1..)]
    experience: Vec<PathBuf>,
    #[command(flatten)]
    run: OfTable,
}

/// `tabia suite`.
pub(crate) fn suite(args: &SuiteArgs) -> anyhow::Result<()> {
    let SuiteArgs { path, suite, experience, run } = args;
    execute(&builtin::suite(path.clone(), experience, suite.clone(), run.limits()), run)
}
