//! `tabia uci`: a UCI player.

use std::{fs, io, path::Path};

use run::FileFormat;

use super::choosing::{seed_of_clock, today};
use crate::{
    args::UciArgs,
    exit::Usage,
    signal,
    terminal::{self, tell_gui},
};

/// `tabia uci`.
pub(crate) fn uci(args: &UciArgs) -> anyhow::Result<()> {
    terminal::check_stdout()?;
    let token = checked(args).inspect_err(tell_gui)?;
    let options = args.options((seed_of_clock(), today()), token);
    Ok(player::play(&options, io::stdin(), io::stdout().lock(), signal::interrupt_waiter()?)?)
}

/// The token, if there is one, once the arguments are known to be right.
fn checked(args: &UciArgs) -> anyhow::Result<Option<String>> {
    args.experience().map_or(Ok(()), |path| FileFormat::Experience.check_ending(path))?;
    Ok(args.token_file().map(token).transpose()?)
}

/// The token in a file: its first line.
fn token(path: &Path) -> Result<String, Usage> {
    let wrong = |why: String| Usage(format!("--token-file: {}: {why}", path.display()));
    let text = fs::read_to_string(path).map_err(|error| wrong(error.to_string()))?;
    let token = text.lines().next().unwrap_or_default().trim();
    if token.is_empty() { Err(wrong("there is no token in its first line".into())) } else { Ok(token.into()) }
}
