//! `open-table`: a table made earlier.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::{Context, Flow, Result, catalogue::Stage, counts::Counts, recipe::read_settings};

/// Settings of `open-table`.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct OpenTableSettings {
    /// The table's folder.
    pub path: PathBuf,
}

/// Opens a table.
pub struct OpenTable {
    settings: OpenTableSettings,
}

impl OpenTable {
    pub(crate) fn read(section: &str, settings: toml::Table) -> Result<Self> {
        Ok(Self { settings: read_settings(section, settings)? })
    }
}

impl Stage for OpenTable {
    fn note(&self) -> String {
        self.settings.path.display().to_string()
    }

    fn reads(&self) -> Vec<&Path> {
        vec![&self.settings.path]
    }

    fn run(&self, _: &Context, _: Vec<Flow>) -> Result<Flow> {
        let table = table::Table::open(&self.settings.path)?;
        Ok(Flow::Table(Counts::Table(table).into()))
    }
}
