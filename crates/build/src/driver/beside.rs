//! A second sink on the chunks of a reading. What becomes of games in it is added up apart.

use std::sync::OnceLock;

use pgn::input::{Chunk, ReadInputs};

use super::{Read, Reading, Sink, Worker, into_inner};
use crate::{Context, Result};

/// A sink that takes each chunk of a reading after the sink that the reading is for.
pub(crate) struct Beside<'c, S> {
    sink: S,
    /// What becomes of the games in this sink.
    own: Reading<'c>,
    inputs: OnceLock<ReadInputs>,
}

impl<'c, S> Beside<'c, S> {
    /// Puts `sink` beside the one of a reading of `context`.
    pub(crate) fn new(context: &'c Context, sink: S) -> Self {
        Self { sink, own: Reading::beside(context), inputs: OnceLock::new() }
    }

    /// Records what was read, when all is.
    pub(crate) fn end(&self, inputs: &ReadInputs) {
        self.inputs.get_or_init(|| inputs.clone());
    }

    /// The sink, and what it has read.
    pub(crate) fn finish(self) -> (S, Read) {
        let Self { sink, own, inputs } = self;
        let inputs = inputs.into_inner().unwrap_or_default();
        (sink, Read { what: own.what, inputs, counts: into_inner(own.counts) })
    }
}

/// A sink, and the one beside it if there is one.
pub(crate) struct WithBeside<'b, 'c, A, B> {
    pub(crate) first: A,
    pub(crate) beside: Option<&'b Beside<'c, B>>,
}

impl<A: Sink, B: Sink> Sink for WithBeside<'_, '_, A, B> {
    type Worker<'s>
        = BothWorkers<'s, A::Worker<'s>, B::Worker<'s>>
    where
        Self: 's;

    fn worker(&self) -> Result<Self::Worker<'_>> {
        let beside = match self.beside {
            Some(Beside { sink, own, .. }) => Some((sink.worker()?, own)),
            None => None,
        };
        Ok(BothWorkers { first: self.first.worker()?, beside })
    }

    fn abort(&self) {
        self.first.abort();
        if let Some(beside) = self.beside {
            beside.sink.abort();
        }
    }

    fn spilled_bytes(&self) -> u64 {
        self.first.spilled_bytes()
    }
}

/// One thread's ends of both sinks.
pub(crate) struct BothWorkers<'s, A, B> {
    first: A,
    beside: Option<(B, &'s Reading<'s>)>,
}

impl<A: Worker, B: Worker> Worker for BothWorkers<'_, A, B> {
    fn chunk(&mut self, number: u64, chunk: &mut Chunk, reading: &Reading<'_>) -> Result<()> {
        self.first.chunk(number, chunk, reading)?;
        self.beside.as_mut().map_or(Ok(()), |(worker, own)| worker.chunk(number, chunk, own))
    }

    fn finish(self) -> Result<()> {
        self.first.finish()?;
        self.beside.map_or(Ok(()), |(worker, _)| worker.finish())
    }
}
