//! `export-parquet`: counts as readable Parquet.

use std::path::{Path, PathBuf};

use analysis::{ExportOptions, KeyType, Openings};
use serde::{Deserialize, Serialize};

use crate::{
    Context, Error, Flow, Result,
    catalogue::Stage,
    exporting::export_edges,
    flow::{all_inputs, only_input},
    recipe::read_settings,
};

/// Settings of `export-parquet`.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct ParquetSettings {
    /// The folder.
    pub output: PathBuf,
    /// How keys are written: `u64`, or `i64` for engines without unsigned numbers.
    #[serde(default = "unsigned")]
    pub key_type: String,
    /// Whether moves go to a folder a month, as Hive lays them out.
    #[serde(default)]
    pub month_folders: bool,
    /// Columns that are left out.
    #[serde(default)]
    pub without: Vec<String>,
    /// Names of openings: a TSV of eco, name and pgn; the bundled catalogue if not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub openings: Option<PathBuf>,
}

fn unsigned() -> String {
    KeyType::U64.name().into()
}

impl Default for ParquetSettings {
    fn default() -> Self {
        Self {
            output: PathBuf::new(),
            key_type: unsigned(),
            month_folders: false,
            without: Vec::new(),
            openings: None,
        }
    }
}

/// Writes readable Parquet.
pub struct ExportParquet {
    settings: ParquetSettings,
    key_type: KeyType,
}

impl ExportParquet {
    pub(crate) fn read(section: &str, settings: toml::Table) -> Result<Self> {
        let settings: ParquetSettings = read_settings(section, settings)?;
        let key_type = key_type(section, &settings.key_type)?;
        Ok(Self { settings, key_type })
    }

    fn openings(&self) -> Result<Openings> {
        let Some(path) = &self.settings.openings else { return Ok(Openings::bundled()) };
        let text = std::fs::read_to_string(path).map_err(|source| Error::File {
            action: "read",
            path: path.clone(),
            source,
        })?;
        Ok(Openings::parse_tsv(&text)?)
    }
}

/// Reads how keys are written.
pub(super) fn key_type(section: &str, text: &str) -> Result<KeyType> {
    KeyType::from_name(text)
        .ok_or_else(|| Error::Recipe(format!("{section} `key_type`: `{text}` is neither u64 nor i64")))
}

impl Stage for ExportParquet {
    fn note(&self) -> String {
        let folders = if self.settings.month_folders { ", a folder a month" } else { "" };
        format!("{}, keys {}{folders}", self.settings.output.display(), self.settings.key_type)
    }

    fn outputs(&self) -> Vec<PathBuf> {
        vec![self.settings.output.clone()]
    }

    fn reads(&self) -> Vec<&Path> {
        self.settings.openings.iter().map(PathBuf::as_path).collect()
    }

    fn run(&self, context: &Context, mut inputs: Vec<Flow>) -> Result<Flow> {
        let experience = all_inputs!(inputs.split_off(1), Experience);
        let counts = only_input!(inputs, Table);
        let options = ExportOptions {
            key_type: self.key_type,
            month_folders: self.settings.month_folders,
            without: self.settings.without.clone(),
            threads: context.threads,
            memory_bytes: context.shares.leaves,
            temp_dir: context.temp_dir.clone(),
            force: context.force,
            metadata: vec![("tabia.counting".into(), counts.provenance()["counting"].to_string())],
        };
        let output = &self.settings.output;
        let written = export_edges(context, &counts, &experience, &self.openings()?, &options, output)?;
        context.wrote(output);
        context.report().exported.extend([
            ("moves".into(), written.moves),
            ("positions".into(), written.positions),
            ("openings".into(), written.openings),
            ("positions without a FEN".into(), written.unreached_positions),
        ]);
        Ok(Flow::File)
    }
}
