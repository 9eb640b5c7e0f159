//! Maps results to exit codes, and errors to messages.

use std::{
    borrow::Cow,
    env,
    ffi::OsString,
    io::{self, Write as _},
    process::ExitCode,
};

use fault::{Failure, Kind};
use pipeline::recipe::RecipeError;
use position::NamedPositionError;
use run::{LeftOver, PathError, Resumable, RunError, SettingError, StrictError};
use rustix::{
    io::Errno,
    process::{Resource, getrlimit},
};

use crate::terminal::{self, in_line, tell_gui};

/// A usage error that clap does not detect, such as flags that contradict each other.
#[derive(Debug, thiserror::Error)]
#[error("{message}", message = .0)]
pub(crate) struct Usage(pub(crate) String);

const FAILED: u8 = 1;
const USAGE: u8 = 2;
const INTERRUPTED: u8 = 130;

/// Returns the exit code for a result, and prints its error on stderr unless the error is a broken pipe.
pub(crate) fn code(result: anyhow::Result<()>) -> ExitCode {
    match result {
        Err(error) if !is_broken_pipe(&error) => ExitCode::from(print(error)),
        _ => ExitCode::SUCCESS,
    }
}

/// Prints the error that clap returned for the arguments. The error is either a usage error, or the help that
/// the user asked for, which counts as a success.
pub(crate) fn arguments(answer: &clap::Error) -> ExitCode {
    if answer.use_stderr() {
        if env::args_os().nth(1).is_some_and(|command| command == "uci") {
            tell_gui(answer);
        }
        let is_active = |argument: OsString| matches!(in_line(&argument.to_string_lossy()), Cow::Owned(_));
        // The answer is in colour unless an argument contains characters that must be escaped. If stderr is
        // closed, nothing can be reported.
        let _ = if env::args_os().any(is_active) {
            write!(terminal::stderr(), "{}", answer.render())
        } else {
            answer.print()
        };
        return ExitCode::from(USAGE);
    }
    let printed = terminal::check_stdout().and_then(|()| answer.print());
    code(printed.and_then(|()| io::stdout().flush()).map_err(Into::into))
}

/// Prints an error and returns its exit code. The message is one line, unless it quotes lines of a recipe.
pub(crate) fn print(error: anyhow::Error) -> u8 {
    let error = unified(error);
    let message = message(&error);
    let message = if error.is::<Usage>() { message.into() } else { in_line(&message) };
    // The message of every error already includes its causes. If stderr is closed too, nothing can be
    // reported.
    let _ = writeln!(terminal::stderr(), "tabia: {message}");
    match error.downcast_ref::<run::Error>() {
        Some(error) if error.kind().is_interrupt() => INTERRUPTED,
        Some(error) if error.kind().is_usage() => USAGE,
        _ if error.is::<Usage>() => USAGE,
        _ if matches!(error.downcast_ref(), Some(player::Error::Interrupted)) => INTERRUPTED,
        _ => FAILED,
    }
}

/// Whether a command must end after this error even if it has more files to read. The command must end if its
/// output can no longer be printed, or if the user interrupted the command.
pub(crate) fn concerns_all(error: &anyhow::Error) -> bool {
    error.is::<io::Error>() || matches!(error.downcast_ref(), Some(query::Error::Stopped))
}

/// Prints warnings on stderr.
pub(crate) fn warn(warnings: &[String]) {
    for warning in warnings {
        // If stderr is closed, nothing can be reported.
        let _ = writeln!(terminal::stderr(), "warning: {}", in_line(warning));
    }
}

/// Turns errors of the library crates into `run::Error`s, so that each has one exit code and one message.
fn unified(error: anyhow::Error) -> anyhow::Error {
    let unified = of_run::<query::Error>(error)
        .or_else(of_run::<RecipeError>)
        .or_else(of_run::<PathError>)
        .or_else(of_run::<serve::Error>)
        .or_else(of_position)
        .or_else(of_player);
    unified.unwrap_or_else(|other| other)
}

/// Turns an error of type `E` into a `run::Error`; an error of any other type is returned as `Err`.
fn of_run<E: Failure>(error: anyhow::Error) -> anyhow::Result<anyhow::Error> {
    error.downcast::<E>().map(|error| run::Error::from(error).into())
}

/// Turns the error for an invalid FEN or line into a [`SettingError`].
fn of_position(error: anyhow::Error) -> anyhow::Result<anyhow::Error> {
    let setting = error.downcast::<NamedPositionError>().map(SettingError::from);
    setting.map(|setting| run::Error::from(setting).into())
}

fn of_player(error: anyhow::Error) -> anyhow::Result<anyhow::Error> {
    error.downcast().map(|error| match error {
        player::Error::Other(error) if matches!(error.downcast_ref(), Some(engine::Error::Command(_))) => {
            Usage(format!("--engine: {error}")).into()
        }
        player::Error::Other(error) if error.is::<query::Error>() => error.into(),
        error => error.into(),
    })
}

/// Returns an error's text, followed by advice on how to avoid the error if such advice exists.
fn message(error: &anyhow::Error) -> String {
    let Some(ours) = error.downcast_ref::<run::Error>() else {
        let is_printing = error.is::<io::Error>();
        return if is_printing {
            format!("cannot write to standard output: {error}")
        } else {
            error.to_string()
        };
    };
    // The user gave a flag and does not know the stages of the command, so the text names the flag.
    if let Some(error) = ours.causes::<SettingError>().next() {
        return format!("--{}: {}", error.key.replace('_', "-"), error.what);
    }
    if let Some(RecipeError::TwoWriters { path, .. }) = ours.downcast_ref() {
        return format!("two outputs have the same path, {path}", path = path.display());
    }
    remedy(ours).map_or_else(|| ours.to_string(), |remedy| format!("{ours}; {remedy}"))
}

/// Removes the advice to use `--allow-empty` from an error, because the command that failed has no outputs.
pub(crate) fn without_output(error: anyhow::Error) -> anyhow::Error {
    match error.downcast_ref::<run::Error>() {
        Some(ours) if ours.kind() == Kind::Empty => anyhow::anyhow!("{ours}"),
        _ => error,
    }
}

/// Advises the user on how to avoid the error. The advice is given here, because only this crate knows the
/// flags.
fn remedy(error: &run::Error) -> Option<String> {
    if error.is::<LeftOver>() {
        return Some("use --resume to continue them, or remove that file to start over".into());
    }
    if error.is::<Resumable>() {
        return Some("run the same command with --resume to continue from there".into());
    }
    let flag = match error.kind() {
        Kind::Exists => "choose another output, or use --force to replace it",
        Kind::Empty => "nothing was written; --allow-empty writes it anyway",
        Kind::Repeated => "--force counts it again",
        Kind::SharedGames => "merge --shared keep counts them once for each table",
        Kind::LongWindow => "--long-window allows it",
        Kind::WindowBeyondMemory => "give more --memory",
        Kind::OtherGroups => "--drop-groups sums them first",
        Kind::NotGrouped => "count the games with --by month,rating-band",
        Kind::Locked => "without --no-wait, this command waits for it",
        Kind::TemporarySpace => "use --temp-dir to name another folder, or give more --memory to spill less",
        _ => match error.downcast_ref() {
            Some(StrictError { is_listed: true, .. }) => "without --strict, the others count",
            Some(_) => "without --strict, the others count, and --rejects FILE lists the rejected ones",
            None if is_table_for_book(error) => "`tabia compact TABLE -o BOOK` makes a book of it",
            None => return open_files(error),
        },
    };
    Some(flag.into())
}

/// Whether the user named a table where a book is needed.
fn is_table_for_book(error: &run::Error) -> bool {
    matches!(error.downcast_ref(), Some(RunError::WrongArtefact { expected: "a book", got: "a table" }))
}

/// Advises raising the limit on open files, if reaching it caused the error.
fn open_files(error: &run::Error) -> Option<String> {
    let is_full = |cause: &io::Error| cause.raw_os_error() == Some(Errno::MFILE.raw_os_error());
    error.causes().any(is_full).then(|| {
        let now = getrlimit(Resource::Nofile).current.map_or_else(String::new, |files| format!(", now {files}"));
        format!("raise the limit on open files{now} (`ulimit -n 4096`), allow more memory, or ask for fewer shards or threads")
    })
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause.downcast_ref::<io::Error>().is_some_and(|io| io.kind() == io::ErrorKind::BrokenPipe)
    })
}
