//! Flags of the commands that choose moves.

use std::path::PathBuf;

use clap::Args;
use count::WeighGames;
use pipeline::{StartPosition, stages::Walks};
use query::Chooser;
use run::values::parse_policy_setting;

/// A policy and its settings.
#[derive(Args)]
pub(crate) struct PolicyArgs {
    /// The rule that chooses; `tabia policies` lists them
    #[arg(long, value_name = "NAME")]
    pub(crate) policy: String,
    /// A setting of the policy, as book-limit=40; may be repeated
    #[arg(long, value_name = "KEY=VALUE", value_parser = parse_policy_setting)]
    pub(crate) set: Vec<(String, String)>,
    #[command(flatten)]
    pub(crate) weigh: WeighGames,
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
    #[command(flatten)]
    pub(crate) weigh: WeighGames,
}

impl ProbePolicyArgs {
    pub(crate) fn chooser(&self) -> query::Result<Option<Chooser>> {
        self.policy.as_deref().map(|name| Chooser::new(name, &self.set)).transpose()
    }
}

#[derive(Args)]
pub(crate) struct PickArgs {
    /// A book, a table or a Polyglot book
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) policy: PolicyArgs,
    /// Seed of the draw: the same seed draws the same move [default: from the clock; --json shows it]
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,
    #[command(flatten)]
    pub(crate) position: StartPosition,
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
    pub(crate) walks: Walks,
    #[command(flatten)]
    pub(crate) weigh: WeighGames,
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
