//! The `tabia` command: it reads arguments, runs pipelines and prints results. It has no logic of its own.
//!
//! Exit codes: 0 done, 1 failed (also `--strict` with rejected games), 2 wrong usage or recipe, 130
//! interrupted. A broken pipe ends quietly with 0.

mod args;
mod commands;
mod exit;
mod format;
mod hints;
mod out_of_memory;
mod progress;
mod signal;
mod terminal;

use std::process::ExitCode;

use clap::FromArgMatches as _;
use clap_complete::CompleteEnv;
use pipeline::tables::TableChange;

use crate::args::{Command, Tabia};

fn main() -> ExitCode {
    out_of_memory::return_large_blocks();
    out_of_memory::end_where_libraries_have_none();
    CompleteEnv::with_factory(args::command).var(commands::ASKED).complete();
    let read = args::command().try_get_matches().and_then(|matches| Tabia::from_arg_matches(&matches));
    let arguments = match read {
        Ok(arguments) => arguments,
        Err(answer) => return exit::arguments(&hints::with_tip(answer)),
    };
    let done = signal::survive_file_size_limit().map_err(Into::into).and_then(|()| run(arguments.command));
    exit::warn(&output::take_notices());
    exit::code(done)
}

fn run(command: Command) -> anyhow::Result<()> {
    match command {
        Command::Build(args) => commands::build(&args),
        Command::Count(args) => commands::count(&args),
        Command::Import(args) => commands::import(&args),
        Command::Merge(args) => commands::merge(&args),
        Command::Add(args) => commands::change(&args, TableChange::Add),
        Command::Subtract(args) => commands::change(&args, TableChange::Subtract),
        Command::Cluster(args) => commands::cluster(&args.what),
        Command::Learn(args) => commands::learn(&args.teacher),
        Command::Experience(args) => commands::experience(&args.what),
        Command::Compact(args) => commands::compact(&args),
        Command::Export(args) => commands::export(&args.what),
        Command::Filter(args) => commands::filter(&args),
        Command::Report(args) => commands::report(&args),
        Command::Suite(args) => commands::suite(&args),
        Command::Check(args) => commands::check(&args),
        Command::Edit(args) => commands::edit(&args),
        Command::Diff(args) => commands::diff(&args),
        Command::Probe(args) => commands::probe(&args),
        Command::Pick(args) => commands::pick(&args),
        Command::Policies(args) => commands::policies(&args),
        Command::Simulate(args) => commands::simulate(&args),
        Command::Uci(args) => commands::uci(&args),
        Command::Exchange(args) => commands::exchange(&args),
        Command::Serve(args) => commands::serve(&args),
        Command::Why(args) => commands::why(&args),
        Command::Sql(args) => commands::sql(&args),
        Command::Dump(args) => commands::dump(&args),
        Command::Info(args) => commands::info(&args),
        Command::Verify(args) => commands::verify(&args),
        Command::Run(args) => commands::run_recipe(&args),
        Command::Plan(args) => commands::plan(&args),
        Command::Completions(args) => commands::completions(&args),
        Command::Manual(args) => commands::manual(&args),
    }
}
