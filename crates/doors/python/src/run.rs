//! `count` and `build`: turn keyword arguments into a recipe and run it while Python handles signals.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::Relaxed},
        mpsc::{RecvTimeoutError, channel},
    },
    thread,
    time::Duration,
};

use ::run::{MemoryMib, Progress, Resumable, RunOptions, Summary};
use clap::Args;
use fault::Kind;
use games::{ReadGames, Replay};
use pipeline::{
    recipe::{Plan, Recipe, run as run_plan},
    stages::{Compact, ExportPolyglot, SortMerge},
};
use pyo3::{
    prelude::*,
    types::{PyDict, PyTuple},
};
use teach::LearnCrafty;
use toml::{Table, Value};

use crate::{
    error::{Error, failed},
    values::{to_python, to_toml},
};

/// The interval at which signals are checked and progress is shown.
const TICK: Duration = Duration::from_millis(100);
/// Arguments of stages that cannot be given as settings: they are inputs and outputs, which callers pass
/// separately.
const PLACES: [&str; 5] = ["paths", "output", "table", "polyglot", "parquet"];

/// A stage of the recipe that is being written.
struct Draft {
    name: &'static str,
    kind: &'static str,
    inputs: Vec<&'static str>,
    /// The settings of the stage.
    keys: Vec<String>,
    settings: Table,
}

impl Draft {
    fn new<T: Args>(name: &'static str, kind: &'static str, inputs: &[&'static str]) -> Self {
        let command = T::augment_args(clap::Command::new(""));
        let keys = command.get_arguments().map(|argument| argument.get_id().to_string());
        let keys = keys.filter(|key| !PLACES.contains(&key.as_str())).collect();
        Self { name, kind, inputs: inputs.to_vec(), keys, settings: Table::new() }
    }

    fn with(mut self, key: &str, value: impl Into<Value>) -> Self {
        self.settings.insert(key.into(), value.into());
        self
    }
}

/// The inputs and outputs.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Places {
    paths: Vec<String>,
    book: Option<String>,
    table: Option<String>,
    polyglot: Option<String>,
    parquet: Option<String>,
    learn: Vec<String>,
}

/// Runs a count, or a build if a book is named. `settings` contains the settings of the recipe's stages as
/// well as `memory`, `threads` and `temp_dir`; `options` contains the flags of the run, such as `force`.
/// `progress` is called ten times a second, and may stop the run by raising an exception. Returns the
/// summary.
#[pyfunction]
#[pyo3(signature = (places, settings, options, progress=None))]
pub(crate) fn run(
    py: Python<'_>,
    places: Places,
    settings: &Bound<'_, PyDict>,
    options: &Bound<'_, PyDict>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Py<PyAny>> {
    let flag =
        |name: &str| -> PyResult<bool> { options.get_item(name)?.map_or(Ok(false), |value| value.extract()) };
    let resumed =
        places.book.as_ref().or(places.table.as_ref()).filter(|_| matches!(flag("resume"), Ok(true)));
    let options = RunOptions {
        force: flag("force")?,
        strict: flag("strict")?,
        allow_empty: flag("allow_empty")?,
        resume: resumed.map(Into::into),
        ..RunOptions::default()
    };
    let recipe = recipe(&places, settings)?;
    let plan = Plan::new(&recipe).map_err(failed)?;
    let summary = run_watched(py, plan, options, progress)?;
    to_python(py, &serde_json::to_value(summary).map_err(failed)?)
}

/// The stages for these inputs and outputs, without settings.
fn drafts(places: &Places) -> Vec<Draft> {
    let texts = |texts: &[String]| Value::Array(texts.iter().cloned().map(Value::String).collect());
    let mut tally = Draft::new::<SortMerge>("tally", "sort-merge", &["replay"]);
    if let Some(table) = &places.table {
        tally = tally.with("output", table.clone());
    }
    let mut drafts = vec![
        Draft::new::<ReadGames>("games", "read-games", &[]).with("paths", texts(&places.paths)),
        Draft::new::<Replay>("replay", "replay", &["games"]),
        tally,
    ];
    let Some(book) = &places.book else { return drafts };
    let mut inputs = vec!["tally"];
    if !places.learn.is_empty() {
        let mut learn = Draft::new::<LearnCrafty>("learn", "learn-crafty", &["tally"]);
        // Only the stage `replay` writes a list of rejects, because two stages cannot write to the same file.
        learn.keys.retain(|key| !key.starts_with("rejects"));
        drafts.push(learn.with("paths", texts(&places.learn)));
        inputs.push("learn");
    }
    drafts.push(Draft::new::<Compact>("book", "compact", &inputs).with("output", book.clone()));
    if let Some(polyglot) = &places.polyglot {
        let draft = Draft::new::<ExportPolyglot>("polyglot", "export-polyglot", &["book"]);
        drafts.push(draft.with("output", polyglot.clone()));
    }
    if let Some(parquet) = &places.parquet {
        // The export takes no settings. It contains all counts, like the export that the command line writes
        // along with a book.
        let (name, kind, keys) = ("parquet", "export-parquet", Vec::new());
        drafts
            .push(Draft { name, kind, inputs, keys, settings: Table::new() }.with("output", parquet.clone()));
    }
    drafts
}

/// Writes the recipe. Each setting is applied to every stage that has it.
fn recipe(places: &Places, settings: &Bound<'_, PyDict>) -> PyResult<Recipe> {
    let (mut drafts, mut limits) = (drafts(places), Table::new());
    for (name, value) in settings {
        if value.is_none() {
            continue;
        }
        let name = name.extract::<String>()?;
        let value = to_toml(&value)?;
        match (name.as_str(), &value) {
            ("memory", Value::String(size)) => {
                let memory: MemoryMib = size.parse().map_err(failed)?;
                limits.insert("memory_mib".into(), Value::Integer(memory.0.cast_signed()));
                continue;
            }
            ("memory_mib" | "threads" | "temp_dir", _) => {
                limits.insert(name, value);
                continue;
            }
            _ => {}
        }
        let mut is_known = false;
        for draft in drafts.iter_mut().filter(|draft| draft.keys.contains(&name)) {
            draft.settings.insert(name.clone(), value.clone());
            is_known = true;
        }
        if !is_known {
            return Err(unknown(&name, &drafts));
        }
    }
    let mut stages = Table::new();
    for Draft { name, kind, inputs, mut settings, .. } in drafts {
        settings.insert("kind".into(), kind.into());
        if !inputs.is_empty() {
            settings.insert("inputs".into(), inputs.into());
        }
        stages.insert(name.into(), settings.into());
    }
    let pipeline = Table::from_iter([("format".to_owned(), Value::Integer(1))]);
    let sections = [("pipeline", pipeline), ("limits", limits), ("stage", stages)];
    let text = Table::from_iter(sections.map(|(name, section)| (name.to_owned(), section.into())));
    Recipe::parse(&text.to_string()).map_err(failed)
}

fn unknown(name: &str, drafts: &[Draft]) -> PyErr {
    let mut keys: Vec<_> = drafts.iter().flat_map(|draft| &draft.keys).map(String::as_str).collect();
    keys.extend(["memory", "threads", "temp_dir"]);
    keys.sort_unstable();
    keys.dedup();
    let known = keys.join(", ");
    Error::new_err(format!("there is no setting `{name}`; the settings are {known}"))
}

/// Runs a plan on a separate thread. Ctrl-C, or an exception raised by `progress`, stops the run, and nothing
/// is written.
fn run_watched(
    py: Python<'_>,
    plan: Plan,
    options: RunOptions,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Summary> {
    let (interrupt, counters) = (Arc::clone(&options.interrupt), Arc::clone(&options.progress));
    let (send, receive) = channel();
    let worker = thread::Builder::new().name("tabia".into()).spawn(move || {
        // The receiver cannot have been dropped, because it waits for this message.
        let _ = send.send(run_plan(&plan, options));
    })?;
    let receive = std::sync::Mutex::new(receive);
    let wait =
        || receive.lock().map_or(Err(RecvTimeoutError::Disconnected), |receive| receive.recv_timeout(TICK));
    loop {
        match py.detach(wait) {
            Ok(done) => {
                show(progress, &counters)?;
                return done.map_err(|error| Error::new_err(with_advice(&error)));
            }
            Err(RecvTimeoutError::Disconnected) => {
                return Err(stopped(py, worker, &interrupt, "it panicked"));
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
        if let Err(error) = py.check_signals().and_then(|()| show(progress, &counters)) {
            interrupt.store(true, Relaxed);
            // The run's own error only says that it was stopped, so the exception is returned in its place.
            let _ = py.detach(|| worker.join());
            return Err(error);
        }
    }
}

/// The error to report when the thread of a run ended without a result.
fn stopped(py: Python<'_>, worker: thread::JoinHandle<()>, interrupt: &AtomicBool, why: &str) -> PyErr {
    interrupt.store(true, Relaxed);
    // The panic has already printed its message.
    let _ = py.detach(|| worker.join());
    Error::new_err(format!("the run ended without a result: {why}"))
}

/// Calls `progress(phase, unit, counts)`, if there is such a callback.
fn show(progress: Option<&Bound<'_, PyAny>>, counters: &Progress) -> PyResult<()> {
    let Some(progress) = progress else { return Ok(()) };
    let counts = [
        &counters.bytes_done,
        &counters.bytes_total,
        &counters.games,
        &counters.rejected,
        &counters.spilled_bytes,
        &counters.steps_done,
        &counters.steps_total,
    ];
    let counts = PyTuple::new(progress.py(), counts.map(|count| count.load(Relaxed)))?;
    progress.call1((counters.phase(), counters.unit(), counts)).map(drop)
}

/// The message of an error, together with the argument that would avoid the error.
fn with_advice(error: &::run::Error) -> String {
    let advice = match error.kind() {
        _ if error.is::<Resumable>() => "make the same call with resume=True to continue from there",
        Kind::Exists => "choose another output, or use force=True to replace it",
        Kind::Empty => "nothing was written; allow_empty=True writes it anyway",
        Kind::LongWindow => "long_window=True allows it",
        Kind::WindowBeyondMemory => "allow more memory",
        _ => return error.to_string(),
    };
    format!("{error}; {advice}")
}
