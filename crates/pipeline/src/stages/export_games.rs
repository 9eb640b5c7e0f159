//! `export-games`: games as typed rows of Parquet.

use std::path::PathBuf;

use analysis::{DEFAULT_GAMES_A_PART, GameOptions, MoveList};
use serde::{Deserialize, Serialize};

use super::export_parquet::key_type;
use crate::{
    Context, Error, Flow, Result, catalogue::Stage, exporting::export_games, flow::only_input,
    recipe::read_settings,
};

/// Settings of `export-games`.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct GamesSettings {
    /// The folder.
    pub output: PathBuf,
    /// How moves are written: `uci`, or `packed` as Polyglot packs them.
    #[serde(default = "uci")]
    pub moves: String,
    /// How keys are written: `u64` or `i64`.
    #[serde(default = "unsigned")]
    pub key_type: String,
    /// Columns that are left out.
    #[serde(default)]
    pub without: Vec<String>,
    /// Games of a part file.
    #[serde(default = "games_a_part")]
    pub games_a_part: u64,
}

fn uci() -> String {
    MoveList::Uci.name().into()
}

fn unsigned() -> String {
    analysis::KeyType::U64.name().into()
}

fn games_a_part() -> u64 {
    DEFAULT_GAMES_A_PART
}

/// Writes games.
pub struct ExportGames {
    output: PathBuf,
    options: GameOptions,
}

impl ExportGames {
    pub(crate) fn read(section: &str, settings: toml::Table) -> Result<Self> {
        let settings: GamesSettings = read_settings(section, settings)?;
        let moves = MoveList::from_name(&settings.moves).ok_or_else(|| {
            Error::Recipe(format!("{section} `moves`: `{}` is neither uci nor packed", settings.moves))
        })?;
        if settings.games_a_part == 0 {
            return Err(Error::Recipe(format!("{section}: `games_a_part` must be at least 1")));
        }
        let options = GameOptions {
            moves,
            key_type: key_type(section, &settings.key_type)?,
            without: settings.without,
            games_a_part: settings.games_a_part,
            ..GameOptions::default()
        };
        Ok(Self { output: settings.output, options })
    }
}

impl Stage for ExportGames {
    fn note(&self) -> String {
        format!("{}, moves {}", self.output.display(), self.options.moves.name())
    }

    fn outputs(&self) -> Vec<PathBuf> {
        vec![self.output.clone()]
    }

    fn run(&self, context: &Context, inputs: Vec<Flow>) -> Result<Flow> {
        let stream = only_input!(inputs, Observations);
        let rows = GameOptions { force: context.force, ..self.options.clone() };
        let games = export_games(context, &stream, rows, &self.output)?;
        context.wrote(&self.output);
        context.report().exported.insert("games".into(), games);
        Ok(Flow::File)
    }
}
