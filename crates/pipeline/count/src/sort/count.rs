//! Counts the games of a stream in one pass, for one count or several.
//!
//! # Memory
//!
//! Several counts share the memory of a single one, in equal parts.

use std::sync::{Arc, PoisonError};

use extsort::{Sorted, Sorter};
use games::{
    Copies, EmptyCount, GameStream,
    driver::{
        Read, Reading, drive,
        source::Order,
        tee::{Second, Tee},
    },
    resume::Resume,
};
use pgn::{annotated::Form, filter::Where, input::Input};
use run::{Context, InputReport, Result, RunError};
use table::CountedInput;

use super::{Sorting, counting::table_counting, sink::CountSink};
use crate::{
    counts::{ObservedItem, PlainItem, RatedItem, Runs, SortedCounts},
    examples::GameSpools,
};

/// One of the counts made in a single pass.
pub struct Part<'p> {
    /// The name of the stage that counts.
    pub name: &'p str,
    /// The expression that selects this count's games; `None` for all games.
    pub expression: Option<&'p Where>,
    /// How this count's rows are sorted.
    pub sorting: &'p Sorting,
    /// The spools that store this count's games, if examples will be chosen from these games.
    pub spools: Option<&'p GameSpools>,
}

/// Counts the games of a stream; each part counts the games that it selects. If copies are left out and
/// `keep` is set, the fingerprints of the games that are not copies are kept. If `marks` is a sink, the same
/// pass also reads marks into it.
pub fn count(
    context: &Context,
    stream: &GameStream,
    parts: &[Part<'_>],
    keep: bool,
    marks: Option<&dyn Second>,
) -> Result<(Vec<SortedCounts>, Option<Arc<Copies>>)> {
    if parts.len() > 1 && context.options.resume.is_some() {
        let why = "several counts are made in one reading".into();
        return Err(RunError::NotResumable(why).into());
    }
    let inputs = stream.inputs(context)?;
    let (inputs, copies) =
        stream.find_copies(context, inputs, &stream.read_options(Form::Finished), (Order::Any, keep))?;
    let counts = count_inputs(context, stream, parts, (inputs, copies.clone()), marks)?;
    Ok((counts, copies))
}

/// Like [`count`], but takes inputs whose copies have already been found.
pub fn count_inputs(
    context: &Context,
    stream: &GameStream,
    parts: &[Part<'_>],
    inputs: (Vec<Input>, Option<Arc<Copies>>),
    marks: Option<&dyn Second>,
) -> Result<Vec<SortedCounts>> {
    if stream.replay.options.counting.ratings {
        sort::<RatedItem, _>(context, stream, parts, inputs, marks, Runs::Rated)
    } else {
        sort::<PlainItem, _>(context, stream, parts, inputs, marks, Runs::Plain)
    }
}

/// Sorts and sums the observations of a stream's games.
fn sort<S: ObservedItem<SUMS>, const SUMS: usize>(
    context: &Context,
    stream: &GameStream,
    parts: &[Part<'_>],
    (inputs, copies): (Vec<Input>, Option<Arc<Copies>>),
    marks: Option<&dyn Second>,
    runs: impl Fn(Sorted<SUMS>) -> Runs,
) -> Result<Vec<SortedCounts>> {
    let resume = Resume::of_run(context, || stream.job(&inputs, parts[0].sorting.shards))?;
    let resume = resume.as_deref();
    let log = stream.reject_log(context, resume)?;
    let reading = Reading::new(context, log).after(resume.map(Resume::counts).unwrap_or_default());
    // The last mark of a move replaces the earlier ones, so marks must be read in the order of the input.
    let order = if marks.is_some() { Order::Input } else { Order::Any };
    let how = (order, stream.unit());
    let source = stream.open(context, inputs, how, reading.stop(), resume.map(Resume::done))?.marking(copies);
    let memory_bytes = context.memory.count_beside(source.window_bytes()) / parts.len() as u64;
    let sorter = |part: &Part<'_>| {
        let options = context.sorting(part.sorting.shards, memory_bytes, context.threads);
        Sorter::new(extsort::Options {
            fan_in: part.sorting.fan_in.unwrap_or(options.fan_in),
            source: part.sorting.run_source,
            runs: resume.map(Resume::run_folder),
            stop: reading.stop(),
            ..options
        })
    };
    let sorters = parts.iter().map(sorter).collect::<extsort::Result<Vec<_>>>()?;
    if let Some(resume) = resume {
        sorters[0].adopt(resume.open_runs()?)?;
    }
    let sink = CountSink::<S, SUMS>::new(stream, parts, sorters, (resume, source.block_hashes()));
    let sink = Tee { first: sink, second: marks };
    let mut read = drive(reading, source, &sink).map_err(|error| stream.explained(error))?;
    if let Some(marks) = marks {
        marks.end(&read.inputs);
    }
    context.summary().observations += resume.map_or(0, Resume::items);
    let mut sources = report_inputs(context, &mut read);
    let CountSink { sorters, counts, .. } = sink.first;
    let mut counted = Vec::new();
    for (at, (part, sorter)) in parts.iter().zip(sorters).enumerate() {
        if let Some(counts) = counts.get(at) {
            read.counts = std::mem::take(&mut *counts.lock().unwrap_or_else(PoisonError::into_inner));
            sources = sources_of(context, stream, part, &mut read)?;
        }
        context.progress().enter("merging", part.sorting.shards);
        let merged = sorter.finish()?;
        context.summary().add_sorted(&merged.stats());
        let counting = table_counting(&stream.only(part.expression).replay.options);
        let sources = sources.clone();
        counted.push(SortedCounts { runs: runs(merged), counting, sources, replies_of: None, roots: None });
    }
    Ok(counted)
}

/// Adds the inputs that were read to the summary. This is done once, not for each part. Returns the sources
/// in the form in which a table stores them.
fn report_inputs(context: &Context, read: &mut Read) -> Vec<CountedInput> {
    let (cut, inputs) = (read.counts.sum().cut, read.input_reports());
    let sources = inputs.iter().map(InputReport::source).collect();
    let mut summary = context.summary();
    summary.cut += cut;
    for input in inputs {
        summary.add_input(input);
    }
    sources
}

/// Returns the sources of one part, in the form in which the table of this part stores them.
///
/// # Errors
///
/// Fails with [`EmptyCount`] if no game was counted for the part.
fn sources_of(
    context: &Context,
    stream: &GameStream,
    part: &Part<'_>,
    read: &mut Read,
) -> Result<Vec<CountedInput>> {
    read.check_any(context).map_err(|mut error| {
        if let Some(nothing) = error.downcast_mut::<EmptyCount>() {
            nothing.in_stage(part.name);
        }
        stream.only(part.expression).explained(error)
    })?;
    Ok(read.input_reports().iter().map(InputReport::source).collect())
}
