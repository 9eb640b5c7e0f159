//! The commands that choose moves: `tabia pick`, `tabia policies`, `tabia simulate`.

mod explain;
mod policies;
mod simulate;

use std::{
    io::Write as _,
    time::{SystemTime, UNIX_EPOCH},
};

use query::{Artefact, Pick};

use crate::{args::PickArgs, exit, terminal};

pub(super) use explain::{chances, explain, notes};
pub(crate) use policies::policies;
pub(crate) use simulate::simulate;

/// The largest number that every program reads exactly from JSON.
const SEED_MAX: u128 = (1 << 53) - 1;

/// A seed that differs each time: the nanoseconds of the clock.
pub(super) fn seed_of_clock() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    (now.as_nanos() & SEED_MAX) as u64
}

/// Year and month of today.
pub(super) fn today() -> Option<(u16, u8)> {
    let today = jiff::Zoned::now();
    Some((today.year().try_into().ok()?, today.month().try_into().ok()?))
}

/// `tabia pick`.
pub(crate) fn pick(args: &PickArgs) -> anyhow::Result<()> {
    let chooser = args.policy.chooser()?;
    let position = args.position.position()?;
    let seed = args.seed.unwrap_or_else(seed_of_clock);
    let weights = args.policy.weigh.weights();
    let (pick, doubt) = Artefact::ask(&args.file, |artefact| {
        let chooser = chooser.clone().weigh(weights, artefact)?;
        Ok((query::pick(artefact, &position, &chooser, seed)?, chooser.doubt(today())))
    })?;
    exit::warn(doubt.as_slice());
    let mut out = terminal::stdout();
    if args.json {
        return Ok(out.json(&pick)?);
    }
    match &pick {
        Pick { san: Some(san), notes, .. } => {
            writeln!(out, "{san}")?;
            // Programs read only the move from standard output.
            for note in notes {
                writeln!(terminal::stderr(), "note: {note}")?;
            }
        }
        Pick { notes, .. } => writeln!(out, "no move: {}", notes.join("; "))?,
    }
    Ok(())
}
