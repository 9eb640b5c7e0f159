//! `tabia uci`: a UCI player.

use std::{fs, io, path::Path};

use build::FileFormat;

use super::choosing::seed_of_clock;
use crate::{args::UciArgs, exit::Usage, terminal};

/// `tabia uci`.
pub(crate) fn uci(args: &UciArgs) -> anyhow::Result<()> {
    terminal::check_stdout()?;
    args.experience().map_or(Ok(()), |path| FileFormat::Experience.check_ending(path))?;
    let token = args.token_file().map(token).transpose()?;
    Ok(player::play(&args.options(seed_of_clock(), token), io::stdin(), io::stdout().lock())?)
}

/// The token in a file: its first line.
fn token(path: &Path) -> Result<String, Usage> {
    let wrong = |why: String| Usage(format!("--token-file: {}: {why}", path.display()));
    let text = fs::read_to_string(path).map_err(|error| wrong(error.to_string()))?;
    let token = text.lines().next().unwrap_or_default().trim();
    if token.is_empty() { Err(wrong("there is no token in its first line".into())) } else { Ok(token.into()) }
}
