//! `tabia uci`: a UCI player.

use std::io;

use super::choosing::seed_of_clock;
use crate::{args::UciArgs, terminal};

/// `tabia uci`.
pub(crate) fn uci(args: &UciArgs) -> anyhow::Result<()> {
    terminal::check_stdout()?;
    Ok(player::play(&args.options(seed_of_clock())?, io::stdin(), io::stdout().lock())?)
}
