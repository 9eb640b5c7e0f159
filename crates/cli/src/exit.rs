//! Exit codes, mapped in one place.

use std::{
    fmt,
    io::{self, Write as _},
    process::ExitCode,
};

use build::recipe::RecipeError;

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

/// The exit code of a result; an error is printed on one line of stderr.
pub(crate) fn code(result: anyhow::Result<()>) -> ExitCode {
    let Err(error) = result else { return ExitCode::SUCCESS };
    if is_broken_pipe(&error) {
        return ExitCode::SUCCESS;
    }
    let error = unified(error);
    // Every error's text holds its causes already. If stderr is gone too, there is no place for it.
    let _ = writeln!(io::stderr(), "tabia: {}", message(&error));
    ExitCode::from(match error.downcast_ref::<build::Error>() {
        Some(error) if error.is_interrupt() => INTERRUPTED,
        Some(error) if error.is_usage() => USAGE,
        _ if error.is::<Usage>() => USAGE,
        _ => FAILED,
    })
}

/// Errors of the reading crates as those of a run, so that each has one exit code and one text.
fn unified(error: anyhow::Error) -> anyhow::Error {
    let error = match error.downcast::<query::Error>() {
        Ok(error) => return build::Error::from(error).into(),
        Err(error) => error,
    };
    let error = match error.downcast::<build::recipe::RecipeError>() {
        Ok(error) => return build::Error::from(error).into(),
        Err(error) => error,
    };
    match error.downcast::<experience::Error>() {
        Ok(error) => build::Error::from(error).into(),
        Err(error) => error,
    }
}

/// The text of an error, with the flag that helps.
fn message(error: &anyhow::Error) -> String {
    match error.downcast_ref::<build::Error>() {
        Some(build::Error::Recipe(RecipeError::Setting { error, .. })) => {
            format!("--{}: {}", error.key.replace('_', "-"), error.what)
        }
        Some(ours) => remedy(ours).map_or_else(|| ours.to_string(), |remedy| format!("{ours}; {remedy}")),
        None => error.to_string(),
    }
}

/// The flags that help. Only the command line knows its flags.
fn remedy(error: &build::Error) -> Option<&'static str> {
    if error.is_output_exists() {
        Some("name another output, or --force to replace it")
    } else if error.is_repeated_source() {
        Some("--force counts it again")
    } else if error.is_long_window() {
        Some("--long-window allows it")
    } else if error.is_group_disagreement() {
        Some("--drop-groups sums them first")
    } else if error.is_temporary_space() {
        Some("--temp-dir names another folder, with more --memory less is spilled")
    } else {
        None
    }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause.downcast_ref::<io::Error>().is_some_and(|io| io.kind() == io::ErrorKind::BrokenPipe)
    })
}
