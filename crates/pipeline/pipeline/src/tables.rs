//! Adds games to a table and subtracts games from it, in place.

mod error;
mod line;

use std::{
    path::Path,
    sync::atomic::{AtomicBool, Ordering::Relaxed},
    time::Instant,
};

use count::{ExampleSettings, Sorting, examples_warning, show_rows};
use fault::FileFault;
use games::{Dedup, DedupGames, EmptyCount, ReadGames, ReadOptions, Replay};
use output::{LockError, Prepared, folder_of};
use pgn::{
    filter::Dimension,
    replay::{CountingOptions, ReplayOptions, TextOptions},
};
use position::Spelling;
use query::Artefact;
use run::{Collisions, Error, InputStatus, Limits, Result, Run, RunError, RunOptions, Summary};
use table::{Counting, JoinOptions, Table};

use self::error::ChangeError;
use crate::{
    recipe::{
        Plan,
        builtin::{self, Games},
        prepare,
    },
    stages::SortMerge,
};

/// How a table is changed.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum TableChange {
    /// Games are added.
    Add,
    /// Games are subtracted.
    Subtract,
}

/// Counts games with the options of the table at `path`, then adds them to the table or subtracts them from
/// it. If the only input is another table, all of its counts are added or subtracted.
///
/// # Errors
///
/// Fails if the count or the change fails, or if `dedup` is given but differs from the setting with which the
/// table was counted. The table is then unchanged.
pub fn change(
    path: &Path,
    change: TableChange,
    (games, dedup): (Games, Option<DedupGames>),
    limits: &Limits,
    run: RunOptions,
) -> Result<Summary> {
    check_change(path, &games, limits)?;
    // The lock is taken before the table is read. Otherwise, another command could change the table after it
    // was read, and that change would be lost.
    let lock = run.lock(path)?;
    let table = Artefact::open(path)?.into_table()?;
    let dedup = dedup_of(&table, dedup)?;
    // Games being subtracted are in the table already, so only games being added are compared with it.
    let held_by = (change == TableChange::Add && !dedup.is_off()).then(|| path.to_owned());
    let dedup = Dedup { dedup_games: dedup, held_by };
    let (force, allow_empty) = (run.force, run.allow_empty);
    let (stop, progress) = (run.interrupt.clone(), run.progress.clone());
    let (more, mut counted, _more_folder) = match games.read.paths.as_slice() {
        [other] if table::is_table(Path::new(other)) => {
            let nothing = Run { summary: Summary::new(), ..Run::default() };
            (Table::open(Path::new(other))?, nothing, None)
        }
        _ => {
            let (more, counted, more_folder) = count_like(&table, (games, dedup), limits, run)?;
            (more, counted, Some(more_folder))
        }
    };
    if more.manifest().games == 0 && !allow_empty {
        let inputs = vec![more.path().display().to_string()];
        return Err(EmptyCount::of("game", inputs, InputStatus::default()).into());
    }
    if change == TableChange::Add && !force {
        refuse_counted(&table, &more)?;
    }
    let start = Instant::now();
    progress.enter("rewriting the table", 0);
    progress.bytes_done.store(0, Relaxed);
    progress.bytes_total.store(table.manifest().rows + more.manifest().rows, Relaxed);
    let shown = |rows| show_rows(&progress, rows);
    let threads = limits.threads();
    let options = JoinOptions { threads, force, stop: &stop, progress: &shown, ..JoinOptions::default() };
    let (changed, prepared) = match change {
        TableChange::Add => table::prepare_add(&table, &more, &options)?,
        TableChange::Subtract => table::prepare_subtract(&table, &more, &options)
            .or_else(|error| Err(too_few(error, &more, &stop)?))?,
    };
    counted.summary.warnings.extend(examples_warning(&[&table, &more], &changed));
    counted.outputs.insert(0, prepared);
    counted.locks.push(lock);
    counted.summary.edges = changed.manifest().rows;
    counted.summary.add_seconds("rewrite", start);
    counted.publish()
}

/// Returns the rule by which copies of games were left out when the table was counted. Fails if the user
/// asked for another rule.
fn dedup_of(table: &Table, asked: Option<DedupGames>) -> Result<DedupGames> {
    let counted = match &table.manifest().fingerprints {
        Some(info) => info.dedup_games.parse().unwrap_or_default(),
        None => DedupGames::Off,
    };
    match asked {
        Some(asked) if asked != counted => {
            Err(ChangeError::OtherDedup { table: table.path().into(), expected: counted, got: asked }.into())
        }
        _ => Ok(counted),
    }
}

/// Makes the error of a subtraction readable: the new error gives the position and the move instead of the
/// key.
fn too_few(error: table::Error, more: &Table, stop: &AtomicBool) -> Result<Error> {
    Ok(match error {
        table::Error::BelowZero { path, key, mv, expected, got } => {
            ChangeError::TooFewGames { path, place: line::place(more, (key, mv), stop)?, expected, got }
                .into()
        }
        table::Error::RatingsBelowZero { path, key, mv, .. } => {
            ChangeError::OtherRatings { path, place: line::place(more, (key, mv), stop)? }.into()
        }
        other => other.into(),
    })
}

/// Refuses to change a table if its folder contains an input, the list of rejected games or the folder for
/// temporary files.
fn check_change(table: &Path, games: &Games, limits: &Limits) -> Result<()> {
    let rejects = games.replay.list.rejects.as_deref();
    let reads: Vec<&Path> = games.read.paths.iter().map(Path::new).collect();
    let writes: Vec<&Path> = [table].into_iter().chain(rejects).collect();
    Ok(Collisions::of(&writes).check(&reads, limits.temp_dir.as_deref())?)
}

/// Refuses sources that the table already counts.
fn refuse_counted(table: &Table, more: &Table) -> Result<()> {
    match more.manifest().sources.iter().find(|source| table.manifest().holds(source)) {
        None => Ok(()),
        Some(source) => Err(ChangeError::AlreadyCounted {
            table: table.path().into(),
            name: source.name.clone(),
            identity: source.identity(),
        }
        .into()),
    }
}

/// Counts games into a temporary table, with the options of `table`. The new table is made in the folder for
/// temporary files or, if none is set, next to `table`. It is deleted when the returned [`Prepared`] is
/// dropped.
fn count_like(
    table: &Table,
    (games, dedup): (Games, Dedup),
    limits: &Limits,
    run_options: RunOptions,
) -> Result<(Table, Run, Prepared)> {
    let folder = limits.temp_dir.as_deref().unwrap_or(folder_of(table.path()));
    // This table is never published. Its name contains the process id, so that two commands that run at the
    // same time do not share it.
    let output = folder.join(format!(".tabia-{}.table", std::process::id()));
    let shards = table.shards().len() as u32;
    let whole_hash = table.manifest().needs_whole_hashes();
    let read = ReadGames { options: ReadOptions { whole_hash, ..games.read.options }, ..games.read };
    let games = Games { read, replay: Replay { dedup, ..replay_like(table.counting(), games.replay)? } };
    let sorting = Sorting { shards, ..Sorting::default() };
    // In the new table, every row gets examples, because these examples must later be added to the examples
    // of the user's table or removed from them.
    let per_row = table.manifest().examples.as_ref().map(|info| info.rule.per_row);
    let examples = ExampleSettings { examples: per_row, examples_min_games: 1 };
    let tally = SortMerge { output: Some(output.clone()), sorting, examples, ..SortMerge::default() };
    let plan = Plan::new(&builtin::count(games, tally, limits.clone()))?;
    let mut counted = prepare(&plan, run_options).map_err(|error| renamed(error, &output, table.path()))?;
    let is_more = |prepared: &Prepared| prepared.path() == output;
    let Some(at) = counted.outputs.iter().position(is_more) else {
        unreachable!("the recipe writes a table")
    };
    let more = counted.outputs.remove(at);
    Ok((Table::open(more.temporary_path())?, counted, more))
}

/// Replaces the path of the temporary table in an error with that of the user's table.
fn renamed(mut error: Error, temporary: &Path, given: &Path) -> Error {
    let path = if let Some(fault) = error.downcast_mut::<FileFault>() {
        Some(&mut fault.path)
    } else if let Some(LockError::Io { output, .. }) = error.downcast_mut() {
        Some(output)
    } else if let Some(table::Error::Io { path, .. }) = error.downcast_mut() {
        Some(path)
    } else {
        None
    };
    if let Some(path) = path.filter(|path| *path == temporary) {
        given.clone_into(path);
    }
    error
}

/// Settings for a replay that counts games as `counting` specifies and filters them as `filters` does.
fn replay_like(counting: &Counting, filters: Replay) -> Result<Replay> {
    let groups = counting.groups;
    if groups.player_color {
        return Err(RunError::GroupedByPlayer.into());
    }
    let by = [
        (groups.speed, Dimension::Speed),
        (groups.rating_band, Dimension::RatingBand),
        (groups.month, Dimension::Month),
    ];
    let line = counting.line.as_ref().and_then(|line| line.parse().ok());
    let counting = CountingOptions {
        max_ply: counting.max_ply,
        repeats: counting.repeats,
        illegal_move: counting.illegal_move,
        from_position: counting.from_position,
        root: counting.root.filter(|_| line.is_none()),
        line,
        fen: None,
        by: by.into_iter().filter(|(used, _)| *used).map(|(_, dimension)| dimension).collect(),
        ratings: counting.ratings,
        unknown_result: counting.unknown_result,
        text: TextOptions {
            strict_san: counting.spelling == Spelling::Strict,
            result_from: counting.result_from,
        },
        repertoire: counting.repertoire,
    };
    Ok(Replay { options: ReplayOptions { counting, ..filters.options }, ..filters })
}
