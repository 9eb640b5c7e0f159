//! The files that a learning stage reads and writes.

use std::path::{Path, PathBuf};

use clap::Args;
use experience::ExperienceFile;
use run::{FileFormat, Output, Result, SettingError};
use serde::{Deserialize, Serialize};

/// The files that a learning stage writes, and the experience file that it continues.
#[derive(Args, Clone, Debug, Default, Deserialize, Serialize)]
#[command(next_help_heading = "Outputs")]
#[serde(default)]
pub struct LessonFiles {
    /// The experience file to write
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Continue from this experience file
    #[arg(id = "continue", long = "continue", value_name = "FILE")]
    #[serde(rename = "continue")]
    pub old: Option<PathBuf>,
    /// Write a list of rejected items to this file, one JSON object per line; `-` is standard output
    #[arg(long, value_name = "FILE")]
    pub rejects: Option<PathBuf>,
}

impl LessonFiles {
    pub(crate) fn outputs(&self) -> Vec<Output> {
        [FileFormat::Experience.at(&self.output), FileFormat::Json.at(&self.rejects)].concat()
    }

    /// Checks that the experience is not written to standard output.
    pub(crate) fn check(&self) -> Result<(), SettingError> {
        self.output.as_deref().map_or(Ok(()), |output| SettingError::check_not_stdout("output", output))
    }

    /// Opens the experience file to continue from, if there is one.
    pub(crate) fn open_old(&self) -> Result<Option<ExperienceFile>> {
        Ok(self.old.as_deref().map(ExperienceFile::open).transpose()?)
    }

    /// The paths that are read: `paths`, and the experience file to continue from.
    pub(crate) fn reads<'f>(&'f self, paths: &'f [String]) -> Vec<&'f Path> {
        paths.iter().map(Path::new).chain(self.old.as_deref()).collect()
    }
}
