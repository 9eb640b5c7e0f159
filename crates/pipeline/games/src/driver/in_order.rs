//! Serves sinks that need the input's order: threads work on chunks in parallel, but take turns passing the
//! results to the sink.

use std::time::Instant;

use pgn::{
    batches::{Batch, Numbering, ReadChunk},
    input::Chunk,
};
use run::Result;

use super::{Reading, Sink, Worker, turns::Turns};

/// How many batches per thread may wait for their turn.
const AHEAD_PER_THREAD: u64 = 2;

/// A batch of up to this many bytes is queued while its thread makes the next one. A thread with a larger
/// batch waits for that batch's turn, because games can be very long and no thread may have more than one
/// large batch in memory.
const EARLY_BYTES_MAX: usize = 2 << 20;

/// Takes batches in the order of the input.
pub trait OrderedSink<B>: Send {
    /// If this returns `true`, a pass that counts nothing is not an error.
    fn may_be_empty(&self) -> bool {
        false
    }

    /// Takes the next batch, and adds the statuses of its items to `reading`.
    fn push(&mut self, batch: B, reading: &Reading<'_>) -> Result<()>;
}

/// Passes batches to a sink in the order of the input, on any number of threads.
///
/// A thread that has made a batch queues it, then passes to the sink every batch whose turn has come. A
/// thread that is too far ahead waits.
///
/// # Memory
///
/// Each thread may have two batches of up to 2 MiB waiting, plus one larger batch.
pub struct InOrder<O: ReadChunk, S> {
    operator: O,
    ahead: u64,
    turns: Turns<O::Batch, (S, Numbering)>,
}

impl<O: ReadChunk, S: OrderedSink<O::Batch>> InOrder<O, S> {
    /// Prepares to pass the results of `operator` to `sink` on `threads` threads.
    pub fn new(operator: O, sink: S, threads: usize) -> Self {
        let ahead = AHEAD_PER_THREAD * threads as u64;
        Self { operator, ahead, turns: Turns::new((sink, Numbering::default())) }
    }

    /// Returns the sink after all input has been read.
    pub fn into_sink(self) -> S {
        self.turns.into_taker().0
    }

    /// Queues a batch, then passes to the sink every batch whose turn has come.
    fn put(&self, number: u64, batch: O::Batch, reading: &Reading<'_>) -> Result<()> {
        let ahead = if batch.bytes() > EARLY_BYTES_MAX { 1 } else { self.ahead };
        let is_put = self.turns.put((number, batch), ahead, |(sink, numbering), mut batch| {
            numbering.number(&mut batch);
            sink.push(batch, reading)
        });
        if is_put? { Ok(()) } else { Err(fault::Stop.into()) }
    }
}

impl<O: ReadChunk, S: OrderedSink<O::Batch>> Sink for InOrder<O, S> {
    fn worker(&self) -> Result<impl Worker> {
        Ok(InOrderWorker { operator: self.operator.clone(), queue: self })
    }

    fn abort(&self) {
        self.turns.abort();
    }
}

/// One thread's operator, for a sink that takes batches in order.
struct InOrderWorker<'s, O: ReadChunk, S> {
    operator: O,
    queue: &'s InOrder<O, S>,
}

impl<O: ReadChunk, S: OrderedSink<O::Batch>> Worker for InOrderWorker<'_, O, S> {
    fn chunk(&mut self, number: u64, chunk: &mut Chunk, reading: &Reading<'_>) -> Result<()> {
        let start = Instant::now();
        let batch = self.operator.read_chunk(chunk);
        reading.add_operator_time(start.elapsed());
        // The text is released first, since the thread may wait a long time for its turn.
        chunk.release_long_text();
        self.queue.put(number, batch, reading)
    }

    fn finish(self) -> Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::{io::Cursor, sync::atomic::Ordering::Relaxed, thread, time::Duration};

    use pgn::input::{ChunkOptions, Input, Place};

    use super::*;
    use crate::driver::{
        Read, drive,
        source::{Order, Source, StageNames},
        tee::{SecondSink, Tee},
    };
    use run::{Context, Limits, RunError, RunOptions};

    /// An operator that returns the place of each chunk, but panics if a chunk begins at the offset
    /// `panics_at` or later.
    #[derive(Clone)]
    struct Places {
        panics_at: u64,
    }

    /// A batch with a single item. Contains the place of its chunk, and the number of items in earlier
    /// batches.
    struct One(Place, u64);

    impl Batch for One {
        fn place(&self) -> Place {
            self.0
        }

        fn items(&self) -> usize {
            1
        }

        fn number_after(&mut self, before: u64) {
            self.1 = before;
        }
    }

    impl ReadChunk for Places {
        type Batch = One;

        fn read_chunk(&mut self, chunk: &mut Chunk) -> One {
            assert!(chunk.place.offset < self.panics_at, "asked to panic");
            // Because of this delay, later chunks are ready first.
            thread::sleep(Duration::from_micros(500 - chunk.place.offset.min(500)));
            One(chunk.place, u64::MAX)
        }
    }

    /// A sink that collects batches and fails after a given number of them.
    struct Collected {
        batches: Vec<One>,
        fails_after: usize,
    }

    impl OrderedSink<One> for Collected {
        fn push(&mut self, batch: One, _: &Reading<'_>) -> Result<()> {
            if self.batches.len() == self.fails_after {
                return Err(RunError::GroupedByPlayer.into());
            }
            self.batches.push(batch);
            Ok(())
        }
    }

    /// A sink that fails when it receives the chunk with this number.
    struct FailsAt(u64);

    impl Sink for FailsAt {
        fn worker(&self) -> Result<impl Worker> {
            Ok(Self(self.0))
        }
    }

    impl Worker for FailsAt {
        fn chunk(&mut self, number: u64, _: &mut Chunk, _: &Reading<'_>) -> Result<()> {
            if number == self.0 { Err(RunError::GroupedByPlayer.into()) } else { Ok(()) }
        }

        fn finish(self) -> Result<()> {
            Ok(())
        }
    }

    fn context(threads: usize) -> Context {
        let limits = Limits { threads: Some(threads), memory_mib: Some(256), ..Limits::default() };
        // None of the games in these tests are counted.
        let options = RunOptions { allow_empty: true, ..RunOptions::default() };
        Context::new(&limits, std::env::temp_dir(), options).unwrap()
    }

    fn source(reading: &Reading<'_>) -> Result<Source> {
        let text = "[Event \"a\"]\n\n*\n\n".repeat(100);
        let input = || Input::stream("-", Cursor::new(text.clone().into_bytes()));
        let options = ChunkOptions { chunk_bytes: 32, ..ChunkOptions::default() };
        let inputs = vec![input(), input()];
        Source::open(inputs, Order::Input, &options, reading.stop(), StageNames::default())
    }

    fn read(context: &Context, panics_at: u64, fails_after: usize) -> Result<(Vec<One>, Read)> {
        let reading = Reading::new(context, None);
        let source = source(&reading)?;
        let collected = Collected { batches: Vec::new(), fails_after };
        let sink = InOrder::new(Places { panics_at }, collected, context.threads);
        let read = drive(reading, source, &sink)?;
        Ok((sink.into_sink().batches, read))
    }

    #[test]
    fn batches_come_in_order_from_any_threads_and_are_numbered_by_stream() {
        for threads in [1, 2, 5] {
            let (batches, read) = read(&context(threads), u64::MAX, usize::MAX).unwrap();
            assert!(batches.is_sorted_by_key(|batch| batch.0) && batches.len() > 80);
            let first = batches.iter().filter(|batch| batch.0.input == 0).count();
            let numbers = batches.iter().map(|batch| batch.1);
            assert!(numbers.eq((0..first as u64).chain(0..(batches.len() - first) as u64)));
            assert_eq!(read.inputs.list.len(), 2);
        }
    }

    #[test]
    fn a_failure_of_one_thread_is_the_cause_whatever_the_others_return() {
        for threads in [1, 2, 5] {
            let failed = read(&context(threads), u64::MAX, 20).map(|_| ());
            let failed = failed.unwrap_err();
            assert!(failed.is::<RunError>(), "{threads} threads: {failed:?}");
        }
    }

    #[test]
    fn an_interrupt_of_the_user_is_one_and_no_failure() {
        let context = context(2);
        context.options.interrupt.store(true, Relaxed);
        let stopped = read(&context, u64::MAX, usize::MAX).map(|_| ());
        assert!(stopped.as_ref().is_err_and(run::Error::is::<fault::Interrupt>), "{stopped:?}");
    }

    #[test]
    #[should_panic(expected = "a scoped thread panicked")]
    fn a_panic_of_a_thread_reaches_the_caller_and_no_thread_waits_for_ever() {
        let _ = read(&context(3), 800, usize::MAX);
    }

    #[test]
    fn a_failure_of_the_main_sink_releases_threads_that_wait_in_the_second() {
        let context = context(3);
        let collected = Collected { batches: Vec::new(), fails_after: usize::MAX };
        let in_order = InOrder::new(Places { panics_at: u64::MAX }, collected, context.threads);
        let second = SecondSink::new(&context, in_order);
        let sink = Tee { first: FailsAt(20), second: Some(&second) };
        assert_eq!(sink.spilled_bytes(), 0);
        let reading = Reading::new(&context, None);
        let source = source(&reading).unwrap();
        let failed = drive(reading, source, &sink).map(|_| ()).unwrap_err();
        assert!(failed.is::<RunError>(), "{failed:?}");
    }
}
