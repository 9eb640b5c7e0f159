//! The experience file that takes the place of the default artefact's own experience and receives edits.

use std::{
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError, RwLock, atomic::AtomicBool},
    thread,
    time::{Duration, Instant},
};

use axum::http::StatusCode;
use experience::{ExperienceFile, ExperienceSource, Job, LoadedRows, SetOptions, Setting};
use output::{Existing, LockError, OutputLock, Waiting};

use crate::{Result, answer::Refusal, artefacts::Stamp};

/// How long an edit waits for another writer of the file.
const LOCK: Duration = Duration::from_secs(5);
/// The pause between two attempts to lock.
const PAUSE: Duration = Duration::from_millis(20);

/// The rows of an experience file.
#[derive(Default)]
pub(crate) struct LoadedExperience {
    pub(crate) rows: LoadedRows,
    pub(crate) sources: Vec<ExperienceSource>,
    /// The stamp of the file; `None` if there was no file.
    pub(crate) stamp: Option<Stamp>,
}

impl LoadedExperience {
    /// Reads the file at `path`; if there is none, the result is empty.
    pub(crate) fn read(path: &Path) -> Result<Self> {
        let stamp = Stamp::of(path);
        if stamp.is_none() && !path.try_exists().unwrap_or(true) {
            return Ok(Self::default());
        }
        let file = ExperienceFile::open(path).map_err(query::Error::from)?;
        Ok(Self { rows: LoadedRows::read(&file)?, sources: file.header().sources.clone(), stamp })
    }
}

/// The experience file to which edits are written.
pub(crate) struct Edits {
    path: PathBuf,
    taught: RwLock<Arc<LoadedExperience>>,
    /// Locked while an edit is in progress.
    writing: Mutex<()>,
    /// The stamp of a newer file that could not be read.
    failed: RwLock<Option<Stamp>>,
    stop: Arc<AtomicBool>,
}

impl Edits {
    /// Reads the file at `path`, which need not exist.
    pub(crate) fn open(path: PathBuf, stop: Arc<AtomicBool>) -> Result<Self> {
        let taught = RwLock::new(Arc::new(LoadedExperience::read(&path)?));
        Ok(Self { path, taught, writing: Mutex::default(), failed: RwLock::default(), stop })
    }

    /// The experience as it was last read.
    pub(crate) fn taught(&self) -> Arc<LoadedExperience> {
        Arc::clone(&self.taught.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Reads the file again if it was replaced, and returns whether it was read. A file that cannot be read
    /// is reported only once.
    pub(crate) fn refresh(&self, report: impl Fn(&str)) -> bool {
        let stamp = Stamp::of(&self.path);
        let has_failed = *self.failed.read().unwrap_or_else(PoisonError::into_inner) == stamp;
        if stamp.is_none() || stamp == self.taught().stamp || has_failed {
            return false;
        }
        match LoadedExperience::read(&self.path) {
            Ok(taught) => {
                *self.taught.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(taught);
                true
            }
            Err(error) => {
                *self.failed.write().unwrap_or_else(PoisonError::into_inner) = stamp;
                report(&format!(
                    "{error}; the server keeps answering with the experience that it read before"
                ));
                false
            }
        }
    }

    /// Writes a setting, as `tabia learn set --continue` does, and returns the number of rows of the file.
    pub(crate) fn set(&self, fen: String, setting: Setting) -> Result<u64, Refusal> {
        let _writing = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        let _lock = self.lock()?;
        // If `try_exists` fails, the attempt to open the file reports the error.
        let old = self.path.try_exists().unwrap_or(true).then(|| self.path.clone());
        let options = SetOptions { fen: Some(fen), settings: experience::SettingsSource::One(setting), old };
        let job = Job { existing: Existing::Replace, stop: &self.stop };
        let written = experience::set(&options, &self.path, job).map_err(|error| self.refused(&error))?;
        let taught = LoadedExperience::read(&self.path);
        let taught =
            taught.map_err(|error| Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, error.to_string()))?;
        *self.taught.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(taught);
        Ok(written.rows)
    }

    /// Locks the file, waiting a while if another command holds the lock.
    fn lock(&self) -> Result<OutputLock, Refusal> {
        let begun = Instant::now();
        loop {
            match OutputLock::take(&self.path, Waiting::Refuse, &self.stop) {
                Ok(lock) => return Ok(lock),
                Err(LockError::Taken { .. }) if begun.elapsed() < LOCK => thread::sleep(PAUSE),
                Err(error) => {
                    let why = self.without_path(&error.to_string());
                    return Err(Refusal::new(StatusCode::SERVICE_UNAVAILABLE, why));
                }
            }
        }
    }

    fn refused(&self, error: &fault::Error) -> Refusal {
        let status =
            if error.kind().is_usage() { StatusCode::BAD_REQUEST } else { StatusCode::INTERNAL_SERVER_ERROR };
        Refusal::new(status, self.without_path(&error.to_string()))
    }

    /// Shows clients the file's name in place of its path, which they must not see.
    fn without_path(&self, text: &str) -> String {
        let name = self.path.file_name().map_or(self.path.as_path(), Path::new);
        text.replace(&self.path.display().to_string(), &name.display().to_string())
    }
}
