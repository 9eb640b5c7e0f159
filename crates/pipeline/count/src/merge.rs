//! Adds tables together to make a new one.

use std::{
    path::{Path, PathBuf},
    sync::atomic::Ordering::Relaxed,
    time::Instant,
};

use output::{check_folder, grouped};
use query::Artefact;
use run::{FileFormat, Limits, Progress, Result, Run, RunOptions, SamePath, Summary, check_paths};
use table::{JoinOptions, Shared, Table};

use crate::examples_warning;

/// How tables are merged.
#[derive(Default)]
pub struct MergeOptions {
    /// What to do with games that are counted in several tables, if the tables have fingerprints of their
    /// games.
    pub shared: Shared,
    /// Whether counts are summed over all groups, so that the new table is not grouped.
    pub drop_groups: bool,
    /// The limits of the run.
    pub limits: Limits,
}

/// Adds tables together to make a new one at `output`.
///
/// # Errors
///
/// Fails if the tables were counted differently, or if they count the same source and the merge is not
/// forced. The error names the tables.
pub fn merge(paths: &[PathBuf], output: &Path, options: &MergeOptions, run: &RunOptions) -> Result<Summary> {
    let reads: Vec<&Path> = paths.iter().map(PathBuf::as_path).collect();
    check_paths(&reads, &[(output, FileFormat::Table)], SamePath::Replaced)?;
    let place = output::recover(output).and_then(|()| check_folder(output, run.existing()));
    place.map_err(fault::output(output))?;
    let lock = run.lock(output)?;
    let mut summary = Summary::new();
    let mut tables: Vec<Table> = Vec::new();
    for path in paths {
        let table = Artefact::open(path)?.into_table()?;
        if tables.iter().any(|known| same_place(known.path(), path)) {
            let path = path.display();
            summary.warnings.push(format!("{path} was given more than once, but is read only once"));
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
        shared: options.shared,
        drop_groups: options.drop_groups,
        replace: run.force,
        stop: &run.interrupt,
        progress: &shown,
        ..JoinOptions::default()
    };
    warn_of_shared(&tables, &join, &mut summary)?;
    let tables: Vec<_> = tables.iter().collect();
    let merged = table::prepare_merge(&tables, output, &join)?;
    summary.warnings.extend(examples_warning(&tables, &merged.0));
    summary.edges = merged.0.manifest().rows;
    summary.add_seconds("merge", start);
    Run { summary, outputs: vec![merged.1], locks: vec![lock], ..Run::default() }.publish()
}

/// Warns if some games are in more than one table and are therefore counted more than once.
fn warn_of_shared(tables: &[Table], options: &JoinOptions<'_>, summary: &mut Summary) -> Result<()> {
    if options.shared == Shared::Refuse {
        return Ok(());
    }
    let shared = table::shared_games(&tables.iter().collect::<Vec<_>>(), options)?.unwrap_or(0);
    if shared > 0 {
        let games = grouped(shared);
        summary
            .warnings
            .push(format!("{games} games are in more than one table; each counts once per table"));
    }
    Ok(())
}

/// Adds `rows` to the progress. While a table is made from other tables, progress is measured in rows rather
/// than bytes.
pub fn show_rows(progress: &Progress, rows: u64) {
    progress.bytes_done.fetch_add(rows, Relaxed);
}

/// Whether two paths lead to the same place.
#[must_use]
pub fn same_place(a: &Path, b: &Path) -> bool {
    match (a.canonicalize(), b.canonicalize()) {
        (Ok(a), Ok(b)) => a == b,
        _ => a == b,
    }
}
