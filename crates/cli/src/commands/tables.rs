//! The commands that join tables.

use build::tables::{self, Change, MergeOptions};

use super::pipelines::{finish_run, refuse_two_on_stdout, with_progress};
use crate::args::{ChangeArgs, MergeArgs};

/// `tabia merge`.
pub(crate) fn merge(args: &MergeArgs) -> anyhow::Result<()> {
    let shared = args.shared.into();
    let options = MergeOptions { shared, drop_groups: args.drop_groups, limits: args.run.limits() };
    let merge_tables = |run| tables::merge(&args.tables, &args.output, &options, &run);
    finish_run(with_progress(&args.run, merge_tables), &args.run)
}

/// `tabia add` and `tabia subtract`.
pub(crate) fn change(args: &ChangeArgs, change: Change) -> anyhow::Result<()> {
    let ChangeArgs { table, games, run } = args;
    refuse_two_on_stdout(games.games().replay.list.rejects.into_iter(), run)?;
    let games = || (games.games(), games.dedup_games);
    let change_table = |options| tables::change(table, change, games(), &run.limits(), options);
    finish_run(with_progress(run, change_table), run)
}
