//! `tabia build`.

use std::path::PathBuf;

use clap::{Arg, Args};
use count::{ExampleSettings, Sorting};
use games::{ReadGames, Replay};
use pipeline::{
    recipe::{
        Plan,
        builtin::{self, BuildOutputs, Games},
    },
    stages::{Compact, ExportParquet, ExportPolyglot, SortMerge, Weighing},
};
use teach::{LearnCrafty, RecordOptions};

use crate::{
    args::{BookSideArgs, ResumeArgs, RunArgs},
    execute::execute_plan,
    help::{Short, examples},
};

/// If `arg` has an effect only together with another flag, such as `--polyglot` or `--learn`, makes it
/// require that flag.
fn of_other_outputs(arg: Arg) -> Arg {
    match arg.get_id().as_str() {
        "weight" | "counts_only" | "drop_unscored" | "policy" | "settings" | "learn_field" | "header" => {
            arg.requires("polyglot")
        }
        "family" | "own_player" | "dedup" | "result_records" => arg.requires("learn"),
        "from_start" => arg.requires("line"),
        _ => arg,
    }
}

#[derive(Args)]
#[command(add = Short("output polyglot table min-elo player since speed max-ply min-games min-score color rejects force"))]
#[command(after_help = examples("\
tabia build games.pgn.zst -o book.tabia
tabia build dump.pgn.zst --min-elo 2400 --max-ply 40 --min-games 5 -o book.tabia --polyglot book.bin
tabia build *.pgn --color white --min-score 0.45 -o white.tabia   the moves of White's repertoire
tabia build lines.pgn --repertoire -o lines.tabia   prepared lines with their marks, not games
tabia build games.pgn -o book.tabia --table games.table --dry-run   shows what would be done"))]
#[command(mut_args(of_other_outputs))]
pub(crate) struct BuildArgs {
    #[command(flatten)]
    read: ReadGames,
    #[command(flatten)]
    replay: Replay,
    #[command(flatten)]
    sorting: Sorting,
    #[command(flatten)]
    examples: ExampleSettings,
    #[command(flatten)]
    book: Compact,
    #[command(flatten)]
    book_side: BookSideArgs,
    /// Also keep the table
    #[arg(long, value_name = "DIR", help_heading = "Outputs")]
    table: Option<PathBuf>,
    /// Also write a Polyglot book
    #[arg(long, value_name = "FILE", help_heading = "Outputs")]
    polyglot: Option<PathBuf>,
    /// Also write all counts as Parquet, as `export parquet` does
    #[arg(long, value_name = "DIR", help_heading = "Outputs")]
    parquet: Option<PathBuf>,
    #[command(flatten)]
    weighing: Weighing,
    /// Crafty's records (book.lrn, position.lrn) to replay over the book: files, folders or globs
    #[arg(long, value_name = "LRN", num_args = 1.., help_heading = "How records are interpreted")]
    learn: Vec<String>,
    #[command(flatten)]
    records: RecordOptions,
    #[command(flatten)]
    resume: ResumeArgs,
    #[command(flatten)]
    run: RunArgs,
}

/// `tabia build`.
pub(crate) fn build(args: &BuildArgs) -> anyhow::Result<()> {
    let games = Games { read: args.read.clone(), replay: args.replay.clone() };
    let names_a_player = args.replay.options.filters.player.is_some();
    let mut book = args.book.clone();
    args.book_side.set_side(&mut book.keep, names_a_player)?;
    let (output, sorting) = (args.table.clone(), args.sorting.clone());
    let tally = SortMerge { output, sorting, examples: args.examples, ..SortMerge::default() };
    let learn = || LearnCrafty {
        paths: args.learn.clone(),
        records: args.records.clone(),
        long_window: args.read.options.long_window,
        ..LearnCrafty::default()
    };
    let polyglot = |output| ExportPolyglot { output, weighing: args.weighing.clone() };
    let outputs = BuildOutputs {
        learn: (!args.learn.is_empty()).then(learn),
        polyglot: args.polyglot.clone().map(polyglot),
        parquet: args.parquet.clone().map(|output| ExportParquet { output, ..ExportParquet::default() }),
    };
    let resume = args.resume.resume.then(|| book.output.clone()).flatten();
    let recipe = builtin::build(games, tally, book, outputs, args.run.limits());
    execute_plan(&Plan::new(&recipe)?, &args.run, resume)
}
