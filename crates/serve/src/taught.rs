//! The experience file that is read in place of the default artefact's own experience.

use std::path::Path;

use experience::LoadedRows;
use table::{ExperienceFile, ExperienceSource};

use crate::{Result, artefacts::Stamp};

/// The rows of an experience file.
#[derive(Default)]
pub(crate) struct Taught {
    pub(crate) rows: LoadedRows,
    pub(crate) sources: Vec<ExperienceSource>,
    /// The stamp of the file; `None` if there was none.
    pub(crate) stamp: Option<Stamp>,
}

impl Taught {
    /// Reads the file at `path`; without a file the result is empty.
    pub(crate) fn read(path: &Path) -> Result<Self> {
        let stamp = Stamp::of(path);
        if stamp.is_none() && !path.try_exists().unwrap_or(true) {
            return Ok(Self::default());
        }
        let file = ExperienceFile::open(path).map_err(query::Error::from)?;
        Ok(Self { rows: LoadedRows::read(&file)?, sources: file.header().sources.clone(), stamp })
    }
}
