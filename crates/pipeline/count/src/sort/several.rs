//! Makes several counts in one reading: each game is read and replayed once, and pushed into every count
//! whose expression admits it.
//!
//! # Memory
//!
//! The counts share the memory of one count in equal parts.

use std::sync::{Arc, Mutex, PoisonError};

use extsort::{Sorted, Sorter, Writer};
use games::{
    Copies, GameStream, Nothing, ReplayOperator,
    driver::{Read, Reading, Sink, Worker, drive, source::Order},
    rejects::ChunkStatus,
};
use pgn::{
    annotated::Form,
    filter::{Filter, Where},
    input::{Chunk, Piece, Unit},
    replay::Replay,
    tags::Tags,
    verdict::Verdict,
};
use run::{Context, InputReport, Result, RunError, Status, StatusCounts};
use table::CountedInput;

use super::{
    Sorting,
    one::{push_all, sorter_options, table_counting},
};
use crate::{
    counts::{ObservedItem, PlainItem, RatedItem, Runs, SortedCounts},
    examples::{GameSpool, GameSpools},
};

/// One of several counts.
pub struct Part<'p> {
    /// The name of its stage.
    pub name: &'p str,
    /// The games that it takes; all games if there is none.
    pub expression: Option<&'p Where>,
    /// How its rows are sorted.
    pub sorting: &'p Sorting,
    /// Where its games go besides, if examples are chosen of them.
    pub spools: Option<&'p GameSpools>,
}

/// Counts the games of a stream: each part counts the games that it takes. `keep` says whether the
/// fingerprints of games are kept, if copies are left out.
pub fn count_several(
    context: &Context,
    stream: &GameStream,
    parts: &[Part<'_>],
    keep: bool,
) -> Result<(Vec<SortedCounts>, Option<Arc<Copies>>)> {
    if context.options.resume.is_some() {
        let why = "several counts are made in one reading".into();
        return Err(RunError::NotResumable(why).into());
    }
    if stream.replay().counting.ratings {
        sort::<RatedItem, _>(context, stream, parts, keep, Runs::Rated)
    } else {
        sort::<PlainItem, _>(context, stream, parts, keep, Runs::Plain)
    }
}

fn sort<S: ObservedItem<SUMS>, const SUMS: usize>(
    context: &Context,
    stream: &GameStream,
    parts: &[Part<'_>],
    keep: bool,
    runs: impl Fn(Sorted<SUMS>) -> Runs,
) -> Result<(Vec<SortedCounts>, Option<Arc<Copies>>)> {
    let reading = Reading::new(context, stream.reject_log(context, None)?);
    let inputs = stream.inputs(context)?;
    let (inputs, copies) =
        stream.find_copies(context, inputs, &stream.read_options(Form::Finished), (Order::Any, keep))?;
    let source = stream.open(context, inputs, (Order::Any, Unit::Games), reading.stop(), None)?;
    let source = source.marking(copies.clone());
    let memory_bytes = context.memory.count_beside(source.window_bytes()) / parts.len() as u64;
    let sorter = |part: &Part<'_>| {
        let options = sorter_options(context, part.sorting, memory_bytes);
        Sorter::new(extsort::Options { stop: reading.stop(), ..options })
    };
    let counts = parts.iter().map(|_| Mutex::default()).collect();
    let sorters = parts.iter().map(sorter).collect::<extsort::Result<_>>()?;
    let sink = SeveralSink::<S, SUMS> { stream, parts, sorters, counts };
    let mut read = drive(reading, source, &sink).map_err(|error| stream.explained(error))?;
    report_inputs(context, &mut read);
    let SeveralSink { sorters, counts, .. } = sink;
    let mut counted = Vec::new();
    for ((part, sorter), counts) in parts.iter().zip(sorters).zip(counts) {
        read.counts = counts.into_inner().unwrap_or_else(PoisonError::into_inner);
        let sources = sources_of(context, stream, part, &mut read)?;
        context.progress().enter("merging", part.sorting.shards);
        let merged = sorter.finish()?;
        context.summary().add_sorted(&merged.stats());
        let counting = table_counting(stream.only(part.expression).replay());
        counted.push(SortedCounts { runs: runs(merged), counting, sources, replies_of: None, roots: None });
    }
    Ok((counted, copies))
}

/// Adds what was read to the summary, once for all parts.
fn report_inputs(context: &Context, read: &mut Read) {
    let (cut, inputs) = (read.counts.sum().cut, read.input_reports());
    let mut summary = context.summary();
    summary.cut += cut;
    for input in inputs {
        summary.add_input(input);
    }
}

/// The sources as the table of a part records them.
///
/// # Errors
///
/// [`Nothing`] if it takes no game.
fn sources_of(
    context: &Context,
    stream: &GameStream,
    part: &Part<'_>,
    read: &mut Read,
) -> Result<Vec<CountedInput>> {
    read.check_any(context).map_err(|mut error| {
        if let Some(nothing) = error.downcast_mut::<Nothing>() {
            nothing.in_stage(part.name);
        }
        stream.only(part.expression).explained(error)
    })?;
    Ok(read.input_reports().iter().map(InputReport::source).collect())
}

/// The sink that replays a stream into several sorters.
struct SeveralSink<'r, S: ObservedItem<SUMS>, const SUMS: usize> {
    stream: &'r GameStream,
    parts: &'r [Part<'r>],
    sorters: Vec<Sorter<S, SUMS>>,
    /// The fate of the games in each part.
    counts: Vec<Mutex<StatusCounts>>,
}

impl<S: ObservedItem<SUMS>, const SUMS: usize> Sink for SeveralSink<'_, S, SUMS> {
    type Worker<'s>
        = SeveralWorker<'s, S, SUMS>
    where
        Self: 's;

    fn worker(&self) -> Result<SeveralWorker<'_, S, SUMS>> {
        let writers = self.sorters.iter().map(Sorter::writer).collect::<extsort::Result<_>>()?;
        let (parts, admitted) = (self.parts, Vec::new());
        Ok(SeveralWorker {
            replay: GameSpools::replay(parts.iter().find_map(|part| part.spools), self.stream.replay()),
            ends: Ends {
                parts,
                writers,
                admitted,
                spools: parts.iter().map(|part| part.spools.map(GameSpools::spool)).collect(),
            },
            counts: &self.counts,
        })
    }

    fn spilled_bytes(&self) -> u64 {
        self.sorters.iter().map(|sorter| sorter.stats().bytes_spilled).sum()
    }
}

/// One thread's replay and its writers of the sorters.
struct SeveralWorker<'s, S: ObservedItem<SUMS>, const SUMS: usize> {
    replay: ReplayOperator,
    ends: Ends<'s, S, SUMS>,
    counts: &'s [Mutex<StatusCounts>],
}

impl<S: ObservedItem<SUMS>, const SUMS: usize> Worker for SeveralWorker<'_, S, SUMS> {
    fn chunk(&mut self, _: u64, chunk: &mut Chunk, reading: &Reading<'_>) -> Result<()> {
        let own = self.counts.iter().map(|_| ChunkStatus::new(chunk.place, None)).collect();
        let status = reading.chunk_status(chunk.place);
        let mut taking = Taking { ends: &mut self.ends, status, own };
        let replaying = self.replay.each_game(chunk, &mut taking, Taking::admits, Taking::take)?;
        reading.add_operator_time(replaying);
        reading.add(&taking.status)?;
        for (counts, own) in self.counts.iter().zip(taking.own) {
            let mut counts = counts.lock().unwrap_or_else(PoisonError::into_inner);
            counts.of(chunk.place.input).add(&own.counts);
        }
        Ok(())
    }

    fn finish(self) -> Result<()> {
        self.ends.spools.into_iter().flatten().for_each(GameSpool::close);
        self.ends.writers.into_iter().try_for_each(|writer| Ok(writer.close()?))
    }
}

/// One thread's writers of the sorters.
struct Ends<'s, S: ObservedItem<SUMS>, const SUMS: usize> {
    parts: &'s [Part<'s>],
    writers: Vec<Writer<'s, S, SUMS>>,
    spools: Vec<Option<GameSpool<'s>>>,
    /// Whether each part takes the present game; empty until this is decided.
    admitted: Vec<bool>,
}

/// A chunk on its way into the sorters.
struct Taking<'t, 's, S: ObservedItem<SUMS>, const SUMS: usize> {
    ends: &'t mut Ends<'s, S, SUMS>,
    /// The fate of its games as a whole: a game that any part takes is accepted.
    status: ChunkStatus,
    /// The fate of its games in each part.
    own: Vec<ChunkStatus>,
}

impl<S: ObservedItem<SUMS>, const SUMS: usize> Taking<'_, '_, S, SUMS> {
    fn admits(&mut self, tags: &Tags<'_>) -> bool {
        let Ends { parts, admitted, .. } = &mut *self.ends;
        admitted.extend(parts.iter().map(|part| part.expression.is_none_or(|wanted| wanted.matches(tags))));
        admitted.contains(&true)
    }

    fn take(&mut self, piece: &Piece<'_>, verdict: &Verdict, replay: &Replay) -> Result<()> {
        let Ends { writers, admitted, spools, .. } = &mut *self.ends;
        let offset = piece.offset;
        for (at, own) in self.own.iter_mut().enumerate() {
            match admitted.get(at) {
                Some(false) => own.note(offset, Status::Filtered(Filter::Where.name())),
                // A game that is rejected or filtered before the parts decide has the same fate in each of
                // them.
                _ => own.note_verdict(offset, verdict),
            }
        }
        if let Verdict::Accepted { .. } = verdict {
            let spools = spools.iter_mut().zip(&*admitted).filter(|(_, is_admitted)| **is_admitted);
            spools
                .filter_map(|(spool, _)| spool.as_mut())
                .try_for_each(|spool| spool.push(replay, piece.text))?;
            let takers = writers.iter_mut().zip(&*admitted).filter(|(_, is_admitted)| **is_admitted);
            for (writer, _) in takers {
                push_all(writer, replay)?;
            }
        }
        admitted.clear();
        self.status.note_verdict(offset, verdict);
        Ok(())
    }
}
