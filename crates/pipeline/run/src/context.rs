//! The state that the stages of a run share.

use std::{
    ops::ControlFlow,
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
};

use fault::Interrupt;
use output::{Existing, OutputLock, Prepared, Waiting, grouped};
use pgn::input::{Input, InputList};
use table::for_each_shard;

use crate::{
    Error, Limits, Result,
    memory::Memory,
    progress::Progress,
    publish::{RunRecord, RunRecords},
    summary::Summary,
};

/// Options for running a plan that are not part of its recipe.
#[derive(Clone, Debug, Default)]
pub struct RunOptions {
    /// Replace outputs that exist.
    pub force: bool,
    /// What to do if another command is writing the same output.
    pub waiting: Waiting,
    /// Whether a run that rejects games or records writes only the lists of what it rejected.
    pub strict: bool,
    /// The output whose path determines the name of the run's record. If a record of that name exists, the
    /// run continues from it.
    pub resume: Option<PathBuf>,
    /// Whether to write outputs even if no game counts or no move is kept.
    pub allow_empty: bool,
    /// The year and month of the run; `None` if the caller has no clock. The date may affect warnings, but
    /// never the outputs.
    pub today: Option<(u16, u8)>,
    /// Set when the user interrupts the run.
    pub interrupt: Arc<AtomicBool>,
    /// The counters of the run's progress.
    pub progress: Arc<Progress>,
}

impl RunOptions {
    /// What to do about outputs that exist.
    pub fn existing(&self) -> Existing {
        Existing::replaced_if(self.force)
    }

    /// Locks an output that this run reads and later replaces, so that no other command can replace it
    /// between these two steps.
    ///
    /// # Errors
    ///
    /// Fails with [`output::LockError`], or with [`Interrupt`] if the user interrupts the run while it waits.
    pub fn lock(&self, output: &Path) -> Result<OutputLock> {
        OutputLock::take(output, self.waiting, &self.interrupt).map_err(|error| Error::from(error).of_run())
    }

    /// Reports the progress of a walk through counts. Returns whether to continue.
    pub fn walked(&self, done: walk::WalkProgress) -> ControlFlow<()> {
        if done.shards_done == 0 {
            self.progress.enter(done.phase, done.shards);
        }
        self.progress.steps_done.fetch_max(u64::from(done.shards_done), Relaxed);
        self.flow()
    }

    /// Fails if the user interrupted the run.
    ///
    /// # Errors
    ///
    /// Fails with [`Interrupt`] if the user interrupted the run.
    #[inline]
    pub fn check_interrupt(&self) -> Result<()> {
        if self.interrupt.load(Relaxed) { Err(Interrupt.into()) } else { Ok(()) }
    }

    /// Returns `Continue`, or `Break` if the user interrupted the run.
    pub fn flow(&self) -> ControlFlow<()> {
        if self.interrupt.load(Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// The state that every stage of a run shares.
pub struct Context {
    /// Worker threads.
    pub threads: usize,
    /// How the memory is divided.
    pub memory: Memory,
    /// The folder of spilled runs.
    pub temp_dir: PathBuf,
    /// The options of the run.
    pub options: RunOptions,
    summary: Mutex<Summary>,
    outputs: Mutex<Outputs>,
    /// The on-disk records of the counts and searches that the run has begun so far.
    recorded: Mutex<Vec<Arc<dyn RunRecord>>>,
}

/// The outputs that a run has written. They are complete and on disk, but keep temporary names until all
/// outputs are complete.
#[derive(Default)]
pub struct Outputs {
    /// Lists of rejected games or records.
    pub lists: Vec<Prepared>,
    /// All other outputs.
    pub results: Vec<Prepared>,
}

impl Context {
    /// Makes the context of a run that stays within `limits` and spills to `temp_dir`.
    ///
    /// # Errors
    ///
    /// Fails if the memory limit is too low for the number of threads.
    pub fn new(limits: &Limits, temp_dir: PathBuf, options: RunOptions) -> Result<Self> {
        Ok(Self {
            threads: limits.threads(),
            memory: Memory::of(limits.memory_bytes(), limits.threads())?,
            temp_dir,
            options,
            summary: Mutex::new(Summary::new()),
            outputs: Mutex::default(),
            recorded: Mutex::default(),
        })
    }

    /// The counters of the run's progress.
    pub fn progress(&self) -> &Progress {
        &self.options.progress
    }

    /// Keeps a stage's record until the run is done, so that the run can be resumed if it is interrupted.
    pub fn keep_record(&self, record: Arc<dyn RunRecord>) {
        self.recorded.lock().unwrap_or_else(PoisonError::into_inner).push(record);
    }

    /// Removes and returns the records of counts and searches.
    pub fn take_recorded(&self) -> RunRecords {
        RunRecords(std::mem::take(&mut *self.recorded.lock().unwrap_or_else(PoisonError::into_inner)))
    }

    /// What to do about outputs that exist.
    pub fn existing(&self) -> Existing {
        self.options.existing()
    }

    /// The flag that is set when the user interrupts the run, for libraries to check.
    pub fn interrupt(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.options.interrupt)
    }

    /// The options of a sorter with `buckets` buckets that uses `memory_bytes` of the run's memory.
    pub fn sorting(&self, buckets: u32, memory_bytes: u64, threads: usize) -> extsort::Options {
        let (temp_dir, stop) = (self.temp_dir.clone(), self.interrupt());
        extsort::Options { buckets, temp_dir, stop, ..extsort::Options::new(memory_bytes, threads) }
    }

    /// Calls `work` for each shard, on all threads, and reports progress. Results are in the order of the
    /// shards.
    pub fn for_each_shard<T: Send>(
        &self,
        phase: &'static str,
        shards: u32,
        work: impl Fn(u32) -> Result<T> + Sync,
    ) -> Result<Vec<T>> {
        self.progress().enter(phase, shards);
        for_each_shard(
            self.threads,
            shards,
            || self.check_interrupt(),
            Error::is_consequence,
            |shard| work(shard).inspect(|_| self.progress().shard_done()),
        )
    }

    /// How experience is written.
    pub fn experience_job(&self) -> experience::Job<'_> {
        experience::Job { existing: self.existing(), stop: &self.options.interrupt }
    }

    /// Fails if the user interrupted the run.
    #[inline]
    pub fn check_interrupt(&self) -> Result<()> {
        self.options.check_interrupt()
    }

    /// Returns the inputs in the list. Warns about inputs that are listed more than once, but does not give
    /// the same warning twice.
    pub fn inputs(&self, expanded: InputList) -> Vec<Input> {
        let twice = match expanded.repeated.as_slice() {
            [] => return expanded.inputs,
            [name] => format!("{name} was given more than once, but is read only once"),
            [name, others @ ..] => {
                format!(
                    "{name} and {} others were given more than once, but each is read only once",
                    grouped(others.len() as u64)
                )
            }
        };
        let warnings = &mut self.summary().warnings;
        // Several stages may read the same inputs: for example, a repertoire's marks are read from the inputs
        // that are counted.
        if !warnings.contains(&twice) {
            warnings.push(twice);
        }
        expanded.inputs
    }

    /// Registers an output, which will appear together with all others at the end of the run. Until then,
    /// later stages can read it at the path returned.
    pub fn prepared(&self, output: Prepared) -> PathBuf {
        let path = output.temporary_path().to_owned();
        self.outputs().results.push(output);
        path
    }

    /// Registers a list of rejected games or records.
    pub fn prepared_list(&self, list: Prepared) {
        self.outputs().lists.push(list);
    }

    fn outputs(&self) -> MutexGuard<'_, Outputs> {
        self.outputs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds seconds to a stage's time; does nothing if the stage has no name in the recipe.
    pub fn add_seconds(&self, stage: Option<&str>, seconds: f64) {
        if let Some(stage) = stage {
            *self.summary().seconds.entry(stage.to_owned()).or_default() += seconds;
        }
    }

    /// How many seconds all stages have taken so far.
    pub fn seconds(&self) -> f64 {
        self.summary().seconds.values().sum()
    }

    /// The summary, to which stages add.
    pub fn summary(&self) -> MutexGuard<'_, Summary> {
        self.summary.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the summary and the outputs at the end of the run.
    pub fn finish(self) -> (Summary, Outputs) {
        let summary = self.summary.into_inner().unwrap_or_else(PoisonError::into_inner);
        (summary, self.outputs.into_inner().unwrap_or_else(PoisonError::into_inner))
    }
}
