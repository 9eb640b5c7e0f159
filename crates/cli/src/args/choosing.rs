//! Flags of the commands that choose moves.

use std::path::PathBuf;

use build::{Limits, recipe::parse_policy_setting};
use clap::Args;
use position::{NamedPositionError, named_position};
use query::{Chooser, WalkOptions};
use shakmaty::Chess;

use crate::exit::Usage;

/// A policy and its settings.
#[derive(Args)]
pub(crate) struct PolicyArgs {
    /// The rule that chooses; `tabia policies` lists them
    #[arg(long, value_name = "NAME")]
    pub(crate) policy: String,
    /// A setting of the policy, as book-limit=40; may be repeated
    #[arg(long, value_name = "KEY=VALUE", value_parser = parse_policy_setting)]
    pub(crate) set: Vec<(String, String)>,
}

impl PolicyArgs {
    pub(crate) fn chooser(&self) -> query::Result<Chooser> {
        Chooser::new(&self.policy, &self.set)
    }
}

/// As [`PolicyArgs`], for a command that does not only choose.
#[derive(Args)]
#[command(next_help_heading = "Choosing")]
pub(crate) struct ProbePolicyArgs {
    /// Show the chance of every move by this rule; `tabia policies` lists them
    #[arg(long, value_name = "NAME")]
    pub(crate) policy: Option<String>,
    /// A setting of the policy, as book-limit=40; may be repeated
    #[arg(long, value_name = "KEY=VALUE", value_parser = parse_policy_setting, requires = "policy")]
    pub(crate) set: Vec<(String, String)>,
    /// Show how the policy comes to its chances: every value, group and exclusion
    #[arg(long, requires = "policy")]
    pub(crate) explain: bool,
}

impl ProbePolicyArgs {
    pub(crate) fn chooser(&self) -> query::Result<Option<Chooser>> {
        self.policy.as_deref().map(|name| Chooser::new(name, &self.set)).transpose()
    }
}

/// The position a user names.
#[derive(Args)]
pub(crate) struct PositionArgs {
    /// The position; the start position if not given
    #[arg(long)]
    pub(crate) fen: Option<String>,
    /// Moves from there, in SAN or UCI: "e4 e5" or "1. e4 e5"
    #[arg(long)]
    pub(crate) line: Option<String>,
}

impl PositionArgs {
    /// The position.
    pub(crate) fn position(&self) -> anyhow::Result<Chess> {
        Ok(named_position(self.fen.as_deref(), self.line.as_deref())
            .map_err(|error| position_usage(&error))?)
    }
}

/// A position that cannot be read, with the flag that named it.
pub(crate) fn position_usage(error: &NamedPositionError) -> Usage {
    let flag = if matches!(error, NamedPositionError::Fen { .. }) { "fen" } else { "line" };
    Usage(format!("--{flag}: {error}"))
}

#[derive(Args)]
pub(crate) struct PickArgs {
    /// A book, a table or a Polyglot book
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) policy: PolicyArgs,
    /// Seed of the draw: the same seed draws the same move
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,
    #[command(flatten)]
    pub(crate) position: PositionArgs,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args)]
pub(crate) struct PoliciesArgs {
    /// Show the settings of this policy
    pub(crate) name: Option<String>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args)]
pub(crate) struct SimulateArgs {
    /// A book, a table or a Polyglot book
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) policy: PolicyArgs,
    /// Another policy for the side that does not move first
    #[arg(long, value_name = "NAME")]
    pub(crate) against: Option<String>,
    /// A setting of that policy; may be repeated
    #[arg(long, value_name = "KEY=VALUE", value_parser = parse_policy_setting, requires = "against")]
    pub(crate) set_against: Vec<(String, String)>,
    /// How many walks
    #[arg(long, value_name = "N", default_value_t = WalkOptions::default().games)]
    pub(crate) games: u64,
    /// Seed of the draws: the same seed walks the same ways
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,
    /// End a walk after N plies, 1 to 1000
    #[arg(long, value_name = "N", default_value_t = WalkOptions::default().max_ply)]
    pub(crate) max_ply: u32,
    #[command(flatten)]
    pub(crate) position: PositionArgs,
    /// Lines to list
    #[arg(long, value_name = "N", default_value_t = WalkOptions::default().lines)]
    pub(crate) lines: usize,
    /// Draw the opening tree as an SVG picture
    #[arg(long, value_name = "FILE", help_heading = "Outputs")]
    pub(crate) svg: Option<PathBuf>,
    /// Replace a picture that exists
    #[arg(short, long, help_heading = "Outputs")]
    pub(crate) force: bool,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
    /// Worker threads [default: one a core]
    #[arg(short = 'j', long, value_name = "N")]
    pub(crate) threads: Option<usize>,
    /// No progress bar on stderr
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

impl SimulateArgs {
    pub(crate) fn against(&self) -> query::Result<Option<Chooser>> {
        self.against.as_deref().map(|name| Chooser::new(name, &self.set_against)).transpose()
    }

    pub(crate) fn walks(&self) -> WalkOptions {
        let threads = Limits { threads: self.threads, ..Limits::default() }.threads();
        let Self { games, seed, max_ply, lines, .. } = *self;
        WalkOptions { games, seed, max_ply, lines, threads }
    }
}
