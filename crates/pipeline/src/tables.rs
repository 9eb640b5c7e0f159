//! Joining tables: merge into a new one, add to and subtract from one in its place.

use std::{
    path::{Path, PathBuf},
    sync::atomic::Ordering::Relaxed,
    time::Instant,
};

use table::{Counting, JoinOptions, Table};

use output::folder_of;

use crate::{
    Error, Limits, Plan, Progress, Report, Result, RunOptions,
    builtin::{self, Counting as Stages},
    report::peak_rss_bytes,
    run::run,
    stages::{ReadGamesSettings, ReplaySettings, SortMergeSettings},
};

/// How tables are merged.
pub struct MergeOptions {
    /// Sum over groups first.
    pub drop_groups: bool,
    /// Resources.
    pub limits: Limits,
}

/// What is done to a table.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Change {
    /// Games are counted in.
    Add,
    /// Games are taken out again.
    Subtract,
}

/// Adds tables up into a new one at `output`.
///
/// # Errors
///
/// Tables that do not agree in how they were counted, or hold the same source (unless forced), are refused by name.
pub fn merge(paths: &[PathBuf], output: &Path, options: &MergeOptions, run: &RunOptions) -> Result<Report> {
    if !run.force && output.symlink_metadata().is_ok() {
        return Err(Error::OutputExists { path: output.into() });
    }
    let mut report = Report::new();
    let mut tables: Vec<Table> = Vec::new();
    for path in paths {
        let table = Table::open(path)?;
        if tables.iter().any(|known| same_folder(known.path(), path)) {
            report.warnings.push(format!("{} was named more than once; it is read once", path.display()));
        } else {
            tables.push(table);
        }
    }
    let start = Instant::now();
    run.progress.enter("merging tables", 0);
    run.progress.bytes_total.store(tables.iter().map(|table| table.manifest().rows).sum(), Relaxed);
    let shown = |rows| show_rows(&run.progress, rows);
    let join = JoinOptions {
        threads: options.limits.threads(),
        force: run.force,
        drop_groups: options.drop_groups,
        replace: run.force,
        cancel: &run.cancel,
        progress: &shown,
        ..JoinOptions::default()
    };
    let merged = table::merge(&tables.iter().collect::<Vec<_>>(), output, &join)?;
    report.time("merge", start);
    Ok(finished(report, &merged))
}

/// Counts games as the table at `path` was counted, and adds them to it or subtracts them from it; or does so with all of
/// another table, if the only input is one.
///
/// # Errors
///
/// Whatever stops the count or the change; the table is then as it was.
pub fn change(
    path: &Path,
    change: Change,
    games: ReadGamesSettings,
    filters: ReplaySettings,
    limits: &Limits,
    run: RunOptions,
) -> Result<Report> {
    let table = Table::open(path)?;
    let force = run.force;
    let (cancel, progress) = (run.cancel.clone(), run.progress.clone());
    let (more, report, _temp) = match games.paths.as_slice() {
        [other] if Path::new(other).join(table::MANIFEST_NAME).is_file() => {
            (Table::open(Path::new(other))?, Report::new(), None)
        }
        _ => {
            let (more, report, temp) = count_like(&table, games, filters, limits, run)?;
            (more, report, Some(temp))
        }
    };
    if change == Change::Add && !force {
        refuse_counted(&table, &more)?;
    }
    let start = Instant::now();
    progress.enter("rewriting the table", 0);
    progress.bytes_done.store(0, Relaxed);
    progress.bytes_total.store(table.manifest().rows + more.manifest().rows, Relaxed);
    let shown = |rows| show_rows(&progress, rows);
    let threads = limits.threads();
    let options = JoinOptions { threads, force, cancel: &cancel, progress: &shown, ..JoinOptions::default() };
    let changed = match change {
        Change::Add => table::add(&table, &more, &options)?,
        Change::Subtract => table::subtract(&table, &more, &options)?,
    };
    let mut report = finished(report, &changed);
    report.time("rewrite", start);
    Ok(report)
}

/// Refuses sources that the table counts already.
fn refuse_counted(table: &Table, more: &Table) -> Result<()> {
    match more.manifest().sources.iter().find(|source| table.manifest().holds(&source.xxh3)) {
        None => Ok(()),
        Some(source) => Err(Error::AlreadyCounted {
            table: table.path().into(),
            name: source.name.clone(),
            xxh3: source.xxh3.clone(),
        }),
    }
}

/// Counts games into a table in a temporary folder beside `table`, with its options.
fn count_like(
    table: &Table,
    games: ReadGamesSettings,
    filters: ReplaySettings,
    limits: &Limits,
    run_options: RunOptions,
) -> Result<(Table, Report, tempfile::TempDir)> {
    let folder = limits.temp_dir.as_deref().unwrap_or(folder_of(table.path()));
    let temp = tempfile::Builder::new()
        .prefix(".tabia-")
        .tempdir_in(folder)
        .map_err(|source| Error::File { action: "write in", path: folder.into(), source })?;
    let output = temp.path().join("more.table");
    let shards = table.shards().len() as u32;
    let stages = Stages {
        games,
        replay: replay_like(table.counting(), filters)?,
        tally: SortMergeSettings { output: Some(output.clone()), shards, fan_in: None },
    };
    let plan = Plan::new(&builtin::count(&stages, limits.clone())?)?;
    let mut report = run(&plan, run_options)?;
    report.outputs.retain(|written| *written != output.display().to_string());
    Ok((Table::open(&output)?, report, temp))
}

/// Replay settings that count as `counting` says, under `filters`.
fn replay_like(counting: &Counting, filters: ReplaySettings) -> Result<ReplaySettings> {
    let groups = counting.groups;
    if groups.player_color {
        return Err(Error::Recipe(
            "the table is grouped by the colour of a player whose name it does not hold".into(),
        ));
    }
    let by = [(groups.speed, "speed"), (groups.rating_band, "rating-band"), (groups.month, "month")];
    Ok(ReplaySettings {
        max_ply: counting.max_ply,
        repeats: counting.repeats.name().into(),
        illegal_move: counting.illegal_move.name().into(),
        from_position: counting.from_position,
        root: counting.root.map(|key| key.to_string()),
        by: by.into_iter().filter(|(used, _)| *used).map(|(_, name)| name.to_owned()).collect(),
        ratings: counting.ratings,
        ..filters
    })
}

fn finished(mut report: Report, table: &Table) -> Report {
    report.edges = table.manifest().rows;
    report.outputs.push(table.path().display().to_string());
    report.peak_rss_bytes = peak_rss_bytes();
    report
}

/// Rows stand for bytes in the progress of a join: its total is in rows too.
fn show_rows(progress: &Progress, rows: u64) {
    progress.bytes_done.fetch_add(rows, Relaxed);
}

fn same_folder(a: &Path, b: &Path) -> bool {
    match (a.canonicalize(), b.canonicalize()) {
        (Ok(a), Ok(b)) => a == b,
        _ => a == b,
    }
}
