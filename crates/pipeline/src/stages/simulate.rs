//! `simulate`: many walks through a book by a policy, drawn as a picture of the opening tree.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use toml::Value;

use crate::{
    Context, Error, Flow, Result,
    catalogue::Stage,
    choosing::{Chooser, Players, Simulation, WalkOptions, picture, save, simulate},
    flow::only_input,
    inspect::{self, Artefact},
    recipe::read_settings,
};

/// Settings of `simulate`.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct SimulateSettings {
    /// The picture, an SVG.
    pub output: PathBuf,
    /// The numbers too, as one JSON object.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub report: Option<PathBuf>,
    /// The policy.
    pub policy: String,
    /// Its settings: `{ book-limit = 33 }`.
    #[serde(default, skip_serializing_if = "toml::Table::is_empty")]
    pub settings: toml::Table,
    /// The policy of the side that does not move first; left out, the same.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub against: Option<String>,
    /// The settings of that.
    #[serde(default, skip_serializing_if = "toml::Table::is_empty")]
    pub against_settings: toml::Table,
    /// Walks.
    #[serde(default = "games")]
    pub games: u64,
    /// Seed of the draws.
    #[serde(default)]
    pub seed: u64,
    /// Plies after which a walk ends.
    #[serde(default = "max_ply")]
    pub max_ply: u32,
    /// Lines in the report.
    #[serde(default = "lines")]
    pub lines: usize,
    /// Where walks begin; left out, the start position.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fen: Option<String>,
    /// Moves from there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<String>,
}

fn games() -> u64 {
    WalkOptions::default().games
}

fn max_ply() -> u32 {
    WalkOptions::default().max_ply
}

fn lines() -> usize {
    WalkOptions::default().lines
}

/// Walks a book and draws the walks.
pub struct Simulate {
    settings: SimulateSettings,
    first: Chooser,
    against: Option<Chooser>,
    start: shakmaty::Chess,
}

impl Simulate {
    pub(crate) fn read(section: &str, settings: toml::Table) -> Result<Self> {
        let settings: SimulateSettings = read_settings(section, settings)?;
        let named = |error: Error| Error::Recipe(format!("{section}: {error}"));
        let chooser = |name: &str, table| Chooser::new(name, &texts(table)?);
        let first = chooser(&settings.policy, &settings.settings).map_err(named)?;
        if settings.against.is_none() && !settings.against_settings.is_empty() {
            return Err(Error::Recipe(format!("{section} has `against_settings` but no `against`")));
        }
        let against = settings.against.as_deref().map(|name| chooser(name, &settings.against_settings));
        let against = against.transpose().map_err(named)?;
        let start = inspect::position(settings.fen.as_deref(), settings.line.as_deref()).map_err(named)?;
        settings.walks(1).check().map_err(named)?;
        Ok(Self { settings, first, against, start })
    }
}

impl SimulateSettings {
    fn walks(&self, threads: usize) -> WalkOptions {
        let Self { games, seed, max_ply, lines, .. } = *self;
        WalkOptions { games, seed, max_ply, lines, threads }
    }
}

/// A table of settings as names and texts, which is how policies read them.
fn texts(table: &toml::Table) -> Result<Vec<(String, String)>> {
    let text = |(name, value): (&String, &Value)| {
        let text = match value {
            Value::String(text) => text.clone(),
            Value::Integer(number) => number.to_string(),
            Value::Float(number) => number.to_string(),
            Value::Boolean(switch) => switch.to_string(),
            other => {
                let kind = other.type_str();
                return Err(Error::Recipe(format!(
                    "setting `{name}` is no number, name or switch but {kind}"
                )));
            }
        };
        Ok((name.clone(), text))
    };
    table.iter().map(text).collect()
}

impl Stage for Simulate {
    fn note(&self) -> String {
        let against =
            self.against.as_ref().map_or_else(String::new, |it| format!(" against {}", it.describe()));
        let (output, games) = (self.settings.output.display(), self.settings.games);
        format!("{output}, {games} walks by {}{against}", self.first.describe())
    }

    fn outputs(&self) -> Vec<PathBuf> {
        [Some(&self.settings.output), self.settings.report.as_ref()].into_iter().flatten().cloned().collect()
    }

    fn run(&self, context: &Context, inputs: Vec<Flow>) -> Result<Flow> {
        let book = only_input!(inputs, Book);
        let players = Players { first: &self.first, against: self.against.as_ref() };
        let walks = self.settings.walks(context.threads);
        let simulation = simulate(&Artefact::open(&book)?, &self.start, players, &walks, &context.options())?;
        save(&self.settings.output, &picture(&simulation), context.force)?;
        context.wrote(&self.settings.output);
        if let Some(report) = &self.settings.report {
            save(report, &to_json(&simulation)?, context.force)?;
            context.wrote(report);
        }
        Ok(Flow::File)
    }
}

fn to_json(simulation: &Simulation) -> Result<String> {
    let json = serde_json::to_string_pretty(simulation);
    json.map(|text| text + "\n").map_err(|error| Error::Recipe(format!("the report: {error}")))
}
