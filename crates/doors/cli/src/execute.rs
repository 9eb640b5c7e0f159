//! Executes recipes and other work: catches Ctrl-C, shows progress and prints the summary.

use std::{
    io::Write as _,
    path::{Path, PathBuf},
    time::Instant,
};

use anyhow::bail;
use experience::{Job, WrittenFile};
use output::{Waiting, is_stdout};
use pipeline::recipe::{self, Plan, Recipe};
use run::{FileFormat, RunOptions, SamePath, StrictError, Summary, check_paths};

use crate::{
    args::RunArgs,
    clock::today,
    exit::{self, Usage},
    format, progress, signal, terminal,
};

/// Executes a recipe.
pub(crate) fn execute(recipe: &Recipe, args: &RunArgs) -> anyhow::Result<()> {
    execute_plan(&Plan::new(recipe)?, args, None)
}

/// Runs a plan. To continue an interrupted run, pass the output of that run as `resume`.
pub(crate) fn execute_plan(plan: &Plan, args: &RunArgs, resume: Option<PathBuf>) -> anyhow::Result<()> {
    if args.dry_run {
        return Ok(write!(terminal::stdout(), "{plan}")?);
    }
    refuse_two_on_stdout(plan.outputs(), args)?;
    let done = run_and_report(args, |options| recipe::run(plan, RunOptions { resume, ..options }));
    if plan.outputs().next().is_some() { done } else { done.map_err(exit::without_output) }
}

/// Refuses to print the JSON summary on standard output if an output is written there, too.
pub(crate) fn refuse_two_on_stdout(
    mut outputs: impl Iterator<Item = PathBuf>,
    args: &RunArgs,
) -> Result<(), Usage> {
    if args.json && outputs.any(|path| is_stdout(&path)) {
        return Err(Usage("--json prints on standard output, so no output can be `-`".into()));
    }
    Ok(())
}

/// Runs `work`, which makes an experience file from the files in `reads`. Then prints a summary.
pub(crate) fn write_experience(
    args: &RunArgs,
    reads: &[&Path],
    output: &Path,
    work: impl FnOnce(Job<'_>) -> experience::Result<WrittenFile>,
) -> anyhow::Result<()> {
    if is_stdout(output) {
        bail!(Usage(
            "--output: an experience file cannot be written to standard output; give a file name".into()
        ));
    }
    check_paths(reads, &[(output, FileFormat::Experience)], SamePath::Replaced)?;
    write_rows(args, output, work)
}

/// Runs `work`, which writes to the file `output`, or to standard output if `output` is `-`. Then prints a
/// summary.
pub(crate) fn write_rows(
    args: &RunArgs,
    output: &Path,
    work: impl FnOnce(Job<'_>) -> experience::Result<WrittenFile>,
) -> anyhow::Result<()> {
    refuse_two_on_stdout([output.to_owned()].into_iter(), args)?;
    let start = Instant::now();
    let written = with_progress(args, |run| {
        let _lock = run.lock(output)?;
        work(Job { existing: run.existing(), stop: &run.interrupt })
    })?;
    finish(&Summary::of_experience(written, output, start), args)
}

/// Runs `work`, catching Ctrl-C and showing progress.
pub(crate) fn with_progress<T>(
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

/// Like [`with_progress`], for commands that take no [`RunArgs`].
pub(crate) fn with_progress_unless<T>(
    quiet: bool,
    options: RunOptions,
    work: impl FnOnce(RunOptions) -> run::Result<T>,
) -> anyhow::Result<T> {
    let options = RunOptions { interrupt: signal::interrupt_flag()?, today: today(), ..options };
    let _display = progress::Display::start(&options.progress, !quiet);
    Ok(work(options)?)
}

/// Runs `work` as [`with_progress`] does, and prints a summary. If the command fails because games were
/// rejected, the summary is still printed.
pub(crate) fn run_and_report(
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

/// Prints the summary of a command.
fn finish(summary: &Summary, args: &RunArgs) -> anyhow::Result<()> {
    if args.json {
        terminal::stdout().json(summary)?;
    } else if let Some(review) = &summary.review {
        format::write_review(&mut terminal::stdout(), review)?;
    }
    exit::warn(&summary.warnings);
    if !args.quiet {
        format::write_summary(&mut terminal::stderr(), summary)?;
    }
    Ok(())
}
