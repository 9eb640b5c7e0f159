//! Exit codes, mapped in one place.

use std::{
    fmt,
    io::{self, Write as _},
    process::ExitCode,
};

/// Games or records were rejected and `--strict` was given.
#[derive(Debug)]
pub(crate) struct StrictRejections(pub(crate) u64);

impl fmt::Display for StrictRejections {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} games or records were rejected and --strict was given; --rejects FILE lists them",
            self.0
        )
    }
}

impl std::error::Error for StrictRejections {}

/// Arguments that each parse but make no sense together.
#[derive(Debug)]
pub(crate) struct Usage(pub(crate) String);

impl fmt::Display for Usage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Usage {}

const FAILED: u8 = 1;
const USAGE: u8 = 2;
const INTERRUPTED: u8 = 130;

/// The exit code of a result; an error is told on one line of stderr.
pub(crate) fn code(result: anyhow::Result<()>) -> ExitCode {
    let Err(error) = result else { return ExitCode::SUCCESS };
    if is_broken_pipe(&error) {
        return ExitCode::SUCCESS;
    }
    // Every error's text holds its causes already. Nobody is left to tell if stderr is gone too.
    let _ = writeln!(io::stderr(), "tabia: {error}");
    let ours = error.downcast_ref::<pipeline::Error>();
    ExitCode::from(match ours {
        Some(error) if error.is_interrupt() => INTERRUPTED,
        Some(error) if error.is_usage() => USAGE,
        _ if error.is::<Usage>() => USAGE,
        _ => FAILED,
    })
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause.downcast_ref::<io::Error>().is_some_and(|io| io.kind() == io::ErrorKind::BrokenPipe)
    })
}
