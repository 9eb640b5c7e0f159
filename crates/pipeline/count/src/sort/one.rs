//! Turns games into sorted runs: every thread replays the games of its chunks and pushes their observations
//! into the sorter.

use std::sync::Arc;

use extsort::{Sorted, Sorter, Writer};
use games::{
    Copies, GameStream, ReplayOperator,
    driver::{
        Read, Reading, Sink, Worker, drive,
        source::Order,
        tee::{Second, Tee},
    },
    rejects::ChunkStatus,
    resume::{PendingGroup, Resume},
};
use pgn::{
    annotated::Form,
    filter::Dimension,
    input::{BlockHashes, Chunk, Input},
    replay::{Replay, ReplayOptions},
};
use run::{Context, InputReport, Result};
use table::{CountedInput, Counting, Groups};

use super::Sorting;
use crate::{
    counts::{ObservedItem, PlainItem, RatedItem, Runs, SortedCounts},
    examples::{GameSpool, GameSpools},
};

/// Counts the games of a stream. `keep` says whether the fingerprints of games are kept, if copies are left
/// out; games go to `spools` too, if there are any. If there is a sink for marks, they are read in the same
/// reading.
pub fn count(
    context: &Context,
    stream: &GameStream,
    sorting: &Sorting,
    (keep, spools): (bool, Option<&GameSpools>),
    marks: Option<&dyn Second>,
) -> Result<(SortedCounts, Option<Arc<Copies>>)> {
    let inputs = stream.inputs(context)?;
    let (inputs, copies) =
        stream.find_copies(context, inputs, &stream.read_options(Form::Finished), (Order::Any, keep))?;
    let games = CountedInputs { inputs, copies: copies.clone(), spools };
    let counts = count_inputs(context, stream, sorting, games, marks)?;
    Ok((counts, copies))
}

/// The games that are counted.
pub struct CountedInputs<'s> {
    /// The inputs that have them.
    pub inputs: Vec<Input>,
    /// The copies among them, which do not count.
    pub copies: Option<Arc<Copies>>,
    /// Where they go besides, if examples are chosen of them.
    pub spools: Option<&'s GameSpools>,
}

/// Counts the games of inputs, without the copies among them. If there is a sink for marks, they are read in
/// the same reading.
pub fn count_inputs(
    context: &Context,
    stream: &GameStream,
    sorting: &Sorting,
    games: CountedInputs<'_>,
    marks: Option<&dyn Second>,
) -> Result<SortedCounts> {
    let (runs, sources) = if stream.replay().counting.ratings {
        let (runs, sources) = sort::<RatedItem, _>(context, stream, sorting, games, marks)?;
        (Runs::Rated(runs), sources)
    } else {
        let (runs, sources) = sort::<PlainItem, _>(context, stream, sorting, games, marks)?;
        (Runs::Plain(runs), sources)
    };
    let counting = table_counting(stream.replay());
    Ok(SortedCounts { runs, counting, sources, replies_of: None, roots: None })
}

/// Sorts and sums the observations of a stream's games. Returns the runs and what was read.
fn sort<S: ObservedItem<SUMS>, const SUMS: usize>(
    context: &Context,
    stream: &GameStream,
    sorting: &Sorting,
    CountedInputs { inputs, copies, spools }: CountedInputs<'_>,
    marks: Option<&dyn Second>,
) -> Result<(Sorted<SUMS>, Vec<CountedInput>)> {
    let resume = Resume::of_run(context, || stream.job(&inputs, sorting.shards))?;
    let resume = resume.as_deref();
    let log = stream.reject_log(context, resume)?;
    let reading = Reading::new(context, log).after(resume.map(Resume::counts).unwrap_or_default());
    // The last mark of a move holds, so marks must be read in the order of the input.
    let order = if marks.is_some() { Order::Input } else { Order::Any };
    let how = (order, stream.unit());
    let source = stream.open(context, inputs, how, reading.stop(), resume.map(Resume::done))?.marking(copies);
    let memory_bytes = context.memory.count_beside(source.window_bytes());
    let options = sorter_options(context, sorting, memory_bytes);
    let runs = resume.map(Resume::run_folder);
    let sorter = Sorter::new(extsort::Options { runs, stop: reading.stop(), ..options })?;
    if let Some(resume) = resume {
        sorter.adopt(resume.open_runs()?)?;
    }
    let sink = CountSink::<S, SUMS> { stream, sorter, resume, hashes: source.block_hashes(), spools };
    let sink = Tee { first: sink, second: marks };
    let mut read = drive(reading, source, &sink).map_err(|error| stream.explained(error))?;
    if let Some(marks) = marks {
        marks.end(&read.inputs);
    }
    context.progress().enter("merging", sorting.shards);
    let runs = sink.first.sorter.finish()?;
    let sources = report(context, &mut read, &runs.stats());
    context.summary().observations += resume.map_or(0, Resume::items);
    Ok((runs, sources))
}

/// The options of the sorter of observations.
pub(super) fn sorter_options(context: &Context, sorting: &Sorting, memory_bytes: u64) -> extsort::Options {
    let options = context.sorting(sorting.shards, memory_bytes, context.threads);
    let fan_in = sorting.fan_in.unwrap_or(options.fan_in);
    extsort::Options { fan_in, source: sorting.run_source, ..options }
}

/// Adds what was read and sorted to the summary. Returns the sources as a table records them.
fn report(context: &Context, read: &mut Read, stats: &extsort::Stats) -> Vec<CountedInput> {
    let inputs: Vec<InputReport> = read.input_reports();
    let sources = inputs.iter().map(InputReport::source).collect();
    let mut summary = context.summary();
    summary.cut += read.counts.sum().cut;
    summary.add_sorted(stats);
    for input in inputs {
        summary.add_input(input);
    }
    sources
}

/// The sink that replays a stream into a sorter.
struct CountSink<'r, S: ObservedItem<SUMS>, const SUMS: usize> {
    stream: &'r GameStream,
    sorter: Sorter<S, SUMS>,
    /// The record of what is counted, if a later run may resume this one.
    resume: Option<&'r Resume>,
    hashes: BlockHashes,
    spools: Option<&'r GameSpools>,
}

impl<S: ObservedItem<SUMS>, const SUMS: usize> Sink for CountSink<'_, S, SUMS> {
    type Worker<'s>
        = CountWorker<'s, S, SUMS>
    where
        Self: 's;

    fn worker(&self) -> Result<CountWorker<'_, S, SUMS>> {
        Ok(CountWorker {
            replay: GameSpools::replay(self.spools, self.stream.replay()),
            spool: self.spools.map(GameSpools::spool),
            sorter: &self.sorter,
            writer: self.sorter.writer()?,
            group: self.resume.map(|resume| PendingGroup::new(resume, &self.hashes)),
        })
    }

    fn spilled_bytes(&self) -> u64 {
        self.sorter.stats().bytes_spilled
    }
}

/// One thread's replay and its writer of the sorter.
struct CountWorker<'s, S: ObservedItem<SUMS>, const SUMS: usize> {
    replay: ReplayOperator,
    /// Where the games go besides.
    spool: Option<GameSpool<'s>>,
    sorter: &'s Sorter<S, SUMS>,
    writer: Writer<'s, S, SUMS>,
    /// The chunks in the writer, if a later run may resume this one.
    group: Option<PendingGroup<'s>>,
}

impl<S: ObservedItem<SUMS>, const SUMS: usize> CountWorker<'_, S, SUMS> {
    /// Spills and records what was counted if the next chunk may not fit in the buffer too, so that the
    /// buffer ends with a whole chunk.
    fn make_room(&mut self, chunk: &Chunk, reading: &Reading<'_>) -> Result<()> {
        let room = self.writer.room_items();
        match &self.group {
            Some(group) if group.ends_before(chunk, room) => self.end_group(reading),
            _ => Ok(()),
        }
    }

    /// Adds a chunk, all of which is in the writer, to those to be recorded. If the writer spilled in the
    /// middle of the chunk, all of them are recorded now, since the chunk is in several runs.
    fn chunk_ends(
        &mut self,
        chunk: &Chunk,
        status: &ChunkStatus,
        room: u64,
        reading: &Reading<'_>,
    ) -> Result<()> {
        let Some(group) = &mut self.group else { return Ok(()) };
        group.add(chunk, &status.counts, room.saturating_sub(self.writer.room_items()));
        if self.writer.has_spilled() { self.end_group(reading) } else { Ok(()) }
    }

    fn end_group(&mut self, reading: &Reading<'_>) -> Result<()> {
        let Some(group) = &mut self.group else { return Ok(()) };
        let runs = self.writer.end_group()?;
        group.record(&runs, reading.sync_log()?)?;
        Ok(self.sorter.adopt(runs.runs)?)
    }
}

impl<S: ObservedItem<SUMS>, const SUMS: usize> Worker for CountWorker<'_, S, SUMS> {
    fn chunk(&mut self, _: u64, chunk: &mut Chunk, reading: &Reading<'_>) -> Result<()> {
        self.make_room(chunk, reading)?;
        let Self { replay, writer, spool, .. } = self;
        let (room, mut status) = (writer.room_items(), reading.chunk_status(chunk.place));
        let replaying = replay.games(chunk, &mut status, |game, text| {
            if let Some(spool) = spool {
                spool.push(game, text)?;
            }
            push_all(writer, game)
        })?;
        reading.add_operator_time(replaying);
        reading.add(&status)?;
        self.chunk_ends(chunk, &status, room, reading)
    }

    fn finish(self) -> Result<()> {
        if let Some(spool) = self.spool {
            spool.close();
        }
        Ok(self.writer.close()?)
    }
}

/// Pushes what is observed in a game.
#[inline]
pub(super) fn push_all<S: ObservedItem<SUMS>, const SUMS: usize>(
    writer: &mut Writer<'_, S, SUMS>,
    game: &Replay,
) -> Result<()> {
    let ratings = game.ratings();
    // There are two loops, since a chain asks for every observation which half is next.
    for observation in game.observations() {
        writer.push(S::new(observation, ratings))?;
    }
    for observation in game.root_observations() {
        writer.push(S::new(observation, ratings))?;
    }
    Ok(())
}

/// The options of a replay as a table records them.
#[must_use]
pub fn table_counting(options: &ReplayOptions) -> Counting {
    let counting = &options.counting;
    let by = |dimension| counting.by.contains(&dimension);
    Counting {
        max_ply: counting.max_ply,
        repeats: counting.repeats,
        illegal_move: counting.illegal_move,
        from_position: counting.from_position || counting.repertoire,
        groups: Groups {
            speed: by(Dimension::Speed),
            rating_band: by(Dimension::RatingBand),
            month: by(Dimension::Month),
            player_color: by(Dimension::PlayerColor) && options.filters.player.is_some(),
        },
        ratings: counting.ratings,
        unknown_result: counting.unknown_result,
        spelling: counting.spelling(),
        result_from: counting.text.result_from,
        repertoire: counting.repertoire,
        root: counting.root_key(),
        line: counting.line.as_ref().map(|line| line.moves.clone()),
        filters: [options.filters.describe()].into(),
    }
}
