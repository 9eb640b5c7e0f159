//! The commands that choose moves: `tabia pick`, `tabia policies`, `tabia simulate`.

mod explain;
mod policies;
mod simulate;

use std::io::Write as _;

use query::{Artefact, Pick};

use crate::{args::PickArgs, terminal};

pub(super) use explain::{chances, explain};
pub(crate) use policies::policies;
pub(crate) use simulate::simulate;

/// `tabia pick`.
pub(crate) fn pick(args: &PickArgs) -> anyhow::Result<()> {
    let chooser = args.policy.chooser()?;
    let position = args.position.position()?;
    let pick = Artefact::ask(&args.file, |artefact| query::pick(artefact, &position, &chooser, args.seed))?;
    let mut out = terminal::stdout();
    if args.json {
        return Ok(out.json(&pick)?);
    }
    match &pick {
        Pick { san: Some(san), .. } => writeln!(out, "{san}")?,
        Pick { notes, .. } => writeln!(out, "no move: {}", notes.join("; "))?,
    }
    Ok(())
}
