//! The commands that join tables.

use pipeline::{
    stages::{ReadGamesSettings, ReplaySettings},
    tables::{self, Change, MergeOptions},
};

use super::pipelines::{finish, with_progress};
use crate::{
    args::{ChangeArgs, MergeArgs, RunArgs},
    exit::Usage,
};

/// `tabia merge`.
pub(crate) fn merge(args: &MergeArgs) -> anyhow::Result<()> {
    refuse_dry_run(&args.run)?;
    let options = MergeOptions { drop_groups: args.drop_groups, limits: args.run.limits() };
    let report = with_progress(&args.run, |run| tables::merge(&args.tables, &args.output, &options, &run))?;
    finish(&report, &args.run)
}

/// `tabia add` and `tabia subtract`.
pub(crate) fn change(args: &ChangeArgs, change: Change) -> anyhow::Result<()> {
    let ChangeArgs { table, games, run } = args;
    refuse_dry_run(run)?;
    let read =
        ReadGamesSettings { paths: games.paths.clone(), limit: games.limit, ..ReadGamesSettings::default() };
    let filters = games.filters.replay(ReplaySettings::default());
    let report =
        with_progress(run, |options| tables::change(table, change, read, filters, &run.limits(), options))?;
    finish(&report, run)
}

pub(super) fn refuse_dry_run(run: &RunArgs) -> anyhow::Result<()> {
    if run.dry_run {
        Err(Usage("--dry-run draws recipes; this command is none".into()).into())
    } else {
        Ok(())
    }
}
