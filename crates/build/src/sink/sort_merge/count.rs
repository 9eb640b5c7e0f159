//! Games into sorted runs: every thread replays its chunks' games and pushes what they give into the sorter.

use extsort::{Sorted, Sorter, Writer};
use pgn::{
    input::{Chunk, Unit},
    replay::ReplayOptions,
};
use table::{Counting, Groups, Source};

use super::Sorting;
use crate::{
    Context, Result,
    counts::{Observed, RatedObserved, Runs, Seen, SortedCounts},
    driver::{Read, Reading, Sink, Worker, drive, source::Order},
    operator::{GameStream, ReplayOperator},
    summary::InputReport,
};

/// Counts the games of a stream.
pub(super) fn count(context: &Context, stream: &GameStream, sorting: &Sorting) -> Result<SortedCounts> {
    let (runs, sources) = if stream.replay().counting.ratings {
        let (runs, sources) = sort::<RatedObserved, _>(context, stream, sorting)?;
        (Runs::Rated(runs), sources)
    } else {
        let (runs, sources) = sort::<Observed, _>(context, stream, sorting)?;
        (Runs::Plain(runs), sources)
    };
    Ok(SortedCounts { runs, counting: table_counting(stream.replay()), sources, complete: true })
}

/// Sorts and sums what the games of a stream give; and what was counted.
fn sort<S: Seen<SUMS>, const SUMS: usize>(
    context: &Context,
    stream: &GameStream,
    sorting: &Sorting,
) -> Result<(Sorted<SUMS>, Vec<Source>)> {
    let reading = Reading::new(context, stream.reject_log(context)?);
    let source = stream.open(context, (Order::Any, Unit::Games), reading.stop())?;
    let defaults = extsort::Options::new(context.memory.count, context.threads);
    let options = extsort::Options {
        buckets: sorting.shards,
        temp_dir: context.temp_dir.clone(),
        fan_in: sorting.fan_in.unwrap_or(defaults.fan_in),
        stop: reading.stop(),
        ..defaults
    };
    let sink = CountSink::<S, SUMS> { stream, sorter: Sorter::new(options)? };
    let mut read = drive(reading, source, &sink).map_err(|error| stream.explained(error))?;
    context.progress.enter("merging", sorting.shards);
    let runs = sink.sorter.finish()?;
    let sources = report(context, &mut read, &runs.stats());
    Ok((runs, sources))
}

/// Adds what was read and sorted to the summary; the sources as a table records them.
fn report(context: &Context, read: &mut Read, stats: &extsort::Stats) -> Vec<Source> {
    let inputs: Vec<InputReport> = read.input_reports();
    let sources = inputs.iter().map(InputReport::source).collect();
    let mut summary = context.summary();
    summary.cut += read.counts.sum().cut;
    summary.observations += stats.items;
    summary.runs += stats.runs_spilled;
    summary.bytes_spilled += stats.bytes_spilled + stats.bytes_merged;
    for input in inputs {
        summary.add_input(input);
    }
    sources
}

/// The sorter that the replay of a stream feeds.
struct CountSink<'r, S: Seen<SUMS>, const SUMS: usize> {
    stream: &'r GameStream,
    sorter: Sorter<S, SUMS>,
}

impl<S: Seen<SUMS>, const SUMS: usize> Sink for CountSink<'_, S, SUMS> {
    type Worker<'s>
        = CountWorker<'s, S, SUMS>
    where
        Self: 's;

    fn worker(&self) -> Result<CountWorker<'_, S, SUMS>> {
        Ok(CountWorker { replay: ReplayOperator::new(self.stream.replay()), writer: self.sorter.writer()? })
    }

    fn spilled_bytes(&self) -> u64 {
        self.sorter.stats().bytes_spilled
    }
}

/// One thread's replay, and its writer of the sorter.
struct CountWorker<'s, S: Seen<SUMS>, const SUMS: usize> {
    replay: ReplayOperator,
    writer: Writer<'s, S, SUMS>,
}

impl<S: Seen<SUMS>, const SUMS: usize> Worker for CountWorker<'_, S, SUMS> {
    fn chunk(&mut self, _: u64, chunk: &mut Chunk, reading: &Reading<'_>) -> Result<()> {
        let Self { replay, writer } = self;
        let mut status = reading.chunk_status(chunk.place);
        let replaying = replay.games(chunk, &mut status, |game| {
            let ratings = game.ratings();
            for observation in game.observations() {
                writer.push(S::new(observation, ratings))?;
            }
            Ok(())
        })?;
        reading.add_operator_time(replaying);
        reading.add(&status)
    }

    fn finish(self) -> Result<()> {
        Ok(self.writer.close()?)
    }
}

/// How the replay counts, as a table records it.
pub(super) fn table_counting(options: &ReplayOptions) -> Counting {
    let (counting, groups) = (&options.counting, options.groups());
    Counting {
        max_ply: counting.max_ply,
        repeats: counting.repeats,
        illegal_move: counting.illegal_move,
        from_position: counting.from_position,
        groups: Groups {
            speed: groups.speed,
            rating_band: groups.rating_band,
            month: groups.month,
            player_color: groups.player_color.is_some(),
        },
        ratings: counting.ratings,
        root: counting.root_key(),
        filters: [options.filters.describe()].into(),
    }
}
