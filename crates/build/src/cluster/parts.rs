//! Where part files wait until all of them are there: a folder beside the table.

use std::{
    fs::{self, File},
    path::{Path, PathBuf},
};

use output::folder_of;

use super::{ClusterError, job::Job};
use crate::{Error, Result};

/// The folder of the parts of a table that a job makes.
pub(super) struct Parts(PathBuf);

impl Parts {
    /// Those of the table at `output`.
    pub(super) fn of(output: &Path, job: &str) -> Self {
        let name = output.file_name().unwrap_or_default().to_string_lossy();
        Self(folder_of(output).join(format!(".{name}.{job}.parts")))
    }

    /// Makes the folder, and gives the path at which an attempt writes a shard.
    pub(super) fn begin(output: &Path, job: Job, shard: u32, attempt: &str) -> Result<PathBuf> {
        let allowed = |letter: char| letter.is_ascii_alphanumeric() || "-_".contains(letter);
        if attempt.is_empty() || !attempt.chars().all(allowed) {
            return Err(ClusterError::AttemptName { given: attempt.to_owned() }.into());
        }
        let parts = Self::of(output, &job.to_string());
        fs::create_dir_all(&parts.0).map_err(failed("create", &parts.0))?;
        let folder = std::path::absolute(&parts.0).map_err(failed("find", &parts.0))?;
        Ok(folder.join(format!("part-{shard:05}.{attempt}.parquet")))
    }

    /// Waits until the name of a part is safe on disk.
    pub(super) fn sync(part: &Path) -> Result<()> {
        let folder = folder_of(part);
        File::open(folder).and_then(|folder| folder.sync_all()).map_err(failed("write in", folder))
    }

    /// Removes the folder with all that is in it, also what attempts left that died.
    pub(super) fn remove(&self) -> Result<()> {
        match fs::remove_dir_all(&self.0) {
            Err(source) if source.kind() != std::io::ErrorKind::NotFound => {
                Err(failed("remove", &self.0)(source))
            }
            _ => Ok(()),
        }
    }
}

fn failed<'p>(action: &'static str, path: &'p Path) -> impl Fn(std::io::Error) -> Error + 'p {
    move |source| Error::File { action, path: path.to_owned(), source }
}

/// Removes the file of an attempt that fails.
pub(super) struct OnFailure<'p>(pub(super) Option<&'p Path>);

impl Drop for OnFailure<'_> {
    fn drop(&mut self) {
        // What stays is swept when the table appears.
        self.0.map(|path| fs::remove_file(path).ok());
    }
}
