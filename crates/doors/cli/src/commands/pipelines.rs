//! The commands that are recipes.

use std::{
    fs::File,
    io::{self, Read as _, Write as _},
    path::{Path, PathBuf},
    time::Instant,
};

use anyhow::bail;
use count::KeptMoves;
use craft::LinesFormat;
use experience::{Job, Written};
use output::{Waiting, is_stdout};
use pipeline::{
    recipe::{
        Cluster, Plan, Recipe,
        builtin::{self, BuildOutputs, Games},
        run,
    },
    stages::{ExportParquet, ExportPolyglot, SortMerge},
};
use query::Artefact;
use run::{FileFormat, RunOptions, SamePath, StageError, StrictError, Summary, check_paths};
use teach::LearnCrafty;

use super::{choosing::today, lines::export_lines};
use crate::{
    args::{
        BookSideArgs, BuildArgs, CompactArgs, CountArgs, Export, ExportPolyglotArgs, FilterArgs, PlanArgs,
        RecipeArgs, ReportArgs, RunArgs,
    },
    exit::{self, Usage},
    format, progress, signal, terminal,
};

/// `tabia build`.
pub(crate) fn build(args: &BuildArgs) -> anyhow::Result<()> {
    let games = Games { read: args.read.clone(), replay: args.replay.clone() };
    let names_a_player = args.replay.options.filters.player.is_some();
    let mut book = args.book.clone();
    set_side(&mut book.keep, &args.book_side, names_a_player)?;
    let tally =
        SortMerge { output: args.table.clone(), sorting: args.sorting.clone(), ..SortMerge::default() };
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

/// Applies the former name of `--color`, and refuses `--color` where it may mean the player's.
pub(super) fn set_side(keep: &mut KeptMoves, side: &BookSideArgs, names_a_player: bool) -> Result<(), Usage> {
    if keep.color.is_some() && names_a_player {
        let text = "--color is the side the book plays; with --player, name the player's colour with --player-color \
                    and the book's side with --book-color";
        return Err(Usage(text.into()));
    }
    keep.color = keep.color.or(side.book_color);
    Ok(())
}

/// `tabia count`.
pub(crate) fn count(args: &CountArgs) -> anyhow::Result<()> {
    let resume = args.resume.resume.then(|| args.output.clone());
    let output = Some(args.output.clone());
    let tally = SortMerge { output, sorting: args.sorting.clone(), ..SortMerge::default() };
    let recipe = builtin::count(args.games(), tally, args.run.limits());
    execute_plan(&Plan::new(&recipe)?, &args.run, resume)
}

/// `tabia compact`.
pub(crate) fn compact(args: &CompactArgs) -> anyhow::Result<()> {
    let CompactArgs { table, experience, book, run } = args;
    execute(&builtin::compact(table.clone(), experience, book.clone(), run.limits()), run)
}

/// `tabia export …`.
pub(crate) fn export(what: &Export) -> anyhow::Result<()> {
    match what {
        Export::Polyglot(args) => execute(&polyglot(args)?, &args.run),
        Export::Abk(args) => super::abk::export(args),
        Export::Json(args) => super::json::export(args),
        Export::Parquet(args) => {
            let (input, parquet) = (args.input.path.clone(), args.parquet.clone());
            let recipe = builtin::export_parquet(input, &args.experience, parquet, args.run.limits());
            execute(&recipe, &args.run)
        }
        Export::Games(args) => {
            let (games, rows) = (args.games.games(), args.rows.clone());
            execute(&builtin::export_games(games, rows, args.run.limits()), &args.run)
        }
        Export::Pgn(args) => export_lines(&args.lines, LinesFormat::Pgn(args.games)),
        Export::Epd(args) => export_lines(args, LinesFormat::Epd),
        Export::Csv(args) => export_lines(args, LinesFormat::Csv),
    }
}

/// The recipe of `tabia export polyglot`: of a table, it makes a book first.
fn polyglot(args: &ExportPolyglotArgs) -> Result<Recipe, Usage> {
    let ExportPolyglotArgs { input, polyglot, keep, run } = args;
    let (path, keeps) = (input.clone(), keep.describe());
    if matches!(Artefact::open(input), Ok(Artefact::Table(_))) {
        return Ok(builtin::export_polyglot_of_table(path, keep.clone(), polyglot.clone(), run.limits()));
    }
    if !keeps.is_empty() {
        let path = path.display();
        let text = format!(
            "{keeps}: {path} is no table, and only of a table is chosen what counts and what is kept; name the table"
        );
        return Err(Usage(text));
    }
    Ok(builtin::export_polyglot(path, polyglot.clone(), run.limits()))
}

/// `tabia filter`.
pub(crate) fn filter(args: &FilterArgs) -> anyhow::Result<()> {
    let (games, files) = (args.games(), args.files.clone());
    execute(&builtin::filter(games, files, args.run.limits()), &args.run)
}

/// `tabia report`.
pub(crate) fn report(args: &ReportArgs) -> anyhow::Result<()> {
    let (input, page) = (args.input.path.clone(), args.report.clone());
    execute(&builtin::report(input, &args.experience, page, args.run.limits()), &args.run)
}

/// `tabia run`.
pub(crate) fn run_recipe(args: &RecipeArgs) -> anyhow::Result<()> {
    let mut recipe = read_recipe(&args.recipe)?;
    recipe.limits = args.run.limits().or(recipe.limits);
    if let Some(table) = &args.counted {
        recipe = recipe.after_count(table.clone()).map_err(|error| wrong_recipe(&args.recipe, &error))?;
    } else if recipe.cluster != Cluster::default() {
        exit::warn(&["[cluster] is for tabia-spark: this machine counts alone".into()]);
    }
    let plan = Plan::new(&recipe).map_err(|error| wrong_recipe(&args.recipe, &error))?;
    execute_plan(&plan, &args.run, None).map_err(|error| match error.downcast::<run::Error>() {
        // A user of a recipe knows its stages and keys, and not the flags.
        Ok(error) if error.is::<StageError>() => wrong_recipe(&args.recipe, &error).into(),
        Ok(other) => other.into(),
        Err(other) => other,
    })
}

/// `tabia plan`.
pub(crate) fn plan(args: &PlanArgs) -> anyhow::Result<()> {
    let plan = Plan::new(&read_recipe(&args.recipe)?).map_err(|error| wrong_recipe(&args.recipe, &error))?;
    Ok(write!(terminal::stdout(), "{plan}")?)
}

/// Reads a recipe.
pub(super) fn read_recipe(path: &Path) -> anyhow::Result<Recipe> {
    let text = recipe_text(path).map_err(|error| wrong_recipe(path, &error))?;
    Ok(Recipe::parse(&text).map_err(|error| wrong_recipe(path, &error))?)
}

pub(super) fn wrong_recipe(path: &Path, why: &dyn std::error::Error) -> Usage {
    Usage(format!("{}: {why}", path.display()))
}

/// The text of a recipe. A file that is too long is read to one byte more than a recipe may have.
fn recipe_text(path: &Path) -> io::Result<String> {
    let mut bytes = Vec::new();
    File::open(path)?.take(Recipe::BYTES_MAX as u64 + 1).read_to_end(&mut bytes)?;
    if bytes.len() > Recipe::BYTES_MAX {
        // The text may end within a character, and is refused because of its length.
        return Ok(String::from_utf8_lossy(&bytes).into_owned());
    }
    String::from_utf8(bytes).map_err(|_| io::Error::other("not a recipe, which is TOML in UTF-8"))
}

pub(super) fn execute(recipe: &Recipe, args: &RunArgs) -> anyhow::Result<()> {
    execute_plan(&Plan::new(recipe)?, args, None)
}

/// Runs a plan. `resume` is the output by which an interrupted run is recognised, if it is to go on.
fn execute_plan(plan: &Plan, args: &RunArgs, resume: Option<PathBuf>) -> anyhow::Result<()> {
    if args.dry_run {
        return Ok(write!(terminal::stdout(), "{plan}")?);
    }
    refuse_two_on_stdout(plan.outputs(), args)?;
    run_and_report(args, |options| run(plan, RunOptions { resume, ..options }))
}

/// Refuses a summary beside an output on standard output.
pub(super) fn refuse_two_on_stdout(
    mut outputs: impl Iterator<Item = PathBuf>,
    args: &RunArgs,
) -> Result<(), Usage> {
    if args.json && outputs.any(|path| is_stdout(&path)) {
        return Err(Usage("--json prints on standard output, so no output can be `-`".into()));
    }
    Ok(())
}

/// Has `work` write an experience file made of others, and prints the result.
pub(super) fn write_experience(
    args: &RunArgs,
    reads: &[&Path],
    output: &Path,
    work: impl FnOnce(Job<'_>) -> experience::Result<Written>,
) -> anyhow::Result<()> {
    if is_stdout(output) {
        bail!(Usage("--output: an experience file cannot be standard output: name a file".into()));
    }
    check_paths(reads, &[(output, FileFormat::Experience)], SamePath::Replaced)?;
    write_rows(args, output, work)
}

/// Has `work` write a file that can be standard output, too, and prints the result.
pub(super) fn write_rows(
    args: &RunArgs,
    output: &Path,
    work: impl FnOnce(Job<'_>) -> experience::Result<Written>,
) -> anyhow::Result<()> {
    refuse_two_on_stdout([output.to_owned()].into_iter(), args)?;
    let start = Instant::now();
    let written = with_progress(args, |run| {
        let _lock = run.lock(output)?;
        Ok(work(Job { existing: run.existing(), stop: &run.interrupt })?)
    })?;
    finish(&Summary::of_experience(written, output, start), args)
}

/// Runs `work` with Ctrl-C caught and progress shown.
pub(super) fn with_progress<T>(
    args: &RunArgs,
    work: impl FnOnce(RunOptions) -> run::Result<T>,
) -> anyhow::Result<T> {
    let waiting = if args.no_wait { Waiting::Refuse } else { Waiting::Report(progress::report_waiting) };
    let RunArgs { force, strict, allow_empty, quiet, .. } = *args;
    with_progress_unless(
        quiet,
        RunOptions { force, strict, allow_empty, waiting, ..RunOptions::default() },
        work,
    )
}

/// As [`with_progress`], for commands that take no [`RunArgs`].
pub(super) fn with_progress_unless<T>(
    quiet: bool,
    options: RunOptions,
    work: impl FnOnce(RunOptions) -> run::Result<T>,
) -> anyhow::Result<T> {
    let options = RunOptions { interrupt: signal::interrupt_flag()?, today: today(), ..options };
    let _display = progress::Display::start(&options.progress, !quiet);
    Ok(work(options)?)
}

/// Runs `work` as [`with_progress`] does, and prints what it did, even if it wrote nothing because games were
/// rejected.
pub(super) fn run_and_report(
    args: &RunArgs,
    work: impl FnOnce(RunOptions) -> run::Result<Summary>,
) -> anyhow::Result<()> {
    let run = with_progress(args, work);
    if let Err(error) = &run
        && let Some(StrictError { summary, .. }) =
            error.downcast_ref::<run::Error>().and_then(|error| error.downcast_ref())
    {
        finish(summary, args)?;
    }
    finish(&run?, args)
}

/// Prints what a command did.
pub(super) fn finish(summary: &Summary, args: &RunArgs) -> anyhow::Result<()> {
    if args.json {
        terminal::stdout().json(summary)?;
    }
    exit::warn(&summary.warnings);
    if !args.quiet {
        format::write_summary(&mut terminal::stderr(), summary)?;
    }
    Ok(())
}
