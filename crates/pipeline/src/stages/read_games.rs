//! `read-games`: names inputs and how they are cut into chunks of whole games.

use serde::{Deserialize, Serialize};

use crate::{Context, Error, Flow, Result, catalogue::Stage, recipe::read_settings};

/// Settings of `read-games`.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct ReadGamesSettings {
    /// Files, folders, globs; `-` is standard input.
    pub paths: Vec<String>,
    /// Stop after so many games, in input order.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<u64>,
    /// Size of a chunk in KiB; counts never depend on it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chunk_kib: Option<u32>,
}

/// Names inputs; nothing is opened before a breaker pulls.
pub struct ReadGames {
    settings: ReadGamesSettings,
}

/// Where games come from.
pub struct GameStream {
    /// The inputs as named.
    pub settings: ReadGamesSettings,
}

impl ReadGames {
    pub(crate) fn read(section: &str, settings: toml::Table) -> Result<Self> {
        let settings: ReadGamesSettings = read_settings(section, settings)?;
        if settings.paths.is_empty() {
            return Err(Error::Recipe(format!("{section} needs `paths`: files, folders or globs of PGN")));
        }
        if settings.chunk_kib == Some(0) {
            return Err(Error::Recipe(format!("{section}: `chunk_kib` must be at least 1")));
        }
        Ok(Self { settings })
    }
}

impl Stage for ReadGames {
    fn note(&self) -> String {
        let limit = self.settings.limit.map_or(String::new(), |games| format!(", the first {games} games"));
        format!("{}{limit}", self.settings.paths.join(" "))
    }

    fn reads(&self) -> Vec<&std::path::Path> {
        self.settings.paths.iter().map(std::path::Path::new).collect()
    }

    fn run(&self, _: &Context, _: Vec<Flow>) -> Result<Flow> {
        Ok(Flow::Games(GameStream { settings: self.settings.clone() }.into()))
    }
}
