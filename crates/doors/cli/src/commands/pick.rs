//! `tabia pick`.

use std::{io::Write as _, path::PathBuf};

use clap::Args;
use count::WeighGames;
use pipeline::StartPosition;
use query::{Artefact, Chooser, Pick};
use run::values::parse_policy_setting;

use crate::{
    clock::{seed_of_clock, today},
    exit,
    help::{Short, examples},
    terminal,
};

#[derive(Args)]
#[command(add = Short("policy set line fen seed json"))]
#[command(after_help = examples("tabia pick book.tabia --policy crafty --line \"e4 e5\" --seed 7"))]
pub(crate) struct PickArgs {
    /// A book, a table or a Polyglot book
    file: PathBuf,
    #[command(flatten)]
    policy: PolicyArgs,
    /// Seed of the random choice: the same seed gives the same move [default: from the clock; --json shows
    /// it]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    #[command(flatten)]
    position: StartPosition,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// A policy and its settings.
#[derive(Args)]
pub(crate) struct PolicyArgs {
    /// The policy that chooses the move; `tabia policies` lists all policies
    #[arg(long, value_name = "NAME")]
    policy: String,
    /// A setting of the policy, such as book-limit=40; may be repeated
    #[arg(long, value_name = "KEY=VALUE", value_parser = parse_policy_setting)]
    set: Vec<(String, String)>,
    #[command(flatten)]
    weigh: WeighGames,
}

impl PolicyArgs {
    fn chooser(&self) -> query::Result<Chooser> {
        Chooser::new(&self.policy, &self.set)
    }
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
            // Programs expect only the move on standard output, so the notes are written to standard error.
            for note in notes {
                writeln!(terminal::stderr(), "note: {note}")?;
            }
        }
        Pick { notes, .. } => writeln!(out, "no move: {}", notes.join("; "))?,
    }
    Ok(())
}
