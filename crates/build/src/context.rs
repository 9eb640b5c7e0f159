//! What the stages of a run share.

use std::{
    ops::ControlFlow,
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
};

use output::Existing;
use pgn::input::{Expanded, Input};

use crate::{
    Error, Limits, Result,
    memory::Memory,
    progress::Progress,
    resume::{Job, Resume, folder_of_job},
    summary::{Summary, peak_rss_bytes},
};

/// How to run a plan, besides what its recipe says.
#[derive(Clone, Debug, Default)]
pub struct RunOptions {
    /// Replace outputs that exist.
    pub force: bool,
    /// Record what is counted, and go on with what a run before has recorded for this output, if there is
    /// any.
    pub resume: Option<PathBuf>,
    /// Set by the user to interrupt the run.
    pub interrupt: Arc<AtomicBool>,
    /// Where to count.
    pub progress: Arc<Progress>,
}

impl RunOptions {
    /// What to do about outputs that exist.
    #[must_use]
    pub fn existing(&self) -> Existing {
        Existing::replaced_if(self.force)
    }

    /// Whether to go on, or to break because the user interrupted the run.
    pub fn flow(&self) -> ControlFlow<()> {
        if self.interrupt.load(Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// What every stage of a run shares.
pub(crate) struct Context {
    /// Worker threads.
    pub(crate) threads: usize,
    /// How the memory is divided.
    pub(crate) memory: Memory,
    /// Where spilled runs go.
    pub(crate) temp_dir: PathBuf,
    /// Whether outputs that exist are replaced, who interrupts the run, and where to count.
    pub(crate) options: RunOptions,
    /// What is going on.
    pub(crate) progress: Arc<Progress>,
    summary: Mutex<Summary>,
    /// Where it is recorded what is counted, once that has begun.
    recorded: Mutex<Option<Arc<Resume>>>,
}

impl Context {
    /// A run within `limits` that spills to `temp_dir`.
    ///
    /// # Errors
    ///
    /// If the memory is too little for that many threads.
    pub(crate) fn new(limits: &Limits, temp_dir: PathBuf, options: RunOptions) -> Result<Self> {
        Ok(Self {
            threads: limits.threads(),
            memory: Memory::of(limits.memory_bytes(), limits.threads())?,
            temp_dir,
            progress: Arc::clone(&options.progress),
            options,
            summary: Mutex::new(Summary::new()),
            recorded: Mutex::default(),
        })
    }

    /// The record of what is counted, if the user asks for one.
    pub(crate) fn resume(&self, job: impl FnOnce() -> Result<Job>) -> Result<Option<Arc<Resume>>> {
        let Some(output) = &self.options.resume else { return Ok(None) };
        let resume = Arc::new(Resume::open(&folder_of_job(&self.temp_dir, output), &job()?)?);
        self.summary().resumed = resume.report();
        *self.recorded() = Some(Arc::clone(&resume));
        Ok(Some(resume))
    }

    /// Warns of what runs before have recorded for these outputs, if this run does not go on with it.
    pub(crate) fn warn_of_left_over(&self, outputs: impl Iterator<Item = PathBuf>) {
        if self.options.resume.is_some() {
            return;
        }
        let folders =
            outputs.map(|output| folder_of_job(&self.temp_dir, &output)).filter(|folder| folder.exists());
        self.summary().warnings.extend(folders.map(|folder| {
            format!(
                "{} holds what an interrupted run counted, and this run does not go on with it: \
                 remove it if it is not needed",
                folder.display()
            )
        }));
    }

    fn recorded(&self) -> MutexGuard<'_, Option<Arc<Resume>>> {
        self.recorded.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Removes the record of what was counted, when all outputs are there.
    pub(crate) fn forget_recorded(&self) -> Result<()> {
        self.recorded().take().map_or(Ok(()), |resume| resume.remove())
    }

    /// The error of a run that ends here: with where the record is, if anything was recorded; else it is
    /// removed.
    pub(crate) fn keep_recorded(&self, error: Error) -> Error {
        let Some(resume) = self.recorded().take() else { return error };
        if let Error::CannotResume { .. } = error {
            return error;
        }
        if resume.has_records() {
            return Error::Kept { error: Box::new(error), folder: resume.folder().to_owned() };
        }
        // What stopped the run matters more than an empty folder that stays.
        drop(resume.remove());
        error
    }

    /// What to do about outputs that exist.
    pub(crate) fn existing(&self) -> Existing {
        self.options.existing()
    }

    /// The flag that the user sets, for libraries that look at one.
    pub(crate) fn interrupt(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.options.interrupt)
    }

    /// How experience is written.
    pub(crate) fn experience_job(&self) -> experience::Job<'_> {
        experience::Job { existing: self.existing(), stop: &self.options.interrupt }
    }

    /// Stops here if the user asked for it.
    pub(crate) fn check_interrupt(&self) -> Result<()> {
        if self.options.interrupt.load(Relaxed) { Err(Error::Interrupted) } else { Ok(()) }
    }

    /// The same, for libraries that ask whether to go on.
    pub(crate) fn flow(&self) -> ControlFlow<()> {
        self.options.flow()
    }

    /// The inputs that names refer to; warns of those named more than once.
    pub(crate) fn inputs(&self, expanded: Expanded) -> Vec<Input> {
        let twice = |name| format!("{name} was named more than once; it is read once");
        self.summary().warnings.extend(expanded.repeated.into_iter().map(twice));
        expanded.inputs
    }

    /// Records an output.
    pub(crate) fn wrote(&self, path: &Path) {
        self.summary().outputs.push(path.display().to_string());
    }

    /// Adds to the seconds of a stage, if it has a name in the recipe.
    pub(crate) fn add_seconds(&self, stage: Option<&str>, seconds: f64) {
        if let Some(stage) = stage {
            *self.summary().seconds.entry(stage.to_owned()).or_default() += seconds;
        }
    }

    /// Seconds of all stages so far.
    pub(crate) fn seconds(&self) -> f64 {
        self.summary().seconds.values().sum()
    }

    /// The summary, to add to.
    pub(crate) fn summary(&self) -> MutexGuard<'_, Summary> {
        self.summary.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The summary, when all is done.
    pub(crate) fn into_summary(self) -> Summary {
        let mut summary = self.summary.into_inner().unwrap_or_else(PoisonError::into_inner);
        summary.peak_rss_bytes = peak_rss_bytes();
        summary
    }
}
