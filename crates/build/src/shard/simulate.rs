//! `simulate`: many walks through a book by a policy, drawn as a picture of the opening tree.

use std::path::{Path, PathBuf};

use clap::Args;
use output::prepare_text;
use position::named_position;
use query::{Artefact, Chooser, Players, Simulation, WalkOptions};
use report::picture;
use serde::{Deserialize, Serialize};
use shakmaty::Chess;

use crate::{
    Context, Error, Result,
    error::SettingError,
    stage::{
        Flow, Inputs, Port, Signature, Spread, Stage, Taken,
        values::{parse_policy_setting, policy_settings},
    },
};

/// Settings of `simulate`.
#[derive(Args, Clone, Debug, Deserialize, Serialize)]
#[serde(default)]
pub struct Simulate {
    /// The picture, an SVG
    #[arg(short, long, value_name = "SVG", help_heading = "Outputs")]
    pub output: PathBuf,
    /// The numbers too, as one JSON object
    #[arg(long, value_name = "FILE", help_heading = "Outputs")]
    pub report: Option<PathBuf>,
    /// The rule that chooses; `tabia policies` lists them
    #[arg(long, value_name = "NAME")]
    pub policy: String,
    /// A setting of the policy, as book-limit=40; may be repeated
    #[arg(long = "set", id = "settings", value_name = "KEY=VALUE", value_parser = parse_policy_setting)]
    #[serde(with = "policy_settings")]
    pub settings: Vec<(String, String)>,
    /// Another policy for the side that does not move first
    #[arg(long, value_name = "NAME")]
    pub against: Option<String>,
    /// A setting of that policy; may be repeated
    #[arg(long = "set-against", id = "against_settings", value_name = "KEY=VALUE", value_parser = parse_policy_setting,
        requires = "against")]
    #[serde(with = "policy_settings")]
    pub against_settings: Vec<(String, String)>,
    /// How many walks
    #[arg(long, value_name = "N", default_value_t = WalkOptions::default().games)]
    pub games: u64,
    /// Seed of the draws: the same seed walks the same ways
    #[arg(long, value_name = "N", default_value_t = WalkOptions::default().seed)]
    pub seed: u64,
    /// End a walk after N plies, 1 to 1000
    #[arg(long, value_name = "N", default_value_t = WalkOptions::default().max_ply)]
    pub max_ply: u32,
    /// Lines to list
    #[arg(long, value_name = "N", default_value_t = WalkOptions::default().lines)]
    pub lines: usize,
    /// The position; the start position if not given
    #[arg(long)]
    pub fen: Option<String>,
    /// Moves from there, in SAN or UCI: "e4 e5" or "1. e4 e5"
    #[arg(long)]
    pub line: Option<String>,
}

impl Default for Simulate {
    fn default() -> Self {
        let WalkOptions { games, seed, max_ply, lines, .. } = WalkOptions::default();
        Self {
            output: PathBuf::new(),
            report: None,
            policy: String::new(),
            settings: Vec::new(),
            against: None,
            against_settings: Vec::new(),
            games,
            seed,
            max_ply,
            lines,
            fen: None,
            line: None,
        }
    }
}

/// The settings, read: who chooses, and where walks begin.
struct Walks {
    first: Chooser,
    against: Option<Chooser>,
    start: Chess,
}

impl Simulate {
    fn options(&self, threads: usize) -> WalkOptions {
        let Self { games, seed, max_ply, lines, .. } = *self;
        WalkOptions { games, seed, max_ply, lines, threads }
    }

    fn read(&self) -> Result<Walks, SettingError> {
        if self.against.is_none() && !self.against_settings.is_empty() {
            return Err(SettingError::because("against_settings", "needs `against`, the policy they are of"));
        }
        let first = chooser("policy", &self.policy, &self.settings)?;
        let against = self.against.as_deref().map(|name| chooser("against", name, &self.against_settings));
        let start = named_position(self.fen.as_deref(), self.line.as_deref());
        Ok(Walks {
            first,
            against: against.transpose()?,
            start: start.map_err(|error| SettingError::of_position(&error))?,
        })
    }
}

fn chooser(key: &'static str, name: &str, settings: &[(String, String)]) -> Result<Chooser, SettingError> {
    Chooser::new(name, settings).map_err(|error| SettingError::because(key, error.to_string()))
}

impl Stage for Simulate {
    fn signature(&self) -> Signature {
        Signature::new(&[Port::Book], Port::File, Spread::Parallel)
    }

    fn note(&self) -> String {
        let described = self.read().map(|walks| {
            let against = walks.against.map_or_else(String::new, |it| format!(" against {}", it.describe()));
            format!("{}{against}", walks.first.describe())
        });
        let (output, games) = (self.output.display(), self.games);
        format!("{output}, {games} walks by {}", described.unwrap_or_else(|_| self.policy.clone()))
    }

    fn outputs(&self) -> Vec<PathBuf> {
        [Some(&self.output), self.report.as_ref()].into_iter().flatten().cloned().collect()
    }

    fn check(&self, _: &Inputs<'_>) -> Result<(), SettingError> {
        self.read()?;
        self.options(1).check().map_err(|error| SettingError::because("games", error.to_string()))
    }

    fn run(&self, context: &Context, name: &str, inputs: Vec<Flow>) -> Result<Flow> {
        let book = Artefact::open(&Taken::new(inputs).next().book()?.path)?;
        let Walks { first, against, start } = self.read().map_err(|error| Error::setting(name, error))?;
        let players = Players { first: &first, against: against.as_ref() };
        context.progress.enter_steps("walking the book", self.games, "walks");
        let on_walk = || {
            context.progress.steps_done(1);
            context.flow()
        };
        let simulation = query::simulate(&book, &start, players, &self.options(context.threads), &on_walk)?;
        let existing = context.existing();
        let write = |path: &Path, text: &str| {
            let prepared = prepare_text(path, text, existing).map_err(Error::output(path))?;
            context.prepared(prepared);
            Ok::<(), Error>(())
        };
        write(&self.output, &picture(&simulation))?;
        self.report.as_deref().map_or(Ok(()), |report| write(report, &to_json(&simulation)))?;
        Ok(Flow::File)
    }
}

fn to_json(simulation: &Simulation) -> String {
    let Ok(json) = serde_json::to_string_pretty(simulation) else {
        unreachable!("texts and numbers serialise")
    };
    json + "\n"
}
