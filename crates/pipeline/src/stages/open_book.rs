//! `open-book`: a book made earlier.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::{Context, Flow, Result, catalogue::Stage, recipe::read_settings};

/// Settings of `open-book`.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct OpenBookSettings {
    /// The book.
    pub path: PathBuf,
}

/// Names a book; what takes it opens it.
pub struct OpenBook {
    settings: OpenBookSettings,
}

impl OpenBook {
    pub(crate) fn read(section: &str, settings: toml::Table) -> Result<Self> {
        Ok(Self { settings: read_settings(section, settings)? })
    }
}

impl Stage for OpenBook {
    fn note(&self) -> String {
        self.settings.path.display().to_string()
    }

    fn reads(&self) -> Vec<&Path> {
        vec![&self.settings.path]
    }

    fn run(&self, _: &Context, _: Vec<Flow>) -> Result<Flow> {
        Ok(Flow::Book(self.settings.path.clone()))
    }
}
