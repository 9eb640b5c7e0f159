//! `tabia uci`: a UCI player.

use std::{
    io,
    time::{SystemTime, UNIX_EPOCH},
};

use crate::{args::UciArgs, terminal};

/// `tabia uci`.
pub(crate) fn uci(args: &UciArgs) -> anyhow::Result<()> {
    terminal::check_stdout()?;
    Ok(player::play(&args.options(seed_of_clock()), io::stdin(), io::stdout().lock())?)
}

/// A seed that is another one in each run.
pub(crate) fn seed_of_clock() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    since.as_secs().wrapping_mul(1_000_000_007) ^ u64::from(since.subsec_nanos())
}
