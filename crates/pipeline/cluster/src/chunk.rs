//! The plan: inputs cut into chunks, each read by one task.

use std::ops::Range;

use games::ReadGames;
use pgn::input::{self, Input};
use pipeline::{
    recipe::{
        Plan,
        builtin::{self, Games},
    },
    stages::SortMerge,
};
use run::{Limits, Result, RunOptions};
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::{Xxh3Default, xxh3_64};

use super::{
    ClusterError, CountSettings, Place, PlanId, place,
    trace::{CheckInputs, Trace},
};

/// Version of chunks and lines. It rises with every change that another version would misread.
pub(super) const FORMAT: u32 = 2;

/// The format whose chunks have neither trace nor seal.
const UNSEALED: u32 = 1;

/// The games that start in a range of a file's bytes. Offsets count bytes as stored.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct Chunk {
    /// Version of this object.
    pub format: u32,
    /// The plan that the chunk belongs to.
    pub plan: PlanId,
    /// The number of the chunk, from 0.
    pub chunk: u32,
    /// How many chunks the plan has.
    pub of: u32,
    /// The input: an absolute path, or a URL.
    pub file: String,
    /// Offset of the range's first byte.
    pub start: u64,
    /// Offset after its last byte.
    pub end: u64,
    /// Bytes of the whole input.
    pub bytes: u64,
    /// What shows that the input has not changed since.
    #[serde(flatten)]
    pub trace: Trace,
    /// XXH3-64 of all of the above, so that a chunk that was changed is found by itself. Plans of format 1 do
    /// not have it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub seal: String,
}

/// Refuses a count that machines cannot share, or that `tabia count` would refuse.
///
/// # Errors
///
/// The setting; an output that exists and is not to be replaced, or that is in the way of an input.
pub fn check_count(
    paths: &[String],
    settings: &CountSettings,
    output: Option<&Place>,
    run: &RunOptions,
) -> Result<()> {
    settings.check()?;
    let read = ReadGames { paths: paths.to_vec(), options: settings.read.clone() };
    let games = Games { read, replay: settings.replay.clone() };
    let folder = output.map(|output| output.to_string().into());
    let tally = SortMerge { output: folder, sorting: settings.sorting.clone(), ..SortMerge::default() };
    Plan::new(&builtin::count(games, tally, Limits::default()))?;
    output.map_or(Ok(()), |output| output.check_output(run))
}

/// Cuts the inputs that `paths` name into chunks of about `chunk_bytes` bytes as stored. Plain files are
/// cut at any byte and pzstd files between frames; any other file is one chunk. The second value has the
/// warnings.
///
/// # Errors
///
/// If an input is a stream, cannot be read, or is not PGN.
pub fn plan(paths: &[String], chunk_bytes: u64, check: CheckInputs) -> Result<(Vec<Chunk>, Vec<String>)> {
    if paths.iter().any(|path| path == "-") {
        return Err(ClusterError::Stdin.into());
    }
    let (inputs, repeated) = place::expand(paths)?;
    let twice = |name: &String| format!("{name} was named more than once; it is read once");
    let warnings = repeated.iter().map(twice).collect();
    let mut chunks = Vec::new();
    for input in inputs {
        let file = Place::absolute(input.name())?;
        let sections = input::sections(input, chunk_bytes)?;
        let seen = place::look(&file)?;
        check_length(&file, sections.bytes, seen.bytes)?;
        for Range { start, end } in sections.list {
            let trace = Trace::of(&seen, &file, start..end, check)?;
            let (format, plan, file, bytes) = (FORMAT, PlanId::default(), file.clone(), seen.bytes);
            let seal = String::new();
            chunks.push(Chunk { format, plan, chunk: 0, of: 0, file, start, end, bytes, trace, seal });
        }
    }
    number(&mut chunks);
    Ok((chunks, warnings))
}

/// Gives chunks their numbers and the name of their plan.
fn number(chunks: &mut [Chunk]) {
    let plan = plan_of(chunks.iter());
    for (chunk, number) in chunks.iter_mut().zip(0..) {
        (chunk.plan, chunk.chunk, chunk.of) = (plan, number, plan.chunks);
        chunk.seal = chunk.sealed();
    }
}

/// The name of the plan that has these chunks, in order.
pub(super) fn plan_of<'c>(chunks: impl ExactSizeIterator<Item = &'c Chunk>) -> PlanId {
    let (mut hash, count) = (Xxh3Default::new(), chunks.len() as u32);
    for chunk in chunks {
        let Chunk { file, start, end, bytes, .. } = chunk;
        if chunk.format == UNSEALED {
            for number in [file.len() as u64, *start, *end, *bytes] {
                hash.update(&number.to_le_bytes());
            }
            hash.update(file.as_bytes());
            continue;
        }
        let (plan, seal) = (PlanId::default(), String::new());
        hash.update(Chunk { plan, chunk: 0, of: 0, seal, ..chunk.clone() }.text().as_bytes());
    }
    PlanId { digest: hash.digest(), chunks: count }
}

impl Chunk {
    /// Reads a line of a plan.
    ///
    /// # Errors
    ///
    /// [`ClusterError::Chunk`] if the line is not a chunk.
    pub fn parse(line: &str) -> Result<Self, ClusterError> {
        let bad = |why: String| ClusterError::Chunk(why);
        let chunk: Self = serde_json::from_str(line).map_err(|error| bad(error.to_string()))?;
        if chunk.format > FORMAT {
            return Err(bad(format!(
                "its format is {}, and this version reads up to {FORMAT}",
                chunk.format
            )));
        }
        if !chunk.is_as_planned() {
            return Err(bad(format!("chunk {} was changed: plan again", chunk.chunk)));
        }
        let sound = chunk.chunk < chunk.of && chunk.of == chunk.plan.chunks;
        let in_file = chunk.start <= chunk.end && chunk.end <= chunk.bytes;
        if sound && in_file { Ok(chunk) } else { Err(bad("its numbers make no sense".into())) }
    }

    /// The games of the chunk.
    ///
    /// # Errors
    ///
    /// [`ClusterError::Changed`] or [`ClusterError::Rewritten`] if the file is not the one that was planned.
    pub(super) fn input(&self) -> Result<Input> {
        self.check(false)?;
        let input = place::open(&self.file)?;
        let is_whole = (self.start, self.end) == (0, self.bytes);
        Ok(if is_whole { input } else { input.only(self.start..self.end) })
    }

    /// Compares the file with what was planned: before it is read, and after that.
    ///
    /// # Errors
    ///
    /// [`ClusterError::Changed`] or [`ClusterError::Rewritten`] if it differs.
    pub(super) fn check(&self, is_read: bool) -> Result<()> {
        let seen = place::look(&self.file)?;
        check_length(&self.file, self.bytes, seen.bytes)?;
        match self.trace.difference(&seen, &self.file, self.start..self.end, is_read)? {
            None => Ok(()),
            Some((expected, got)) => {
                let (file, chunk) = (self.file.clone(), self.chunk);
                Err(ClusterError::Rewritten { file, chunk, expected, got }.into())
            }
        }
    }

    /// Whether the chunk is what the plan said.
    pub(super) fn is_as_planned(&self) -> bool {
        if self.format == UNSEALED { self.seal.is_empty() } else { self.seal == self.sealed() }
    }

    fn sealed(&self) -> String {
        let text = Self { seal: String::new(), ..self.clone() }.text();
        format!("{:016x}", xxh3_64(text.as_bytes()))
    }

    fn text(&self) -> String {
        let Ok(text) = serde_json::to_string(self) else { unreachable!("it has plain values") };
        text
    }
}

fn check_length(file: &str, expected: u64, got: u64) -> Result<()> {
    if expected == got {
        return Ok(());
    }
    Err(ClusterError::Changed { file: file.to_owned(), expected, got }.into())
}
