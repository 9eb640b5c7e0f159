//! The plan: inputs cut into chunks, each read by one task.

use std::{
    ops::Range,
    sync::{Mutex, PoisonError},
};

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

/// The version of the format of plans and lines. It is raised for every incompatible change.
pub const FORMAT: u32 = 3;
/// The maximum number of inputs that are cut into chunks at the same time. A thread that does this spends
/// most of its time waiting for a store to answer.
const INPUTS_AT_ONCE: usize = 64;

/// The games that start in a byte range of a file. Offsets count bytes of the file as stored, which may be
/// compressed.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct Chunk {
    /// The number of the chunk, from 0.
    pub chunk: u32,
    /// The input: an absolute path, or a URL.
    pub file: String,
    /// The offset of the range's first byte.
    pub start: u64,
    /// The offset of the first byte after the range.
    pub end: u64,
    /// The length of the whole input in bytes.
    pub bytes: u64,
    /// The state of the input at the time of planning, used to detect later changes.
    #[serde(flatten)]
    pub trace: Trace,
    /// XXH3-64 of the plan's name and the fields above, so that a change to the chunk is detected even
    /// without the plan.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub seal: String,
    /// The plan that the chunk belongs to. The chunk's line does not contain this field.
    #[serde(skip)]
    pub plan: PlanId,
}

/// The plan of a count: the chunks into which its inputs are cut.
#[derive(Clone, Debug)]
pub struct ChunkPlan {
    /// The plan's name, computed from the chunks.
    pub name: PlanId,
    /// The chunks, in order.
    pub chunks: Vec<Chunk>,
    /// Warnings for the user.
    pub warnings: Vec<String>,
}

/// Checks that `tabia count` would accept this count, and that several machines can share it.
///
/// # Errors
///
/// Fails if a setting is invalid or needs one machine; the error names the setting. Also fails if the output
/// exists and must not be replaced, or if its path conflicts with that of an input.
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
    if let Some(list) = &settings.replay.list.rejects {
        output::check_file(list, run.existing()).map_err(fault::output(list))?;
    }
    output.map_or(Ok(()), |output| output.check_output(run))
}

/// Cuts the inputs in `paths` into chunks of about `chunk_bytes` bytes, as stored. Plain files can be cut
/// anywhere, pzstd files between frames; any other file becomes a single chunk. Several inputs are cut at
/// once.
///
/// # Errors
///
/// Fails if an input is a stream, cannot be read, or is not PGN.
pub fn plan(paths: &[String], chunk_bytes: u64, check: CheckInputs, run: &RunOptions) -> Result<ChunkPlan> {
    if paths.iter().any(|path| path == "-") {
        return Err(ClusterError::Stdin.into());
    }
    let (inputs, repeated) = place::expand(paths)?;
    let twice = |name: &String| format!("{name} was given more than once, but is read only once");
    let warnings = repeated.iter().map(twice).collect();
    run.progress.enter_steps("planning", inputs.len() as u64, "inputs");
    let inputs: Vec<_> = inputs.into_iter().map(|input| Mutex::new(Some(input))).collect();
    let cut = |number: u32| {
        let input = inputs[number as usize].lock().unwrap_or_else(PoisonError::into_inner).take();
        let chunks = input.map_or_else(|| Ok(Vec::new()), |input| chunks_of(input, chunk_bytes, check));
        run.progress.steps_done(1);
        chunks
    };
    let stop = || run.check_interrupt();
    let cut = table::for_each_shard(INPUTS_AT_ONCE, inputs.len() as u32, stop, |_| false, cut)?;
    let mut chunks: Vec<Chunk> = cut.into_iter().flatten().collect();
    for (chunk, number) in chunks.iter_mut().zip(0..) {
        chunk.chunk = number;
    }
    let of_inputs = chunks.chunk_by(|one, next| one.file == next.file);
    let digest = digest_of(of_inputs.map(|chunks| digest_of(chunks.iter().map(Chunk::digest))));
    let name = PlanId { digest, chunks: chunks.len() as u32 };
    for chunk in &mut chunks {
        chunk.plan = name;
        chunk.seal = chunk.sealed();
    }
    Ok(ChunkPlan { name, chunks, warnings })
}

/// Cuts an input into chunks, which are numbered later.
fn chunks_of(input: Input, chunk_bytes: u64, check: CheckInputs) -> Result<Vec<Chunk>> {
    let file = Place::absolute(input.name())?;
    let sections = input::sections(input, chunk_bytes)?;
    let seen = place::look(&file)?;
    check_length(&file, sections.bytes, seen.bytes)?;
    let chunk = |Range { start, end }| {
        let trace = Trace::of(&seen, &file, start..end, check)?;
        let (plan, file, bytes) = (PlanId::default(), file.clone(), seen.bytes);
        Ok(Chunk { chunk: 0, file, start, end, bytes, trace, seal: String::new(), plan })
    };
    sections.list.into_iter().map(chunk).collect()
}

/// Combines digests, in order, into a single digest. An input's digest combines the digests of its chunks,
/// and a plan's digest combines the digests of its inputs.
pub(super) fn digest_of(digests: impl Iterator<Item = u64>) -> u64 {
    let mut hash = Xxh3Default::new();
    digests.for_each(|digest| hash.update(&digest.to_le_bytes()));
    hash.digest()
}

/// Checks that a string has the format [`FORMAT`]. The text is the line of a shard or the first line of a
/// plan.
///
/// # Errors
///
/// Fails if the text cannot be parsed, or if its format has another number; the error then states that
/// number.
pub fn check_format(text: &str) -> Result<(), String> {
    #[derive(Deserialize)]
    struct Versioned {
        format: u32,
    }
    let Versioned { format } = serde_json::from_str(text).map_err(|error| error.to_string())?;
    if format == FORMAT {
        return Ok(());
    }
    Err(format!("its format is {format}, but this version reads only {FORMAT}: plan again"))
}

impl Chunk {
    /// Reads a line of a plan.
    ///
    /// # Errors
    ///
    /// Fails with [`ClusterError::Chunk`] if the line does not describe a chunk of that plan.
    pub fn parse(line: &str, plan: PlanId) -> Result<Self, ClusterError> {
        let bad = |why: String| ClusterError::Chunk(why);
        let chunk: Self = serde_json::from_str(line).map_err(|error| bad(error.to_string()))?;
        let chunk = Self { plan, ..chunk };
        if !chunk.is_as_planned() {
            let number = chunk.chunk;
            let why = format!("chunk {number} was changed or belongs to another plan: plan again");
            return Err(bad(why));
        }
        let in_file = chunk.start <= chunk.end && chunk.end <= chunk.bytes;
        if chunk.chunk < plan.chunks && in_file {
            Ok(chunk)
        } else {
            Err(bad("its numbers make no sense".into()))
        }
    }

    /// Opens the chunk's part of its input.
    ///
    /// # Errors
    ///
    /// Fails with [`ClusterError::Changed`] or [`ClusterError::Rewritten`] if the file changed since it was
    /// planned.
    pub(super) fn input(&self) -> Result<Input> {
        self.check(false)?;
        let input = place::open(&self.file)?;
        let is_whole = (self.start, self.end) == (0, self.bytes);
        Ok(if is_whole { input } else { input.only(self.start..self.end) })
    }

    /// Compares the file with the plan; `is_read` says whether the chunk has already been read.
    ///
    /// # Errors
    ///
    /// Fails with [`ClusterError::Changed`] or [`ClusterError::Rewritten`] if the file differs from the plan.
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

    /// Whether the seal still matches the chunk's fields.
    pub(super) fn is_as_planned(&self) -> bool {
        self.seal == self.sealed()
    }

    /// XXH3-64 of the chunk's line, without the plan and the seal.
    pub(super) fn digest(&self) -> u64 {
        xxh3_64(Self { seal: String::new(), ..self.clone() }.text().as_bytes())
    }

    fn sealed(&self) -> String {
        let text = format!("{} {:016x}", self.plan, self.digest());
        format!("{:016x}", xxh3_64(text.as_bytes()))
    }

    /// Returns the line that describes the chunk in its plan.
    #[must_use]
    pub fn text(&self) -> String {
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
