//! Turns chunks into batches of games or records.
//!
//! A [`ReadChunk`] does the work of one thread: a caller with several threads gives each of them a clone, and
//! takes the batches in the order of their chunks. [`Batches`] does the same on one thread.

use crate::{
    Result,
    input::{Chunk, ChunkOptions, Chunks, Input, Place, ReadInputs, ReadProgress},
};

/// Turns chunks into batches.
pub trait ReadChunk: Clone + Send + Sync {
    /// The batch that a chunk is turned into.
    type Batch: Batch;

    /// Turns a chunk into a batch. The implementation may move the text out of the chunk.
    fn read_chunk(&mut self, chunk: &mut Chunk) -> Self::Batch;
}

/// The items that are read from one chunk. They all belong to one stream and are numbered in the order of its
/// text.
pub trait Batch: Send {
    /// The place of the chunk.
    fn place(&self) -> Place;

    /// The number of items in the batch.
    fn items(&self) -> usize;

    /// The approximate size of the batch in bytes. An implementation may return 0 if the batch holds little
    /// more than the chunk's text.
    fn bytes(&self) -> usize {
        0
    }

    /// Sets the number of items that come before this batch in the same stream.
    fn number_after(&mut self, before: u64);
}

/// Assigns numbers to the items of batches. The batches must be passed to [`Self::number`] in the order of
/// the input.
#[derive(Debug, Default)]
pub struct Numbering {
    /// The stream of the last batch: the index of its input and the index of its part.
    stream: (u32, u32),
    /// The number of items in that stream so far.
    items: u64,
}

impl Numbering {
    /// Numbers the items of the next batch.
    pub fn number(&mut self, batch: &mut impl Batch) {
        let place = batch.place();
        let stream = (place.input, place.part);
        if stream != self.stream {
            (self.stream, self.items) = (stream, 0);
        }
        batch.number_after(self.items);
        self.items += batch.items() as u64;
    }
}

/// Iterates over the inputs' non-empty batches, in the order of the inputs and their text. The inputs are
/// read on the caller's thread, and the iteration ends after an error.
///
/// # Memory
///
/// Holds a batch and the chunk that it was made from. A chunk has about `chunk_bytes` of text, or consists of
/// one longer game.
pub struct Batches<R> {
    chunks: Chunks,
    reader: R,
    numbering: Numbering,
    buffer: Vec<u8>,
    failed: bool,
}

impl<R: ReadChunk> Batches<R> {
    /// Prepares to read `inputs` one after another.
    ///
    /// # Errors
    ///
    /// Fails if a file no longer exists.
    pub fn new(inputs: Vec<Input>, options: ChunkOptions, reader: R) -> Result<Self> {
        let chunks = Chunks::open(inputs, ChunkOptions { threads: 1, ..options })?;
        Ok(Self { chunks, reader, numbering: Numbering::default(), buffer: Vec::new(), failed: false })
    }

    /// How much of the inputs has been read.
    #[must_use]
    pub fn progress(&self) -> ReadProgress {
        self.chunks.progress()
    }

    /// Stops reading, even before the end of the inputs, and returns a description of what was read.
    #[must_use]
    pub fn finish(self) -> ReadInputs {
        self.chunks.finish()
    }

    fn next_batch(&mut self) -> Result<Option<R::Batch>> {
        while let Some(mut chunk) = self.chunks.next(0, std::mem::take(&mut self.buffer))? {
            let mut batch = self.reader.read_chunk(&mut chunk);
            self.buffer = chunk.text;
            if batch.items() > 0 {
                self.numbering.number(&mut batch);
                return Ok(Some(batch));
            }
        }
        Ok(None)
    }
}

impl<R: ReadChunk> Iterator for Batches<R> {
    type Item = Result<R::Batch>;

    /// Returns the next non-empty batch.
    ///
    /// # Errors
    ///
    /// Fails if an input cannot be read, is not in the reader's format, is damaged or encrypted, or if the
    /// caller asked to stop.
    fn next(&mut self) -> Option<Self::Item> {
        if self.failed {
            return None;
        }
        let next = self.next_batch().transpose();
        self.failed = next.as_ref().is_some_and(Result::is_err);
        next
    }
}
