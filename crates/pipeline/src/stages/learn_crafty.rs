//! `learn-crafty`: Crafty's learned PGN over the moves a book will have.

use std::path::{Path, PathBuf};

use learn::crafty::{Family, Options};
use serde::{Deserialize, Serialize};

use super::{KeepsSettings, experience_output::ExperienceOutput};
use crate::{
    Context, Error, Flow, Result,
    catalogue::Stage,
    flow::only_input,
    learning::{CraftyLearning, learn_crafty},
    recipe::read_settings_besides,
};

/// Settings of `learn-crafty`.
#[derive(Clone, Debug, Serialize)]
pub struct LearnCraftySettings {
    /// Everything but the book filter.
    #[serde(flatten)]
    pub learning: CraftySettings,
    /// What the book keeps that the learning happens in.
    #[serde(flatten)]
    pub keeps: KeepsSettings,
}

/// What to learn, and how.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct CraftySettings {
    /// Files, folders, globs; `-` is standard input.
    pub paths: Vec<String>,
    /// The experience file; left out, it serves this run alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output: Option<PathBuf>,
    /// The family of records whose player tags name no version: `M2`, `A`, `B`, `C` …
    #[serde(skip_serializing_if = "Option::is_none")]
    pub family: Option<String>,
    /// The player that wrote records which name no Crafty.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub own_player: Option<String>,
    /// Whether copies of a record teach once.
    #[serde(default = "yes")]
    pub dedup: bool,
    /// Experience to go on from.
    #[serde(rename = "continue", skip_serializing_if = "Option::is_none")]
    pub old: Option<PathBuf>,
    /// List rejected records in this file, one JSON object a line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rejects: Option<PathBuf>,
}

fn yes() -> bool {
    true
}

/// Learns from Crafty's records.
pub struct LearnCrafty {
    learning: CraftyLearning,
    output: Option<PathBuf>,
}

impl LearnCrafty {
    pub(crate) fn read(section: &str, mut settings: toml::Table) -> Result<Self> {
        let filter = KeepsSettings::take(section, &mut settings)?;
        let own: CraftySettings = read_settings_besides(section, settings, &KeepsSettings::KEYS)?;
        if own.paths.is_empty() {
            return Err(Error::Recipe(format!("{section} needs `paths`: files of learned PGN")));
        }
        let family = own.family.as_deref().map(str::parse::<Family>).transpose();
        let family = family.map_err(|why| Error::Recipe(format!("{section} `family`: {why}")))?;
        let options = Options { family, own_player: own.own_player, dedup: own.dedup };
        let learning =
            CraftyLearning { paths: own.paths, options, filter, old: own.old, rejects: own.rejects };
        Ok(Self { learning, output: own.output })
    }
}

impl Stage for LearnCrafty {
    fn note(&self) -> String {
        let filter = self.learning.filter.describe();
        let paths = self.learning.paths.join(" ");
        if filter.is_empty() { paths } else { format!("{paths}, in a book of {filter}") }
    }

    fn outputs(&self) -> Vec<PathBuf> {
        self.output.iter().chain(&self.learning.rejects).cloned().collect()
    }

    fn reads(&self) -> Vec<&Path> {
        self.learning.paths.iter().map(Path::new).collect()
    }

    fn run(&self, context: &Context, inputs: Vec<Flow>) -> Result<Flow> {
        let counts = only_input!(inputs, Table);
        let output = ExperienceOutput::create(context, self.output.as_deref())?;
        learn_crafty(context, &counts, &self.learning, output.path())?;
        Ok(output.finish(context))
    }
}
