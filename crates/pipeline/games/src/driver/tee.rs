//! A second sink, which receives the same chunks as the main sink of a pass. The second sink counts
//! separately how many games have each status.

use std::sync::OnceLock;

use pgn::input::{Chunk, ReadInputs};
use run::{Context, Result};

use super::{Read, Reading, Sink, Worker, into_inner};

/// A second sink, with its type erased so that the code that uses it is compiled only once.
pub trait Second: Sync {
    /// Makes a worker for one more thread.
    fn worker(&self) -> Result<Box<dyn SecondWorker + '_>>;

    /// Wakes the waiting threads because another thread has failed.
    fn abort(&self);

    /// Records the inputs once all of them have been read.
    fn end(&self, inputs: &ReadInputs);
}

/// One thread's worker for a second sink. It corresponds to the thread's [`Worker`] for the main sink.
pub trait SecondWorker {
    /// Takes chunk `number` of the input.
    fn chunk(&mut self, number: u64, chunk: &mut Chunk) -> Result<()>;

    /// Pushes the remaining results.
    fn finish(self: Box<Self>) -> Result<()>;
}

/// A sink that receives each chunk after the main sink.
pub struct SecondSink<'c, S> {
    sink: S,
    /// A pass that belongs only to this sink, and counts how many games have each status.
    own: Reading<'c>,
    inputs: OnceLock<ReadInputs>,
}

impl<'c, S> SecondSink<'c, S> {
    /// Wraps `sink`, and makes a separate pass that counts the sink's games by status.
    pub fn new(context: &'c Context, sink: S) -> Self {
        Self { sink, own: Reading::second(context), inputs: OnceLock::new() }
    }

    /// Returns the sink and the result of its pass.
    pub fn finish(self) -> (S, Read) {
        let Self { sink, own, inputs } = self;
        let inputs = inputs.into_inner().unwrap_or_default();
        (sink, Read { what: own.what, inputs, counts: into_inner(own.counts) })
    }
}

impl<S: Sink> Second for SecondSink<'_, S> {
    fn worker(&self) -> Result<Box<dyn SecondWorker + '_>> {
        Ok(Box::new(WorkerOf { worker: self.sink.worker()?, own: &self.own }))
    }

    fn abort(&self) {
        self.sink.abort();
    }

    fn end(&self, inputs: &ReadInputs) {
        self.inputs.get_or_init(|| inputs.clone());
    }
}

/// A worker of a second sink, with the pass that belongs to this sink.
struct WorkerOf<'s, W> {
    worker: W,
    own: &'s Reading<'s>,
}

impl<W: Worker> SecondWorker for WorkerOf<'_, W> {
    fn chunk(&mut self, number: u64, chunk: &mut Chunk) -> Result<()> {
        self.worker.chunk(number, chunk, self.own)
    }

    fn finish(self: Box<Self>) -> Result<()> {
        self.worker.finish()
    }
}

/// A sink, and optionally a second one.
pub struct Tee<'b, A> {
    /// The main sink.
    pub first: A,
    /// The sink that receives each chunk after the first sink.
    pub second: Option<&'b dyn Second>,
}

impl<A: Sink> Sink for Tee<'_, A> {
    fn worker(&self) -> Result<impl Worker> {
        let second = self.second.map(Second::worker).transpose()?;
        Ok(BothWorkers { first: self.first.worker()?, second })
    }

    fn abort(&self) {
        self.first.abort();
        if let Some(second) = self.second {
            second.abort();
        }
    }

    fn spilled_bytes(&self) -> u64 {
        self.first.spilled_bytes()
    }
}

/// The two workers of a thread, one for each sink.
struct BothWorkers<'s, A> {
    first: A,
    second: Option<Box<dyn SecondWorker + 's>>,
}

impl<A: Worker> Worker for BothWorkers<'_, A> {
    fn chunk(&mut self, number: u64, chunk: &mut Chunk, reading: &Reading<'_>) -> Result<()> {
        self.first.chunk(number, chunk, reading)?;
        self.second.as_mut().map_or(Ok(()), |second| second.chunk(number, chunk))
    }

    fn finish(self) -> Result<()> {
        self.first.finish()?;
        self.second.map_or(Ok(()), SecondWorker::finish)
    }
}
