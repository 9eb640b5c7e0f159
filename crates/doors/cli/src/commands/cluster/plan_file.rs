//! Reads the output of `plan` from a file, for machines where no cluster engine starts the tasks.

use std::{
    cmp::Ordering,
    fs::File,
    io::{self, BufRead as _, BufReader, Seek as _, SeekFrom},
    path::{Path, PathBuf},
};

use anyhow::bail;
use cluster::{Chunk, CountSettings, Place, PlanId};
use fault::FileFault;
use run::values::as_text;
use serde::Deserialize;

use crate::exit::Usage;

/// A plan that is stored in a file. The first line is read when the file is opened. The line of a chunk is
/// read only when that chunk is requested.
pub(super) struct PlanFile {
    path: PathBuf,
    lines: BufReader<File>,
    /// The offsets in the file at which the first chunk's line begins and the last chunk's line ends.
    chunks: (u64, u64),
    head: PlanHead,
}

/// The first line of the file, which contains the plan's name and the flags that all chunks share.
#[derive(Deserialize)]
struct PlanHead {
    #[serde(with = "as_text")]
    plan: PlanId,
    flags: Flags,
}

#[derive(Deserialize)]
struct Flags {
    reduce: Vec<String>,
}

/// The part of a chunk's line that identifies the chunk.
#[derive(Deserialize)]
struct ChunkHead {
    chunk: u32,
}

impl PlanFile {
    pub(super) fn read(path: &Path) -> anyhow::Result<Self> {
        let mut head = String::new();
        let opened = File::open(path).and_then(|file| {
            let bytes = file.metadata()?.len();
            let mut lines = BufReader::new(file);
            lines.read_line(&mut head)?;
            Ok((lines, bytes))
        });
        let (lines, bytes) = opened.map_err(FileFault::of("read", path))?;
        let parsed = cluster::check_format(&head)
            .and_then(|()| serde_json::from_str(&head).map_err(|error| error.to_string()));
        let parsed = parsed.map_err(|why| no_plan(path, &why))?;
        Ok(Self { path: path.to_owned(), lines, chunks: (head.len() as u64, bytes), head: parsed })
    }

    /// Returns the chunk that a task counts; tasks are numbered from 0.
    pub(super) fn chunk(&mut self, task: u32) -> anyhow::Result<Chunk> {
        let plan = self.head.plan;
        if task >= plan.chunks {
            let (path, last) = (self.path.display(), plan.chunks - 1);
            bail!(Usage(format!("{path} has tasks 0 to {last}, but no task {task}")));
        }
        match self.line_of(task)? {
            Some(line) => Ok(Chunk::parse(&line, plan).map_err(run::Error::from)?),
            None => bail!(no_plan(&self.path, &format!("chunk {task} is missing or out of order"))),
        }
    }

    /// Finds a chunk's line by binary search; the lines are sorted by chunk number.
    fn line_of(&mut self, task: u32) -> anyhow::Result<Option<String>> {
        let (mut low, mut high) = self.chunks;
        while low < high {
            let middle = low + (high - low) / 2;
            let (start, line) = self.line_from(middle).map_err(FileFault::of("read", &self.path))?;
            if start >= high {
                high = middle;
                continue;
            }
            let numbered: ChunkHead =
                serde_json::from_str(&line).map_err(|error| no_plan(&self.path, &error.to_string()))?;
            match task.cmp(&numbered.chunk) {
                Ordering::Equal => return Ok(Some(line)),
                Ordering::Less => high = middle,
                Ordering::Greater => low = start + line.len() as u64,
            }
        }
        Ok(None)
    }

    /// Returns the first line that begins at `offset` or later, and the offset at which it begins.
    fn line_from(&mut self, offset: u64) -> io::Result<(u64, String)> {
        self.lines.seek(SeekFrom::Start(offset - 1))?;
        let before = self.lines.skip_until(b'\n')? as u64;
        let mut line = String::new();
        self.lines.read_line(&mut line)?;
        Ok((offset - 1 + before, line))
    }

    pub(super) fn plan(&self) -> PlanId {
        self.head.plan
    }

    pub(super) fn settings(&self) -> anyhow::Result<CountSettings> {
        Ok(serde_json::from_str(self.flag("--settings")?)?)
    }

    /// The table that the count writes.
    pub(super) fn output(&self) -> anyhow::Result<Place> {
        Ok(Place::new(self.flag("-o")?)?)
    }

    fn flag(&self, name: &str) -> anyhow::Result<&str> {
        let mut words = self.head.flags.reduce.iter().skip_while(|word| *word != name);
        let path = self.path.display();
        let missing = || Usage(format!("{path}: the plan was made without {name}"));
        Ok(words.nth(1).ok_or_else(missing)?)
    }
}

fn no_plan(path: &Path, why: &str) -> Usage {
    let path = path.display();
    Usage(format!("{path} is not a plan that `tabia cluster plan` wrote: {why}"))
}
