//! `tabia count`, `tabia add` and `tabia subtract`: count games into a table, add games to it, or subtract
//! them.

use std::path::PathBuf;

use clap::Args;
use count::{ExampleSettings, Sorting};
use games::{Dedup, DedupGames, ReadGames, ReadOptions, RejectList, Replay};
use pgn::filter::Filters;
use pipeline::{
    recipe::{
        Plan,
        builtin::{self, Games},
    },
    stages::SortMerge,
    tables::{self, TableChange},
};

use crate::{
    args::{ChangeRunArgs, ResumeArgs, RunArgs, with_help},
    execute::{execute_plan, refuse_two_on_stdout, run_and_report},
    help::{Short, examples},
};

#[derive(Args)]
#[command(add = Short("output max-ply by ratings min-elo speed player dedup-games rejects memory force"))]
#[command(after_help = examples("\
tabia count 2023/*.pgn.zst -o games.table
tabia count lichess.pgn.zst --by speed,rating-band -o lichess.table   counts by speed and rating
tabia count games.pgn --line \"1. e4 c5\" --max-ply 30 -o sicilian.table   30 plies after 1.e4 c5
tabia count games.pgn --player \"Carlsen, Magnus\" --by player-color -o carlsen.table
tabia count huge.pgn.zst --memory 4GiB --resume -o huge.table   continues after a kill"))]
pub(crate) struct CountArgs {
    #[command(flatten)]
    read: ReadGames,
    #[command(flatten)]
    replay: Replay,
    /// The table to write
    #[arg(short, long, value_name = "DIR", help_heading = "Outputs")]
    output: PathBuf,
    #[command(flatten)]
    sorting: Sorting,
    #[command(flatten)]
    examples: ExampleSettings,
    #[command(flatten)]
    resume: ResumeArgs,
    #[command(flatten)]
    run: RunArgs,
}

/// `tabia count`.
pub(crate) fn count(args: &CountArgs) -> anyhow::Result<()> {
    let resume = args.resume.resume.then(|| args.output.clone());
    let output = Some(args.output.clone());
    let tally =
        SortMerge { output, sorting: args.sorting.clone(), examples: args.examples, ..SortMerge::default() };
    let games = Games { read: args.read.clone(), replay: args.replay.clone() };
    let recipe = builtin::count(games, tally, args.run.limits());
    execute_plan(&Plan::new(&recipe)?, &args.run, resume)
}

#[derive(Args)]
#[command(mut_args(with_help("force", FORCE)))]
pub(crate) struct ChangeArgs {
    /// The table to change
    table: PathBuf,
    #[command(flatten)]
    games: AddedGameArgs,
    #[command(flatten)]
    run: ChangeRunArgs,
}

/// What `--force` does.
const FORCE: &str = "Replace an existing list of rejected games; with `add`, also count sources that are already in the table";

/// Games that are counted with the settings of an existing table.
#[derive(Args)]
pub(crate) struct AddedGameArgs {
    /// PGN files, folders or globs, or one table; `-` is standard input
    #[arg(required = true, value_name = "PGN")]
    paths: Vec<String>,
    #[command(flatten)]
    options: ReadOptions,
    #[command(flatten)]
    filters: Filters,
    /// Leave out copies of games; fails if the table was counted with another value of this flag
    #[arg(long, value_name = "off|exact|truncated", help_heading = "Which games count")]
    dedup_games: Option<DedupGames>,
    #[command(flatten)]
    list: RejectList,
}

impl AddedGameArgs {
    fn games(&self) -> Games {
        let read = ReadGames { paths: self.paths.clone(), options: self.options.clone() };
        let (options, list) = (self.filters.clone().into(), self.list.clone());
        Games { read, replay: Replay { options, dedup: Dedup::default(), list } }
    }
}

/// `tabia add`.
pub(crate) fn add(args: &ChangeArgs) -> anyhow::Result<()> {
    change(args, TableChange::Add)
}

/// `tabia subtract`.
pub(crate) fn subtract(args: &ChangeArgs) -> anyhow::Result<()> {
    change(args, TableChange::Subtract)
}

fn change(args: &ChangeArgs, change: TableChange) -> anyhow::Result<()> {
    let ChangeArgs { table, games, run } = args;
    refuse_two_on_stdout(games.games().replay.list.rejects.into_iter(), run)?;
    let games = || (games.games(), games.dedup_games);
    let change_table = |options| tables::change(table, change, games(), &run.limits(), options);
    run_and_report(run, change_table)
}
