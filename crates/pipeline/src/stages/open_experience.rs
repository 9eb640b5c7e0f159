//! `open-experience`: what was learned earlier.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use table::ExperienceFile;

use crate::{Context, Flow, Result, catalogue::Stage, flow::ExperiencePath, recipe::read_settings};

/// Settings of `open-experience`.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct OpenExperienceSettings {
    /// The experience file.
    pub path: PathBuf,
}

/// Opens an experience file.
pub struct OpenExperience {
    settings: OpenExperienceSettings,
}

impl OpenExperience {
    pub(crate) fn read(section: &str, settings: toml::Table) -> Result<Self> {
        Ok(Self { settings: read_settings(section, settings)? })
    }
}

impl Stage for OpenExperience {
    fn note(&self) -> String {
        self.settings.path.display().to_string()
    }

    fn reads(&self) -> Vec<&Path> {
        vec![&self.settings.path]
    }

    fn run(&self, _: &Context, _: Vec<Flow>) -> Result<Flow> {
        let file = ExperienceFile::open(&self.settings.path)?;
        Ok(Flow::Experience(ExperiencePath::lasting(file.path().to_owned()).into()))
    }
}
