//! A file that `plan` printed, for machines that no engine of a cluster starts.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::bail;
use cluster::{Chunk, CountSettings, Place, PlanId};
use fault::FileFault;
use serde::Deserialize;

use crate::exit::Usage;

/// A plan: its chunks, and what its lines say of the count.
pub(super) struct PlanFile {
    path: PathBuf,
    lines: Vec<String>,
    first: PlanLine,
}

/// What a line says besides its chunk.
#[derive(Deserialize)]
struct PlanLine {
    plan: PlanId,
    flags: Flags,
}

#[derive(Deserialize)]
struct Flags {
    reduce: Vec<String>,
}

impl PlanFile {
    pub(super) fn read(path: &Path) -> anyhow::Result<Self> {
        let text = fs::read_to_string(path).map_err(FileFault::of("read", path))?;
        let lines: Vec<_> = text.lines().map(str::to_owned).collect();
        let no_plan =
            |why: &str| Usage(format!("{}: no plan of `tabia cluster plan`: {why}", path.display()));
        let first = lines.first().ok_or_else(|| no_plan("it is empty"))?;
        let first = serde_json::from_str(first).map_err(|error| no_plan(&error.to_string()))?;
        Ok(Self { path: path.to_owned(), lines, first })
    }

    /// The chunk of a task, from 0.
    pub(super) fn chunk(&self, task: usize) -> anyhow::Result<Chunk> {
        let Some(line) = self.lines.get(task) else {
            let (path, last) = (self.path.display(), self.lines.len() - 1);
            bail!(Usage(format!("{path} has the tasks 0 to {last}, and no task {task}")));
        };
        Ok(Chunk::parse(line).map_err(run::Error::from)?)
    }

    pub(super) fn plan(&self) -> PlanId {
        self.first.plan
    }

    pub(super) fn settings(&self) -> anyhow::Result<CountSettings> {
        Ok(serde_json::from_str(self.flag("--settings")?)?)
    }

    /// The table that is made in the end.
    pub(super) fn output(&self) -> anyhow::Result<Place> {
        Ok(Place::new(self.flag("-o")?)?)
    }

    fn flag(&self, name: &str) -> anyhow::Result<&str> {
        let mut words = self.first.flags.reduce.iter().skip_while(|word| *word != name);
        let missing = || Usage(format!("{}: the plan was made without {name}", self.path.display()));
        Ok(words.nth(1).ok_or_else(missing)?)
    }
}
