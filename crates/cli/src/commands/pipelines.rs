//! The commands that are recipes.

use std::{
    fs,
    io::{self, Write as _},
    path::Path,
    sync::Arc,
};

use pipeline::{
    Plan, Progress, Recipe, Report, RunOptions, builtin,
    builtin::{Beside, Counting},
    stages::{CraftySettings, GamesSettings, ParquetSettings},
};

use crate::{
    args::{
        BuildArgs, CompactArgs, CountArgs, Export, ExportGamesArgs, ExportParquetArgs, PlanArgs, RecipeArgs,
        RunArgs,
    },
    exit::{StrictRejections, Usage},
    format, progress, signal,
};

/// `tabia build`.
pub(crate) fn build(args: &BuildArgs) -> anyhow::Result<()> {
    let counting = Counting {
        games: args.games.read_games(),
        replay: args.games.replay(),
        tally: args.games.sort_merge(args.table.clone()),
    };
    let book = args.book.settings(&args.output, args.book_color.as_deref());
    let beside = Beside {
        learned: (!args.learn.is_empty())
            .then(|| CraftySettings { paths: args.learn.clone(), ..args.records.settings() }),
        polyglot: args.polyglot.as_deref().map(|path| args.weight.settings(path)),
        parquet: args.parquet.clone().map(|output| ParquetSettings { output, ..ParquetSettings::default() }),
    };
    let recipe = builtin::build(&counting, &book, &beside, args.run.limits())?;
    execute(&recipe, &args.run)
}

/// `tabia count`.
pub(crate) fn count(args: &CountArgs) -> anyhow::Result<()> {
    let counting = Counting {
        games: args.games.read_games(),
        replay: args.games.replay(),
        tally: args.games.sort_merge(Some(args.output.clone())),
    };
    execute(&builtin::count(&counting, args.run.limits())?, &args.run)
}

/// `tabia compact`.
pub(crate) fn compact(args: &CompactArgs) -> anyhow::Result<()> {
    let book = args.book.settings(&args.output, args.color.as_deref());
    execute(&builtin::compact(args.table.clone(), &args.experience, &book, args.run.limits())?, &args.run)
}

/// `tabia export …`.
pub(crate) fn export(what: &Export) -> anyhow::Result<()> {
    match what {
        Export::Polyglot(args) => {
            let polyglot = args.weight.settings(&args.output);
            execute(&builtin::export_polyglot(args.book.clone(), &polyglot, args.run.limits())?, &args.run)
        }
        Export::Parquet(args) => export_parquet(args),
        Export::Games(args) => export_games(args),
    }
}

fn export_parquet(args: &ExportParquetArgs) -> anyhow::Result<()> {
    let settings = ParquetSettings {
        output: args.output.clone(),
        key_type: args.columns.key_type.clone(),
        month_folders: args.month_folders,
        without: args.columns.without.clone(),
        openings: args.openings.clone(),
    };
    let (input, limits) = (args.input.clone(), args.run.limits());
    let recipe = if input.is_dir() {
        builtin::export_table(input, &args.experience, &settings, limits)?
    } else if args.experience.is_empty() {
        builtin::export_book(input, &settings, limits)?
    } else {
        return Err(Usage("--experience goes with a table: a book has its own".into()).into());
    };
    execute(&recipe, &args.run)
}

fn export_games(args: &ExportGamesArgs) -> anyhow::Result<()> {
    let settings = GamesSettings {
        output: args.output.clone(),
        moves: args.moves.clone(),
        key_type: args.columns.key_type.clone(),
        without: args.columns.without.clone(),
        games_a_part: args.games_a_part,
    };
    let (games, replay) = (args.games.read_games(), args.games.replay());
    execute(&builtin::export_games((&games, &replay), &settings, args.run.limits())?, &args.run)
}

/// `tabia run`.
pub(crate) fn run_recipe(args: &RecipeArgs) -> anyhow::Result<()> {
    let mut recipe = read_recipe(&args.recipe)?;
    let asked = args.run.limits();
    recipe.limits.memory_mib = asked.memory_mib.or(recipe.limits.memory_mib);
    recipe.limits.threads = asked.threads.or(recipe.limits.threads);
    recipe.limits.temp_dir = asked.temp_dir.or(recipe.limits.temp_dir);
    execute(&recipe, &args.run)
}

/// `tabia plan`.
pub(crate) fn plan(args: &PlanArgs) -> anyhow::Result<()> {
    let plan = Plan::new(&read_recipe(&args.recipe)?)?;
    Ok(write!(io::stdout(), "{plan}")?)
}

fn read_recipe(path: &Path) -> anyhow::Result<Recipe> {
    let wrong = |why: String| pipeline::Error::Recipe(format!("{}: {why}", path.display()));
    let text = fs::read_to_string(path).map_err(|error| wrong(error.to_string()))?;
    Ok(Recipe::parse(&text).map_err(|error| wrong(error.to_string()))?)
}

pub(super) fn execute(recipe: &Recipe, args: &RunArgs) -> anyhow::Result<()> {
    let plan = Plan::new(recipe)?;
    if args.dry_run {
        return Ok(write!(io::stdout(), "{plan}")?);
    }
    let report = with_progress(args, |options| pipeline::run(&plan, options))?;
    finish(&report, args)
}

/// Runs `work` with Ctrl-C caught and progress shown.
pub(super) fn with_progress<T>(
    args: &RunArgs,
    work: impl FnOnce(RunOptions) -> pipeline::Result<T>,
) -> anyhow::Result<T> {
    with_progress_unless(args.quiet, args.force, work)
}

/// As [`with_progress`], for commands that take no [`RunArgs`].
pub(super) fn with_progress_unless<T>(
    quiet: bool,
    force: bool,
    work: impl FnOnce(RunOptions) -> pipeline::Result<T>,
) -> anyhow::Result<T> {
    let progress = Arc::new(Progress::default());
    let options = RunOptions { force, cancel: signal::cancel_flag()?, progress: Arc::clone(&progress) };
    let _display = progress::Display::start(&progress, !quiet);
    Ok(work(options)?)
}

/// Tells what a run did, and fails where `--strict` asks for it.
pub(super) fn finish(report: &Report, args: &RunArgs) -> anyhow::Result<()> {
    if args.json {
        let mut out = io::stdout().lock();
        serde_json::to_writer_pretty(&mut out, report).map_err(io::Error::from)?;
        writeln!(out)?;
    }
    let mut err = io::stderr().lock();
    for warning in &report.warnings {
        writeln!(err, "warning: {warning}")?;
    }
    if !args.quiet {
        format::write_report(&mut err, report)?;
    }
    match report.rejected_games() {
        rejected if args.strict && rejected > 0 => Err(StrictRejections(rejected).into()),
        _ => Ok(()),
    }
}
