//! Runs a plan: each stage in order, on what its inputs gave.

use std::{
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    time::Instant,
};

use output::{Existing, folder_of};
use pgn::input::{Expanded, Input};

use crate::{
    Error, Flow, Limits, Plan, Result,
    progress::Progress,
    report::{Report, peak_rss_bytes},
    shares::Shares,
};

/// What every stage of a run shares.
pub struct Context {
    /// Worker threads.
    pub threads: usize,
    /// How the memory is divided.
    pub(crate) shares: Shares,
    /// Where spilled runs go.
    pub temp_dir: PathBuf,
    /// Whether outputs that exist are replaced.
    pub force: bool,
    /// Set to stop the run.
    pub cancel: Arc<AtomicBool>,
    /// What is going on.
    pub progress: Arc<Progress>,
    report: Mutex<Report>,
}

impl Context {
    /// What work shares that has a report of its own.
    pub(crate) fn new(limits: &Limits, temp_dir: PathBuf, options: RunOptions) -> Result<Self> {
        Ok(Self {
            threads: limits.threads(),
            shares: Shares::of(limits.memory_bytes(), limits.threads())?,
            temp_dir,
            force: options.force,
            cancel: options.cancel,
            progress: options.progress,
            report: Mutex::new(Report::new()),
        })
    }

    /// What to do about outputs that exist.
    pub(crate) fn existing(&self) -> Existing {
        Existing::replaced_if(self.force)
    }

    /// The options of the run, for work that needs nothing else of it.
    pub(crate) fn options(&self) -> RunOptions {
        let (cancel, progress) = (Arc::clone(&self.cancel), Arc::clone(&self.progress));
        RunOptions { force: self.force, cancel, progress }
    }

    /// The report, when all is done.
    pub(crate) fn into_report(self) -> Report {
        let mut report = self.report.into_inner().unwrap_or_else(PoisonError::into_inner);
        report.peak_rss_bytes = peak_rss_bytes();
        report
    }

    /// The report, to add to.
    pub fn report(&self) -> MutexGuard<'_, Report> {
        self.report.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Stops here if the user asked for it.
    ///
    /// # Errors
    ///
    /// [`Error::Interrupted`].
    pub fn check_cancelled(&self) -> Result<()> {
        if self.cancel.load(Relaxed) { Err(Error::Interrupted) } else { Ok(()) }
    }

    /// The inputs that names stand for; those named more than once are told.
    pub(crate) fn inputs(&self, expanded: Expanded) -> Vec<Input> {
        let twice = |name| format!("{name} was named more than once; it is read once");
        self.report().warnings.extend(expanded.repeated.into_iter().map(twice));
        expanded.inputs
    }

    /// Records an output.
    pub(crate) fn wrote(&self, path: &Path) {
        self.report().outputs.push(path.display().to_string());
    }
}

/// How to run a plan, besides what its recipe says.
#[derive(Clone, Debug, Default)]
pub struct RunOptions {
    /// Replace outputs that exist.
    pub force: bool,
    /// Set to stop the run.
    pub cancel: Arc<AtomicBool>,
    /// Where to count.
    pub progress: Arc<Progress>,
}

impl RunOptions {
    /// Stops here if the user asked for it.
    pub(crate) fn check_cancelled(&self) -> Result<()> {
        if self.cancel.load(Relaxed) { Err(Error::Interrupted) } else { Ok(()) }
    }
}

/// Runs `plan` to its end.
///
/// # Errors
///
/// [`Error::OutputExists`], or [`Error::File`] where a folder takes no files, before anything is read; otherwise whatever
/// stops a stage. Outputs that earlier stages
/// finished stay, nothing half-written does.
pub fn run(plan: &Plan, options: RunOptions) -> Result<Report> {
    if !options.force
        && let Some(path) = plan.outputs().find(|path| path.symlink_metadata().is_ok())
    {
        return Err(Error::OutputExists { path });
    }
    let temp_dir = temp_dir(plan);
    for folder in plan.outputs().map(|output| folder_of(&output).to_path_buf()).chain([temp_dir.clone()]) {
        check_writable(&folder)?;
    }
    let context = Context::new(&plan.limits, temp_dir, options)?;
    run_stages(plan, &context)?;
    Ok(context.into_report())
}

/// Each value is dropped as soon as its last taker has run, so sorted runs do not outlive their use.
fn run_stages(plan: &Plan, context: &Context) -> Result<()> {
    let mut flows: Vec<Option<Flow>> = Vec::new();
    for (at, node) in plan.nodes.iter().enumerate() {
        let inputs = node.inputs.iter().filter_map(|&input| flows[input].clone()).collect();
        for &input in &node.inputs {
            if !plan.nodes[at + 1..].iter().any(|later| later.inputs.contains(&input)) {
                flows[input] = None;
            }
        }
        let start = Instant::now();
        let flow = node.stage.run(context, inputs)?;
        assert_eq!(flow.port(), node.entry.gives, "stage kind {} against the catalogue", node.entry.kind);
        context.report().time(&node.name, start);
        flows.push(Some(flow));
    }
    Ok(())
}

/// The folder for spilled runs: as asked, else beside the first output, where there is room for it.
fn temp_dir(plan: &Plan) -> PathBuf {
    let beside_first =
        || plan.outputs().next().map_or_else(|| PathBuf::from("."), |path| folder_of(&path).to_path_buf());
    plan.limits.temp_dir.clone().unwrap_or_else(beside_first)
}

/// Finds out before hours of work whether a folder takes files.
fn check_writable(folder: &Path) -> Result<()> {
    tempfile::tempfile_in(folder).map(drop).map_err(|source| Error::File {
        action: "write in",
        path: folder.into(),
        source,
    })
}
