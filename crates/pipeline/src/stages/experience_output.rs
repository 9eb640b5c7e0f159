//! Where a stage that learns writes: to a file that stays, or to one for this run alone.

use std::path::{Path, PathBuf};

use tempfile::TempPath;

use crate::{Context, Error, Flow, Result, flow::ExperiencePath};

/// The output of a stage that learns.
pub(super) enum ExperienceOutput {
    /// The user named it.
    Lasting(PathBuf),
    /// Nobody did; the folder and everything in it goes with the run.
    Temporary(TempPath),
}

impl ExperienceOutput {
    pub(super) fn create(context: &Context, named: Option<&Path>) -> Result<Self> {
        if let Some(path) = named {
            return Ok(Self::Lasting(path.into()));
        }
        let named =
            tempfile::Builder::new().prefix(".tabia-").suffix(".experience").tempfile_in(&context.temp_dir);
        let failed = |source| Error::File { action: "write in", path: context.temp_dir.clone(), source };
        let path = named.map_err(failed)?.into_temp_path();
        // The name is ours now; the writer wants to make the file itself.
        std::fs::remove_file(&path).map_err(failed)?;
        Ok(Self::Temporary(path))
    }

    pub(super) fn path(&self) -> &Path {
        match self {
            Self::Lasting(path) => path,
            Self::Temporary(path) => path,
        }
    }

    /// What flows on; a lasting file is told.
    pub(super) fn finish(self, context: &Context) -> Flow {
        Flow::Experience(
            match self {
                Self::Lasting(path) => {
                    context.wrote(&path);
                    ExperiencePath::lasting(path)
                }
                Self::Temporary(path) => ExperiencePath::temporary(path),
            }
            .into(),
        )
    }
}
