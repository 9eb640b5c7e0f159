//! `learn-games`: an engine's own games.

use std::path::PathBuf;

use book::BookFilter;
use learn::crafty::Family;
use serde::{Deserialize, Serialize};

use super::{KeepsSettings, experience_output::ExperienceOutput};
use crate::{
    Context, Error, Flow, Result,
    catalogue::Stage,
    learning::{GameRule, GamesLearning, learn_games},
    recipe::read_settings_besides,
};

/// Settings of `learn-games`.
#[derive(Clone, Debug, Serialize)]
pub struct LearnGamesSettings {
    /// Everything but the book filter.
    #[serde(flatten)]
    pub learning: OwnGamesSettings,
    /// What the book keeps that the learning happens in.
    #[serde(flatten)]
    pub keeps: KeepsSettings,
}

/// Which games teach, and how. Whose they are is a setting of `replay`.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct OwnGamesSettings {
    /// The experience file; left out, it serves this run alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output: Option<PathBuf>,
    /// `lokasoft`: games lost, won after more than 50 moves, or between close ratings; `terra`: all games.
    #[serde(default = "lokasoft")]
    pub rule: String,
    /// Whether evaluations in comments teach too, as Crafty's searches do.
    #[serde(default)]
    pub search: bool,
    /// By which Crafty's rules searches teach.
    #[serde(default = "paper")]
    pub family: String,
    /// Experience to go on from.
    #[serde(rename = "continue", skip_serializing_if = "Option::is_none")]
    pub old: Option<PathBuf>,
}

fn lokasoft() -> String {
    "lokasoft".into()
}

fn paper() -> String {
    Family::A.name().into()
}

/// Learns from own games.
pub struct LearnGames {
    filter: BookFilter,
    rule: GameRule,
    search: Option<Family>,
    old: Option<PathBuf>,
    output: Option<PathBuf>,
}

impl LearnGames {
    pub(crate) fn read(section: &str, mut settings: toml::Table) -> Result<Self> {
        let filter = KeepsSettings::take(section, &mut settings)?;
        let own: OwnGamesSettings = read_settings_besides(section, settings, &KeepsSettings::KEYS)?;
        let rule = match own.rule.as_str() {
            "lokasoft" => GameRule::Lokasoft,
            "terra" => GameRule::Terra,
            other => {
                return Err(Error::Recipe(format!(
                    "{section} `rule`: `{other}` is neither lokasoft nor terra"
                )));
            }
        };
        let family: Family =
            own.family.parse().map_err(|why| Error::Recipe(format!("{section} `family`: {why}")))?;
        Ok(Self { filter, rule, search: own.search.then_some(family), old: own.old, output: own.output })
    }
}

impl Stage for LearnGames {
    fn note(&self) -> String {
        let rule = match self.rule {
            GameRule::Lokasoft => "Lokasoft's conditions",
            GameRule::Terra => "every game",
        };
        let search = if self.search.is_some() { ", searches too" } else { "" };
        let filter = self.filter.describe();
        let book = if filter.is_empty() { String::new() } else { format!(", in a book of {filter}") };
        format!("{rule}{search}{book}")
    }

    fn outputs(&self) -> Vec<PathBuf> {
        self.output.iter().cloned().collect()
    }

    fn run(&self, context: &Context, inputs: Vec<Flow>) -> Result<Flow> {
        let mut inputs = inputs.into_iter();
        let (Some(Flow::Observations(stream)), Some(Flow::Table(counts))) = (inputs.next(), inputs.next())
        else {
            unreachable!("the plan checked that this stage takes Observations and Table")
        };
        let learning = GamesLearning {
            stream,
            filter: self.filter,
            rule: self.rule,
            search: self.search,
            old: self.old.clone(),
        };
        let output = ExperienceOutput::create(context, self.output.as_deref())?;
        learn_games(context, &counts, &learning, output.path())?;
        Ok(output.finish(context))
    }
}
