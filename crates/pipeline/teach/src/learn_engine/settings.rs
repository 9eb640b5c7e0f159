//! How an engine searches positions.

use std::time::Duration;

use clap::Args;
use engine::{Limit, SearcherOptions};
use run::{
    Context, SettingError,
    values::{defaults, number_or_text, parse_policy_setting, policy_settings},
};
use serde::{Deserialize, Serialize};

use super::nodes::Nodes;

/// How an engine searches positions.
#[derive(Args, Clone, Debug, Deserialize, Serialize)]
#[serde(default)]
pub struct SearchSettings {
    /// Search each position for N nodes, such as 1M or 50k
    #[arg(long, value_name = "N", default_value_t, hide_default_value = true, conflicts_with = "depth")]
    #[serde(with = "number_or_text")]
    pub nodes: Nodes,
    /// Search each position to this depth, in plies
    #[arg(long, value_name = "PLIES")]
    pub depth: Option<u16>,
    /// How many engines search at the same time, each on one thread [default: one per core]
    #[arg(long, value_name = "N")]
    pub jobs: Option<usize>,
    /// The hash table of each engine, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 16)]
    pub hash: u32,
    /// An option of the engine, such as SyzygyPath=/tb; may be repeated
    #[arg(long = "option", id = "options", value_name = "NAME=VALUE", value_parser = parse_policy_setting)]
    #[serde(with = "policy_settings")]
    pub options: Vec<(String, String)>,
    /// Seconds to wait for an answer before an engine is restarted. A search with --nodes may take one second
    /// longer for every 10,000 nodes; a search with --depth may take sixty times as long
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    pub engine_timeout: u32,
}

impl Default for SearchSettings {
    fn default() -> Self {
        defaults(&[])
    }
}

impl SearchSettings {
    /// The limit of each search: a number of nodes or a depth.
    pub(super) fn limit(&self) -> Result<Limit, SettingError> {
        match (self.nodes.0, self.depth) {
            (0, None) => Err(SettingError::missing("nodes", "nodes or a depth for each position")),
            (0, Some(0)) => Err(SettingError::new("depth", "at least 1", 0)),
            (0, Some(depth)) => Ok(Limit::Depth(depth)),
            (nodes, None) => Ok(Limit::Nodes(nodes)),
            _ => Err(SettingError::because("depth", "cannot be given with nodes")),
        }
    }

    /// Refuses settings that make a search impossible.
    ///
    /// # Errors
    ///
    /// Fails if the command cannot be read, or a setting is missing or makes no sense.
    pub fn check(&self, command: &str) -> Result<(), SettingError> {
        self.limit()?;
        engine::split(command).map_err(|error| SettingError::because("engine", error.to_string()))?;
        SettingError::new("jobs", "at least 1", 0).unless(self.jobs != Some(0))
    }

    pub(super) fn searchers(&self, command: &str, context: &Context) -> SearcherOptions {
        let defaults =
            [("Threads", "1".to_owned()), ("Hash", self.hash.to_string()), ("OwnBook", "false".into())];
        SearcherOptions {
            command: command.to_owned(),
            defaults: defaults.map(|(name, value)| (name.to_owned(), value)).into(),
            settings: self.options.clone(),
            patience: Duration::from_secs(self.engine_timeout.into()),
            stop: context.interrupt(),
        }
    }
}
