//! The commands that change a table in its place.

use pipeline::tables::{self, TableChange};

use super::pipelines::{refuse_two_on_stdout, run_and_report};
use crate::args::ChangeArgs;

/// `tabia add` and `tabia subtract`.
pub(crate) fn change(args: &ChangeArgs, change: TableChange) -> anyhow::Result<()> {
    let ChangeArgs { table, games, run } = args;
    refuse_two_on_stdout(games.games().replay.list.rejects.into_iter(), run)?;
    let games = || (games.games(), games.dedup_games);
    let change_table = |options| tables::change(table, change, games(), &run.limits(), options);
    run_and_report(run, change_table)
}
