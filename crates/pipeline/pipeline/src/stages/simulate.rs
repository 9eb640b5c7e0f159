//! `simulate`: lets a policy walk through a book many times, and draws the walks as an opening tree.

use std::path::{Path, PathBuf};

use clap::Args;
use output::prepare_text;
use query::{Artefact, Chooser, Choosers, Simulation, WalkOptions};
use report::picture;
use run::{
    Context, Error, FileFormat, Output, Result, RunOptions, SettingError, StageError,
    values::{defaults, parse_policy_setting, policy_settings},
};
use serde::{Deserialize, Serialize};
use stage::{Flow, Inputs, Parallelism, Port, Signature, Stage, StageInputs};
use table::GameWeights;

use crate::StartPosition;

/// Settings of `simulate`.
#[derive(Args, Clone, Debug, Default, Deserialize, Serialize)]
#[serde(default)]
pub struct Simulate {
    /// The SVG picture to write
    #[arg(short, long, value_name = "SVG", help_heading = "Outputs")]
    pub output: PathBuf,
    /// Also write the numbers, as one JSON object
    #[arg(long, value_name = "FILE", help_heading = "Outputs")]
    pub report: Option<PathBuf>,
    /// The walks.
    #[command(flatten)]
    #[serde(flatten)]
    pub walks: Walks,
}

/// The number and length of the walks, where they begin, and the policies that choose the moves.
#[derive(Args, Clone, Debug, Deserialize, Serialize)]
#[serde(default)]
pub struct Walks {
    /// The policy that chooses moves; `tabia policies` lists all policies
    #[arg(long, value_name = "NAME")]
    pub policy: String,
    /// A setting of the policy, such as book-limit=40; may be repeated
    #[arg(long = "set", id = "settings", value_name = "KEY=VALUE", value_parser = parse_policy_setting)]
    #[serde(with = "policy_settings")]
    pub settings: Vec<(String, String)>,
    /// The policy for the side that does not move first [default: the same as --policy]
    #[arg(long, value_name = "NAME")]
    pub against: Option<String>,
    /// A setting of the policy given with --against; may be repeated
    #[arg(long = "set-against", id = "against_settings", value_name = "KEY=VALUE", value_parser = parse_policy_setting,
        requires = "against")]
    #[serde(with = "policy_settings")]
    pub against_settings: Vec<(String, String)>,
    /// The number of walks
    #[arg(long, value_name = "N", default_value_t = WalkOptions::default().games)]
    pub games: u64,
    /// Seed of the random choices: the same seed gives the same walks
    #[arg(long, value_name = "N", default_value_t = WalkOptions::default().seed)]
    pub seed: u64,
    /// End a walk after N plies, 1 to 1000
    #[arg(long, value_name = "N", default_value_t = WalkOptions::default().max_ply)]
    pub max_ply: u32,
    /// Where walks begin.
    #[command(flatten)]
    #[serde(flatten)]
    pub start: StartPosition,
    /// The number of lines to list
    #[arg(long, value_name = "N", default_value_t = WalkOptions::default().lines)]
    pub lines: usize,
}

impl Default for Walks {
    fn default() -> Self {
        defaults(&["--policy="])
    }
}

impl Walks {
    /// Walks through the book, table or Polyglot book at `path`. The games of a table are weighted according
    /// to the settings.
    ///
    /// # Errors
    ///
    /// Fails if a setting is invalid, with an error that names the stage `name`, or if [`Artefact::ask`] or
    /// [`query::simulate`] fails.
    pub fn simulate(
        &self,
        name: &str,
        (path, weights): (&Path, GameWeights),
        threads: usize,
        run: &RunOptions,
    ) -> Result<Simulation> {
        let players = self.players().map_err(StageError::of(name))?;
        let start = self.start.position().map_err(|error| StageError::of(name)(error.into()))?;
        let on_walk = || {
            run.progress.steps_done(1);
            run.flow()
        };
        Ok(Artefact::ask(path, |artefact| {
            let weighted = |chooser: &Chooser| chooser.clone().weigh(weights, artefact);
            let first = weighted(&players.0)?;
            let against = players.1.as_ref().map(weighted).transpose()?;
            let players = Choosers { first: &first, against: against.as_ref() };
            run.progress.enter_steps("walking the book", self.games, "walks");
            let mut simulation =
                query::simulate(artefact, &start, players, &self.options(threads), &on_walk)?;
            simulation.warnings.extend(first.doubt(run.today));
            Ok(simulation)
        })?)
    }

    fn options(&self, threads: usize) -> WalkOptions {
        let Self { games, seed, max_ply, lines, .. } = *self;
        WalkOptions { games, seed, max_ply, lines, threads }
    }

    /// The policy that chooses moves, and the other side's policy if that side has its own.
    fn players(&self) -> Result<(Chooser, Option<Chooser>), SettingError> {
        let needed = SettingError::because("against_settings", "needs `against`, the policy they are of");
        needed.unless(self.against.is_some() || self.against_settings.is_empty())?;
        let first = chooser("policy", &self.policy, &self.settings)?;
        let against = self.against.as_deref().map(|name| chooser("against", name, &self.against_settings));
        Ok((first, against.transpose()?))
    }

    fn check(&self) -> Result<(), SettingError> {
        self.players()?;
        self.start.position()?;
        self.options(1).check().map_err(|error| SettingError::because("games", error.to_string()))
    }

    fn note(&self) -> String {
        let described = self.players().map(|(first, against)| {
            let against = against.map_or_else(String::new, |it| format!(" against {}", it.describe()));
            format!("{}{against}", first.describe())
        });
        format!("{} walks by {}", self.games, described.unwrap_or_else(|_| self.policy.clone()))
    }
}

fn chooser(key: &'static str, name: &str, settings: &[(String, String)]) -> Result<Chooser, SettingError> {
    Chooser::new(name, settings).map_err(|error| SettingError::because(key, error.to_string()))
}

impl Stage for Simulate {
    fn signature(&self) -> Signature {
        Signature::new(&[Port::Book], Port::File, Parallelism::Parallel)
    }

    fn note(&self) -> String {
        format!("{}, {}", self.output.display(), self.walks.note())
    }

    fn outputs(&self) -> Vec<Output> {
        [FileFormat::Svg.at([&self.output]), FileFormat::Json.at(&self.report)].concat()
    }

    fn check(&self, _: &Inputs<'_>) -> Result<(), SettingError> {
        self.walks.check()
    }

    fn run(&self, context: &Context, name: &str, inputs: Vec<Flow>) -> Result<Flow> {
        let book = StageInputs::new(inputs).take().book()?;
        let simulation = self.walks.simulate(
            name,
            (&book.path, GameWeights::default()),
            context.threads,
            &context.options,
        )?;
        let existing = context.existing();
        let write = |path: &Path, text: &str| {
            let prepared = prepare_text(path, text, existing).map_err(fault::output(path))?;
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
