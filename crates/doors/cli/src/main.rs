//! The `tabia` command: it reads arguments, runs pipelines and prints results. All logic is in the other
//! crates.
//!
//! Exit codes: 0 done, 1 failed (also `--strict` with rejected games), 2 wrong usage or recipe, 130
//! interrupted. A broken pipe ends the process quietly with exit code 0.

mod args;
mod clock;
mod commands;
mod execute;
mod exit;
mod format;
mod help;
mod hints;
mod out_of_memory;
mod progress;
mod signal;
mod terminal;

use std::process::ExitCode;

use clap::FromArgMatches as _;
use clap_complete::CompleteEnv;

use crate::commands::Tabia;

fn main() -> ExitCode {
    out_of_memory::return_large_blocks();
    out_of_memory::end_where_libraries_have_none();
    CompleteEnv::with_factory(commands::command).var(commands::ASKED).complete();
    let read = commands::command().try_get_matches().and_then(|matches| Tabia::from_arg_matches(&matches));
    let arguments = match read {
        Ok(arguments) => arguments,
        Err(answer) => return exit::arguments(&hints::with_tip(answer)),
    };
    let done = signal::survive_file_size_limit().map_err(Into::into).and_then(|()| arguments.command.run());
    exit::warn(&output::take_notices());
    exit::code(done)
}
