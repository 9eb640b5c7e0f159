//! A second sink on the chunks of a reading. The fate of games in it is counted separately.

use std::sync::OnceLock;

use pgn::input::{Chunk, ReadInputs};
use run::{Context, Result};

use super::{Read, Reading, Sink, Worker, into_inner};

/// A sink that takes each chunk of a reading after the main sink.
pub struct SecondSink<'c, S> {
    sink: S,
    /// The pass of this sink, with the fate of the games in it.
    own: Reading<'c>,
    inputs: OnceLock<ReadInputs>,
}

impl<'c, S> SecondSink<'c, S> {
    /// Takes the chunks of a reading of `context`.
    pub fn new(context: &'c Context, sink: S) -> Self {
        Self { sink, own: Reading::second(context), inputs: OnceLock::new() }
    }

    /// Records the inputs when all of them are read.
    pub fn end(&self, inputs: &ReadInputs) {
        self.inputs.get_or_init(|| inputs.clone());
    }

    /// The sink, and what it has read.
    pub fn finish(self) -> (S, Read) {
        let Self { sink, own, inputs } = self;
        let inputs = inputs.into_inner().unwrap_or_default();
        (sink, Read { what: own.what, inputs, counts: into_inner(own.counts) })
    }
}

/// A sink, and the optional second one.
pub struct Tee<'b, 'c, A, B> {
    /// The main sink.
    pub first: A,
    /// The sink that takes each chunk after it.
    pub second: Option<&'b SecondSink<'c, B>>,
}

impl<A: Sink, B: Sink> Sink for Tee<'_, '_, A, B> {
    type Worker<'s>
        = BothWorkers<'s, A::Worker<'s>, B::Worker<'s>>
    where
        Self: 's;

    fn worker(&self) -> Result<Self::Worker<'_>> {
        let second = match self.second {
            Some(SecondSink { sink, own, .. }) => Some((sink.worker()?, own)),
            None => None,
        };
        Ok(BothWorkers { first: self.first.worker()?, second })
    }

    fn abort(&self) {
        self.first.abort();
        if let Some(second) = self.second {
            second.sink.abort();
        }
    }

    fn spilled_bytes(&self) -> u64 {
        self.first.spilled_bytes()
    }
}

/// One thread's ends of both sinks.
pub struct BothWorkers<'s, A, B> {
    first: A,
    second: Option<(B, &'s Reading<'s>)>,
}

impl<A: Worker, B: Worker> Worker for BothWorkers<'_, A, B> {
    fn chunk(&mut self, number: u64, chunk: &mut Chunk, reading: &Reading<'_>) -> Result<()> {
        self.first.chunk(number, chunk, reading)?;
        self.second.as_mut().map_or(Ok(()), |(worker, own)| worker.chunk(number, chunk, own))
    }

    fn finish(self) -> Result<()> {
        self.first.finish()?;
        self.second.map_or(Ok(()), |(worker, _)| worker.finish())
    }
}
